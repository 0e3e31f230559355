import { createHmac, timingSafeEqual } from 'node:crypto';

// Codes of authenticator apps: RFC 6238 over RFC 4226 as every app knows it, HMAC-SHA-1, six digits, thirty seconds.

const digits = 6;
const stepSeconds = 30;
/** Clocks of phones are a little off: the code before and the code after count too. */
const drift = [0, -1, 1];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding, as apps take it. */
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

/** The code of one time step. */
export const codeOf = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = mac[mac.length - 1]! & 15;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
};

/** The time step whose code this is, among those that count now and come after `lastStep`; null where there is none. */
export const stepOfCode = (secret: Buffer, code: string, now: Date, lastStep: number): number | null => {
  const entered = Buffer.from(code);
  const found = drift
    .map((offset) => stepOf(now) + offset)
    .filter((step) => {
      const right = Buffer.from(codeOf(secret, step));
      return entered.length === right.length && timingSafeEqual(entered, right);
    });
  return found.find((step) => step > lastStep) ?? null;
};

/** What an app reads from the picture. */
export const otpauthUri = (secret: Buffer, username: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(username)}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
