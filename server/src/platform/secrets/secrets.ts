import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts values that must be stored encrypted (carrier secrets, second factors) with a key that
 * is never in the database.
 */
export interface Secrets {
  /**
   * Encrypts with AES-256-GCM. The ciphertext is bound to `purpose`, so that it cannot be used in
   * another column.
   */
  seal(plain: string, purpose: string): Buffer;
  /**
   * Decrypts. Throws if the value was changed, or was encrypted for another purpose or with another
   * key.
   */
  open(sealed: Buffer, purpose: string): string;
  /** Returns a stable secret that is derived from the key for a named use. */
  derive(use: string): string;
}

const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;

export const secretsFrom = (key: Buffer): Secrets => {
  const sealing = Buffer.from(hkdfSync('sha256', key, '', 'waystation seal', 32));
  return {
    seal: (plain, purpose) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), body]);
    },
    open: (sealed, purpose) => {
      if (sealed[0] !== formatVersion)
        throw new Error(`sealed value of unknown format ${sealed[0]}`);
      const decipher = createDecipheriv(
        'aes-256-gcm',
        sealing,
        sealed.subarray(1, 1 + nonceBytes),
        { authTagLength: tagBytes },
      );
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes));
      return (
        decipher.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      );
    },
    derive: (use) => createHmac('sha256', key).update(use).digest('hex'),
  };
};
