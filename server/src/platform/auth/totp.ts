import { createHmac, timingSafeEqual } from 'node:crypto';
import { present } from '@waystation/contract/base/present.ts';

// Codes of authenticator apps, according to RFC 6238 and RFC 4226. All apps use HMAC-SHA-1, six
// digits and intervals of thirty seconds.

const digits = 6;
const stepSeconds = 30;
/**
 * The clock of a phone may be slightly wrong, so the previous and the next code are accepted too.
 */
const drift = [0, -1, 1];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes as base32 (RFC 4648) without padding, which authenticator apps expect. */
export const base32 = (bytes: Buffer): string => {
  let [bits, held, text] = [0, 0, ''];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
};

export const stepOf = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds);

/** Returns the code of one time step. */
export const codeOf = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = present(mac[mac.length - 1]) & 15;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
};

/**
 * Returns the time step of this code if the code is valid now and its step is after `lastStep`;
 * otherwise null.
 */
export const stepOfCode = (
  secret: Buffer,
  code: string,
  now: Date,
  lastStep: number,
): number | null => {
  const entered = Buffer.from(code);
  const found = drift
    .map((offset) => stepOf(now) + offset)
    .filter((step) => {
      const right = Buffer.from(codeOf(secret, step));
      return entered.length === right.length && timingSafeEqual(entered, right);
    });
  return found.find((step) => step > lastStep) ?? null;
};

/** Returns the content of the QR code for an authenticator app. */
export const otpauthUri = (secret: Buffer, username: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(username)}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
