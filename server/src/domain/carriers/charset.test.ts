import { describe, expect, it } from 'vitest';
import { carrierText } from './charset.ts';

const words = '{"msg":"收件地址超区"}';
const utf8 = Buffer.from(words);
/** The text `words`, encoded in GBK. */
const gbk = Buffer.concat([
  Buffer.from('{"msg":"'),
  Buffer.from([0xca, 0xd5, 0xbc, 0xfe, 0xb5, 0xd8, 0xd6, 0xb7, 0xb3, 0xac, 0xc7, 0xf8]),
  Buffer.from('"}'),
]);

describe('the text of a carrier’s answer', () => {
  it.each([
    ['UTF-8 without a charset', utf8, 'application/json'],
    ['UTF-8 that says so', utf8, 'application/json;charset=UTF-8'],
    ['UTF-8 under the name of GBK', utf8, 'application/json; charset=GBK'],
    ['UTF-8 under an unknown name', utf8, 'text/plain; charset=martian'],
    ['UTF-8 with a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]), ''],
    ['GBK that says so', gbk, 'text/html; charset="gbk"'],
    ['GBK under the name of GB2312', gbk, 'application/json;charset=gb2312'],
    ['GBK without a charset', gbk, 'application/json'],
    ['GBK without a content type', gbk, undefined],
    ['GBK under the name of UTF-8', gbk, 'application/json;charset=utf-8'],
  ])('the text of a carrier’s answer in %s is decoded', (_, bytes, contentType) => {
    expect(carrierText(bytes, contentType)).toBe(words);
  });

  it('the text of a carrier’s answer in an unknown encoding keeps its readable characters', () => {
    expect(carrierText(Buffer.from([0x7b, 0xff, 0xff, 0x7d]))).toMatch(/^\{.*\}$/);
  });
});
