import { createHash, timingSafeEqual } from 'node:crypto';

/** The ways to sign a request. The carrier assigns one of them to each application. */
export const signatureKinds = ['standard_md5', 'simple_md5', 'sm3'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

/** The characters that Java's URLEncoder does not escape: letters, digits and these signs. */
const plain = /[A-Za-z0-9.*_-]/;

/** Encodes each UTF-8 byte of a text as Java's URLEncoder does. */
const javaForm = (text: string): string => {
  let encoded = '';
  for (const byte of Buffer.from(text)) {
    const sign = String.fromCharCode(byte);
    if (byte === 0x20) encoded += '+';
    else if (byte < 0x80 && plain.test(sign)) encoded += sign;
    else encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
};

/** Returns the digest of a request, calculated in the way that the application signs. */
export const digestOf = (kind: SignatureKind, content: string): string => {
  if (kind === 'sm3') return createHash('sm3').update(content).digest('hex');
  const signed = kind === 'standard_md5' ? javaForm(content) : content;
  return createHash('md5').update(signed).digest('base64');
};

/** Compares a digest with the right one, in constant time. */
export const isDigestRight = (kind: SignatureKind, content: string, digest: string): boolean => {
  const right = Buffer.from(digestOf(kind, content));
  const given = Buffer.from(digest);
  return right.length === given.length && timingSafeEqual(right, given);
};
