import { expect, test } from 'vitest';
import { isSignatureRight, refreshSignature, signatureOf } from './signing.ts';

const secret = 'demosecret000000000000000000000a';
const body =
  '[{"orderId":"T202601020001","orderOrigin":1,"customerCode":"010K000001","settleType":3,"senderContact":{"name":"张三","mobile":"13800000001","fullAddress":"北京市朝阳区示例路1号"},"receiverContact":{"name":"李四","mobile":"13900000002","fullAddress":"上海市浦东新区示例路2号"},"productsReq":{"productCode":"ed-m-0001","addedProducts":[{"productCode":"ed-a-0002","productAttrs":{"guaranteeMoney":"500"}}]},"cargoes":[{"name":"文件","quantity":1,"weight":1.5,"volume":1000}]}]';
const create = {
  accessToken: 'demotoken0000000000000000000000b',
  appKey: 'demoappkey0000000000000000000001',
  path: '/ecap/v1/orders/create',
  body,
  timestamp: '2026-01-02 03:04:05',
  version: '2.0',
};

test('the request body published by JDL has 501 bytes', () => {
  expect(Buffer.byteLength(body)).toBe(501);
});

test.each([
  ['md5-salt', '758688b729e9c14ad2805df7bb5a5674'],
  ['HMacMD5', '0bDjJnFdO+ITcRV3tsVbaw=='],
  ['HMacSHA1', 'eQGy1yHihzBT2BbxvtytI7DSM7w='],
  ['HMacSHA256', 'sRNwNN1dWkw4WYM3/37dxodUo7DQ+SEHxBYDabgfG7g='],
  [
    'HMacSHA512',
    'CzxNCiokMoO2MpgPmGqcIJI0mS4mhR/9B6Bjv3CebawK5GLDdFZe5c2WT7mvTIABG7f85ykS/Pa4xE3TV21r0g==',
  ],
])(
  'the published order is signed as published with %s, from text and from bytes',
  (algorithm, sign) => {
    expect(signatureOf(algorithm, secret, create)).toBe(sign);
    expect(signatureOf(algorithm, secret, { ...create, body: Buffer.from(body) })).toBe(sign);
  },
);

test.each([
  ['md5-salt', '9472c60fb34ecc16a0d8ddae0d7f7a8c'],
  ['HMacSHA256', 'UHky9v8S3v3+4uyTEMsDgRtoS6TR71b6gpJURvhPdBY='],
])('the published trace query is signed as published with %s', (algorithm, sign) => {
  const query = {
    ...create,
    path: '/ecap/v1/orders/trace/query',
    body: '[{"waybillCode":"JDVE00000000017","orderOrigin":1,"customerCode":"010K000001"}]',
  };
  expect(signatureOf(algorithm, secret, query)).toBe(sign);
});

test('a token refresh has the signature that the published signing rule gives', () => {
  const sign = refreshSignature(
    secret,
    create.appKey,
    'demorefresh000000000000000000000c',
    create.timestamp,
  );
  expect(sign).toBe('f3789e7f972490ce0b4fe573b31594b9');
});

test('the simulator accepts an md5-salt signature in either letter case, and a Base64 signature only as written', () => {
  expect(isSignatureRight('md5-salt', secret, create, '758688B729E9C14AD2805DF7BB5A5674')).toBe(
    true,
  );
  expect(isSignatureRight('HMacMD5', secret, create, '0bDjJnFdO+ITcRV3tsVbaw==')).toBe(true);
  expect(isSignatureRight('HMacMD5', secret, create, '0BDjJnFdO+ITcRV3tsVbaw==')).toBe(false);
});

test('the simulator rejects a signature of another body, with another secret, or with an unknown algorithm', () => {
  const sign = '758688b729e9c14ad2805df7bb5a5674';
  expect(isSignatureRight('md5-salt', secret, { ...create, body: `${body} ` }, sign)).toBe(false);
  expect(isSignatureRight('md5-salt', `${secret}x`, create, sign)).toBe(false);
  expect(isSignatureRight('sm3-salt', secret, create, sign)).toBe(false);
});
