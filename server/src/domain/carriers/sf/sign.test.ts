import { describe, expect, it } from 'vitest';
import { javaUrlEncoded, sign } from './sign.ts';

/** The example on SF's own page about signatures. */
const vector = {
  msgData: '{"language":"zh-CN","orderId":"QIAO-20200618-004"}',
  timestamp: '12312334453453',
  check_word: 'fjcg5PGKaNpPSHFAZ4QsCOkV71R3zVci',
};

describe('the signature of a call to SF', () => {
  it.each([
    ['standard_md5', 'IIKJtuLVzoFTu4kHI8M8vA=='],
    ['sm3', 'b05d21124eb6aedb3c6c99b1a37f9fc9a23a9898cb6a4b5df00d4402bda9081f'],
    ['simple_md5', 'OwYXm3XG9fjHK7A+/t7Ckw=='],
  ] as const)('the published vector is reproduced by %s', (kind, expected) => {
    expect(sign(vector, kind)).toBe(expected);
  });

  it('the standard signature is used if no signature kind is set', () => {
    expect(sign(vector)).toBe('IIKJtuLVzoFTu4kHI8M8vA==');
  });

  it('the text that is signed for a call to SF is URL-encoded as in Java, including its apostrophes, parentheses and tildes', () => {
    const address = "A'座(1~2)!*栋";
    expect(javaUrlEncoded(address)).toBe('A%27%E5%BA%A7%281%7E2%29%21*%E6%A0%8B');
    expect(sign({ ...vector, msgData: address })).toBe('8Tvb4xiXDC8whMK/96IKfA==');
    // This digest results if only encodeURIComponent is used. SF would refuse it, but only for
    // addresses with apostrophes, parentheses or tildes.
    expect(sign({ ...vector, msgData: address })).not.toBe('8UVsxluf1RAvgvykBEpwsQ==');
  });

  it('Java’s URL encoding writes a space as a plus sign and leaves - _ . unchanged', () => {
    expect(javaUrlEncoded('a b-c_d.e*f+g')).toBe('a+b-c_d.e*f%2Bg');
  });
});
