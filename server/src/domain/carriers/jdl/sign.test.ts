import { describe, expect, it } from 'vitest';
import { sign, signRefresh, signingAlgorithms } from './sign.ts';

const order =
  '[{"orderId":"T202601020001","orderOrigin":1,"customerCode":"010K000001","settleType":3,"senderContact":{"name":"张三","mobile":"13800000001","fullAddress":"北京市朝阳区示例路1号"},"receiverContact":{"name":"李四","mobile":"13900000002","fullAddress":"上海市浦东新区示例路2号"},"productsReq":{"productCode":"ed-m-0001","addedProducts":[{"productCode":"ed-a-0002","productAttrs":{"guaranteeMoney":"500"}}]},"cargoes":[{"name":"文件","quantity":1,"weight":1.5,"volume":1000}]}]';
const keys = {
  app_key: 'demoappkey0000000000000000000001',
  app_secret: 'demosecret000000000000000000000a',
  access_token: 'demotoken0000000000000000000000b',
  timestamp: '2026-01-02 03:04:05',
};
const create = { ...keys, path: '/ecap/v1/orders/create', body: order };

describe('the published signing vectors', () => {
  it('our copy of the request body that JDL published as an example has JDL’s length of 501 bytes', () => {
    expect(Buffer.byteLength(order)).toBe(501);
  });

  it.each([
    ['md5-salt', '758688b729e9c14ad2805df7bb5a5674'],
    ['HMacMD5', '0bDjJnFdO+ITcRV3tsVbaw=='],
    ['HMacSHA1', 'eQGy1yHihzBT2BbxvtytI7DSM7w='],
    ['HMacSHA256', 'sRNwNN1dWkw4WYM3/37dxodUo7DQ+SEHxBYDabgfG7g='],
    [
      'HMacSHA512',
      'CzxNCiokMoO2MpgPmGqcIJI0mS4mhR/9B6Bjv3CebawK5GLDdFZe5c2WT7mvTIABG7f85ykS/Pa4xE3TV21r0g==',
    ],
  ] as const)(
    'the published signature of creating an order under %s is reproduced',
    (algorithm, expected) => {
      expect(sign(create, algorithm)).toBe(expected);
    },
  );

  it.each([
    ['md5-salt', '9472c60fb34ecc16a0d8ddae0d7f7a8c'],
    ['HMacSHA256', 'UHky9v8S3v3+4uyTEMsDgRtoS6TR71b6gpJURvhPdBY='],
  ] as const)(
    'the published signature of a trace request under %s is reproduced',
    (algorithm, expected) => {
      const body =
        '[{"waybillCode":"JDVE00000000017","orderOrigin":1,"customerCode":"010K000001"}]';
      expect(sign({ ...keys, path: '/ecap/v1/orders/trace/query', body }, algorithm)).toBe(
        expected,
      );
    },
  );

  it('the signature of a token refresh equals the example that JDL published', () => {
    expect(signRefresh({ ...keys, refresh_token: 'demorefresh000000000000000000000c' })).toBe(
      'f3789e7f972490ce0b4fe573b31594b9',
    );
  });
});

describe('the signature of a JDL call', () => {
  it.each(signingAlgorithms)(
    'a signature with the algorithm %s changes if any signed value changes',
    (algorithm) => {
      const changed = [
        { ...create, app_key: 'x' },
        { ...create, app_secret: 'x' },
        { ...create, access_token: '' },
        { ...create, path: '/ecap/v1/orders/modify' },
        { ...create, body: `${order} ` },
        { ...create, timestamp: '2026-01-02 03:04:06' },
      ].map((each) => sign(each, algorithm));
      expect(new Set([sign(create, algorithm), ...changed]).size).toBe(7);
    },
  );
});
