import { describe, expect, it } from 'vitest';
import type { CarrierAccount } from '#domain/carriers/carriers.ts';
import { send, signedUrl } from './send.ts';

const account: CarrierAccount = {
  provider: 'jdl',
  base_url: 'https://uat-api.jdl.com',
  app_key: 'demoappkey0000000000000000000001',
  app_secret: 'demosecret000000000000000000000a',
  access_token: 'demotoken0000000000000000000000b',
  customer_code: '010K000001',
  warehouse_code: '',
};
const at = new Date('2026-01-02T03:04:05+08:00');
const order =
  '[{"orderId":"T202601020001","orderOrigin":1,"customerCode":"010K000001","settleType":3,"senderContact":{"name":"张三","mobile":"13800000001","fullAddress":"北京市朝阳区示例路1号"},"receiverContact":{"name":"李四","mobile":"13900000002","fullAddress":"上海市浦东新区示例路2号"},"productsReq":{"productCode":"ed-m-0001","addedProducts":[{"productCode":"ed-a-0002","productAttrs":{"guaranteeMoney":"500"}}]},"cargoes":[{"name":"文件","quantity":1,"weight":1.5,"volume":1000}]}]';
const path = '/ecap/v1/orders/create';

describe('the URL of a JDL call', () => {
  it('the URL of a JDL call equals the example that JDL published', () => {
    expect(signedUrl(account, { path, body: order, at })?.href).toBe(
      'https://uat-api.jdl.com/ecap/v1/orders/create?LOP-DN=ECAP&app_key=demoappkey0000000000000000000001&access_token=demotoken0000000000000000000000b&timestamp=2026-01-02+03%3A04%3A05&v=2.0&sign=758688b729e9c14ad2805df7bb5a5674&algorithm=md5-salt',
    );
  });

  it('the URL of a JDL call contains the Base64 signature percent-encoded', () => {
    const url = signedUrl({ ...account, algorithm: 'HMacMD5' }, { path, body: order, at })!;
    expect(url.href).toContain('sign=0bDjJnFdO%2BITcRV3tsVbaw%3D%3D&algorithm=HMacMD5');
    expect(url.searchParams.get('sign')).toBe('0bDjJnFdO+ITcRV3tsVbaw==');
  });

  it('the URL of a JDL call has no access_token parameter if the account has no token', () => {
    expect(
      signedUrl({ ...account, access_token: '' }, { path, body: order, at })?.searchParams.has(
        'access_token',
      ),
    ).toBe(false);
  });

  it('the URL of a JDL call through a relay contains the relay’s path, but the signature does not cover that path', () => {
    const relayed = signedUrl(
      { ...account, base_url: 'https://relay.example/jdl/' },
      { path, body: order, at },
    )!;
    expect(relayed.pathname).toBe('/jdl/ecap/v1/orders/create');
    expect(relayed.searchParams.get('sign')).toBe('758688b729e9c14ad2805df7bb5a5674');
  });

  it.each([
    '',
    'api.jdl.com',
    'ftp://api.jdl.com',
    'https://user:pass@api.jdl.com',
    'https://api.jdl.com/?x=1',
    'https://api.jdl.com/#x',
    'javascript:alert(1)',
  ])('the URL of a JDL call is null for the base URL "%s"', (base_url) => {
    expect(signedUrl({ ...account, base_url }, { path, body: order, at })).toBeNull();
  });
});

describe('an answer of JDL that repeats a secret', () => {
  it.each([
    [
      'a gateway',
      { error_response: { code: '19', zh_desc: `令牌 ${account.access_token} 已过期` } },
    ],
    ['a refusal', { success: false, code: 500, msg: `${account.app_key} may not` }],
    ['a broken system', { success: false, code: 500, msg: `system error: ${account.app_secret}` }],
  ])(
    'an answer of %s that repeats a secret of the account is reported without it',
    async (_, answer) => {
      const wire = {
        post: async () => ({
          got: 'answer' as const,
          http_status: 200,
          headers: {},
          body: JSON.stringify(answer),
          ms: 1,
        }),
        close: () => {},
      };
      const text = JSON.stringify(
        await send({ wire, clock: { now: () => at } }, account, 'create', order),
      );
      for (const secret of [account.access_token, account.app_key, account.app_secret])
        expect(text).not.toContain(secret);
      expect(text).toContain('[cut]');
    },
  );
});
