/**
 * A synchronous ChaCha20-Poly1305 (RFC 8439). It must be synchronous, because a draft is stored
 * before the key press ends. Web Crypto is asynchronous, and it is missing without HTTPS
 * (docs/decisions/0123). `chacha20-poly1305.test.ts` compares the results with OpenSSL.
 */

const tagBytes = 16;
export const keyBytes = 32;
export const nonceBytes = 12;

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

const quarterRound = (
  x: Uint32Array,
  [a, b, c, d]: readonly [number, number, number, number],
): void => {
  let [va, vb, vc, vd] = [x[a] ?? 0, x[b] ?? 0, x[c] ?? 0, x[d] ?? 0];
  for (const [left, right] of [
    [16, 12],
    [8, 7],
  ] as const) {
    va = (va + vb) | 0;
    vd = rotated(vd ^ va, left);
    vc = (vc + vd) | 0;
    vb = rotated(vb ^ vc, right);
  }
  x[a] = va;
  x[b] = vb;
  x[c] = vc;
  x[d] = vd;
};

/** The positions that each quarter round uses: first the four columns, then the four diagonals. */
const rounds = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

const wordsOf = (bytes: Uint8Array): Uint32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(at * 4, true));
};

/** Calculates one block of 64 bytes of the key stream. */
const blockOf = (key: Uint8Array, nonce: Uint8Array, count: number): Uint8Array => {
  const start = Uint32Array.of(
    0x61_70_78_65,
    0x33_20_64_6e,
    0x79_62_2d_32,
    0x6b_20_65_74,
    ...wordsOf(key),
    count,
    ...wordsOf(nonce),
  );
  const x = start.slice();
  for (let double = 0; double < 10; double++) for (const at of rounds) quarterRound(x, at);
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of x.entries()) view.setUint32(at * 4, word + (start[at] ?? 0), true);
  return bytes;
};

/** Encrypts or decrypts bytes; both are the same operation. */
const withKeyStream = (key: Uint8Array, nonce: Uint8Array, bytes: Uint8Array): Uint8Array => {
  const result = bytes.slice();
  for (let from = 0; from < bytes.length; from += 64) {
    const block = blockOf(key, nonce, 1 + from / 64);
    const part = result.subarray(from, from + block.length);
    for (const [at, byte] of part.entries()) part[at] = byte ^ (block[at] ?? 0);
  }
  return result;
};

const numberOf = (bytes: Uint8Array): bigint => {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at] ?? 0);
  return value;
};

const prime = (1n << 130n) - 5n;
const clamp = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

const padded = (length: number): number => Math.ceil(length / 16) * 16;

/**
 * The Poly1305 tag of the associated data, the encrypted bytes and the lengths of both. The data
 * and the bytes are padded to whole blocks.
 */
const tagOf = (
  key: Uint8Array,
  nonce: Uint8Array,
  sealed: Uint8Array,
  bound: Uint8Array,
): Uint8Array => {
  const once = blockOf(key, nonce, 0);
  const [r, s] = [numberOf(once.subarray(0, 16)) & clamp, numberOf(once.subarray(16, 32))];
  const text = new Uint8Array(padded(bound.length) + padded(sealed.length) + 16);
  text.set(bound);
  text.set(sealed, padded(bound.length));
  const lengths = new DataView(text.buffer, text.length - 16);
  lengths.setUint32(0, bound.length, true);
  lengths.setUint32(8, sealed.length, true);
  let sum = 0n;
  for (let at = 0; at < text.length; at += 16)
    sum = ((sum + numberOf(text.subarray(at, at + 16)) + (1n << 128n)) * r) % prime;
  const tag = sum + s;
  return Uint8Array.from({ length: tagBytes }, (_, at) => Number((tag >> BigInt(8 * at)) & 0xffn));
};

/**
 * Encrypts bytes. `open` decrypts the result only with the same key, nonce and bound text. The
 * result is 16 bytes longer because of its authentication tag.
 */
export const seal = (
  key: Uint8Array,
  nonce: Uint8Array,
  plain: Uint8Array,
  bound: Uint8Array,
): Uint8Array => {
  const sealed = withKeyStream(key, nonce, plain);
  return Uint8Array.of(...sealed, ...tagOf(key, nonce, sealed, bound));
};

/**
 * Decrypts bytes. Null if the bytes were changed, or if the key or the associated data differ from
 * those of the encryption.
 */
export const open = (
  key: Uint8Array,
  nonce: Uint8Array,
  bytes: Uint8Array,
  bound: Uint8Array,
): Uint8Array | null => {
  if (bytes.length < tagBytes) return null;
  const [sealed, tag] = [bytes.subarray(0, -tagBytes), bytes.subarray(-tagBytes)];
  const right = tagOf(key, nonce, sealed, bound);
  return tag.every((byte, at) => byte === right[at]) ? withKeyStream(key, nonce, sealed) : null;
};
