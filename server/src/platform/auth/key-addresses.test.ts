import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';
import { isAddressRange } from './key-addresses.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** True for each text that the database accepts as an IP address or a network. */
const isInet = async (texts: readonly string[]): Promise<boolean[]> =>
  (
    await api.rows(
      sql<{ is: boolean }>`select pg_input_is_valid(t, 'inet') as is
        from unnest(${texts}::text[]) with ordinality u(t, n) order by n`,
    )
  ).map(({ is }) => is);

describe('the allowed IP addresses of an API key', () => {
  it.each(['2001:db8::/032', '::/000', '10.0.0.0/', '10.0.0.0/33', '::/129'])(
    'the network %s is refused as an API key’s address range, because the database cannot read it',
    async (text) => {
      expect([isAddressRange(text), await isInet([text])]).toEqual([false, [false]]);
    },
  );

  it.each(['::ffff:203.0.113.0/120', '::FFFF:cb00:7100/120', '0:0:0:0:0:ffff:203.0.113.1'])(
    'the range %s of mapped IPv4 addresses is refused for an API key, because it would never match a caller',
    (text) => expect(isAddressRange(text)).toBe(false),
  );

  it('every text that is accepted as an IP address range of an API key is a valid range for the database', async () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.constantFrom('::', '1::', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1:2:3:4:5:6:1.2.3.4'),
      fc.constantFrom('1::1.2.3.4', '10.1', '010.0.0.1', 'fe80::1%eth0'),
    );
    const bits = fc.oneof(
      fc.constantFrom('', '/', '/00', '/0x8', '/ 8', '/+8', '/8/8'),
      fc.integer({ min: 0, max: 140 }).map((n) => `/${n}`),
      fc.integer({ min: 0, max: 40 }).map((n) => `/0${n}`),
    );
    const texts = fc
      .sample(fc.tuple(address, bits), 3_000)
      .map((parts) => parts.join(''))
      .filter((text) => isAddressRange(text));
    expect(texts.length).toBeGreaterThan(500);
    const read = await isInet(texts);
    expect(texts.filter((_, at) => !read[at])).toEqual([]);
  });
});
