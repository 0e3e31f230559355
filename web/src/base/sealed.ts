import { keyBytes, nonceBytes, open, seal } from './chacha20-poly1305.ts';
import { local, readJson } from './storage.ts';

/**
 * The encryption keys of the accounts that are logged in here. A key arrives with the account's
 * data and is never stored.
 */
const keys = new Map<number, Uint8Array>();
/**
 * The last decrypted value of each name, with its stored text. Without it, each change of one entry
 * would decrypt the whole order queue again.
 */
const opened = new Map<string, { text: string; json: string | null }>();

export const setStorageKey = (userId: number, hex: string): void =>
  void keys.set(
    userId,
    Uint8Array.from({ length: keyBytes }, (_, at) =>
      Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
    ),
  );

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!);
const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));

const openText = (key: Uint8Array, name: string, sealed: string): string | null => {
  try {
    const bytes = bytesOf(sealed);
    const plain = open(
      key,
      bytes.subarray(0, nonceBytes),
      bytes.subarray(nonceBytes),
      new TextEncoder().encode(name),
    );
    return plain && new TextDecoder().decode(plain);
  } catch {
    return null;
  }
};

/**
 * The value stored under this name. Its readable part is returned beside the encrypted part. Null
 * if nothing is stored.
 */
export const readOutside = (name: string): Record<string, unknown> | null => {
  const stored = readJson(local, name);
  return typeof stored === 'object' ? (stored as Record<string, unknown> | null) : null;
};

/**
 * The value that this account stored. A value from an older version is not encrypted. Null if there
 * is no value or if another account encrypted it.
 */
export const readSealed = (
  userId: number,
  name: string,
): { value: unknown; plain: boolean } | null => {
  const stored = readOutside(name);
  if (stored === null) return null;
  const text = stored['sealed'];
  if (typeof text !== 'string') return { value: stored, plain: true };
  const key = keys.get(userId);
  if (!key) return null;
  const before = opened.get(name);
  const json = before?.text === text ? before.json : openText(key, name, text);
  opened.set(name, { text, json });
  return json === null ? null : { value: JSON.parse(json), plain: false };
};

/**
 * Stores a value under this name, encrypted so that only this account can read it. Everyone can
 * read `outside`. Nothing is stored if the account's key is missing.
 */
export const writeSealed = (
  userId: number,
  name: string,
  value: unknown,
  outside: Record<string, unknown> = {},
): void => {
  const key = keys.get(userId);
  if (!key) return;
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const bytes = seal(
    key,
    nonce,
    new TextEncoder().encode(JSON.stringify(value)),
    new TextEncoder().encode(name),
  );
  local.write(
    name,
    JSON.stringify({ ...outside, sealed: base64Of(Uint8Array.of(...nonce, ...bytes)) }),
  );
};
