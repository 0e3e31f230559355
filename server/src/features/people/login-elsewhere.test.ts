import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';
import { setUpTwoFactor } from '#testing/two-factor.ts';
import { auditRefusedCalls } from './refused-calls.ts';

const key = 'a1'.repeat(32);
const password = 'waystation-demo';
const minute = 60_000;

/** Two installations that know each other. The account "north" exists only at the second one. */
let south: TestApi;
let north: TestApi;
beforeAll(async () => {
  [south, north] = await Promise.all([openTestApi(), openTestApi()]);
  await north.rows(sql`update accounts set username = 'north' where username = 'clerk'`);
  await south.rows(sql`update accounts set username = 'south' where username = 'clerk'`);
});
afterAll(() => Promise.all([south.close(), north.close()]));
/** Each test begins an hour later, so that tests do not share login attempts. */
beforeEach(() => {
  for (const api of [south, north]) api.clock.advance(60 * minute);
  south.app.config.installations = { urls: [north.url], key };
  north.app.config.installations = { urls: [south.url], key };
});

const ask = async (body: unknown): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${north.url}/api/installations/login`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};
const question = (changes: object = {}) => ({
  key,
  username: 'North',
  password,
  address: '192.0.2.9',
  ...changes,
});
const failuresAt = ({ rows }: TestApi): Promise<{ username: string; address: string }[]> =>
  rows(sql<{ username: string; address: string }>`select username, address from login_failures
    where address like '198.51.100.%' order by address`);

describe('an account of another installation', () => {
  it('a user with the right password learns at which installation the account is, and no attempt counts as failed', async () => {
    expect(await south.tryLogin('north', password)).toMatchObject({
      status: 409,
      data: { code: 'account_elsewhere', params: { url: north.url } },
    });
    expect(await south.rows(sql`select 1 from login_failures`)).toEqual([]);
    expect(await north.rows(sql`select 1 from login_failures`)).toEqual([]);
    expect((await north.tryLogin('north', password)).status).toBe(200);
  });

  it('a disabled account, and an account with two-factor authentication, is at its installation too', async () => {
    await north.rows(sql`update accounts set status = 0 where username = 'north'`);
    expect((await south.tryLogin('north', password)).status).toBe(409);
    await north.rows(sql`update accounts set status = 1 where username = 'north'`);
    await setUpTwoFactor(north, await north.login('north'), password);
    expect((await south.tryLogin('north', password)).status).toBe(409);
    await north.rows(sql`delete from two_factor_secrets`);
  });

  it('a login with a wrong password returns the same response for names of this, of another and of no installation', async () => {
    const answers = [];
    for (const name of ['south', 'north', 'nobody'])
      answers.push((await south.tryLogin(name, 'wrong')).bytes.toString('utf8'));
    const parts = answers.map((text) => JSON.parse(text) as { data: object; message: string });
    for (const { data, message } of parts)
      expect({ data, message }).toMatchObject({
        data: { code: 'login_failed' },
        message: parts[0]!.message,
      });
  });

  it('wrong passwords at one installation also block the account at its own installation', async () => {
    for (let n = 0; n < 5; n++)
      expect((await south.tryLogin('north', 'wrong', undefined, `198.51.100.${n}`)).status).toBe(
        400,
      );
    expect(await failuresAt(north)).toEqual(
      [0, 1, 2, 3, 4].map((n) => ({ username: 'north', address: `198.51.100.${n}` })),
    );
    expect((await north.tryLogin('north', password)).status).toBe(429);
  });

  it('the audit log of the account’s installation has the wrong logins at other installations', async () => {
    await south.tryLogin('north', 'wrong', undefined, '203.0.113.7');
    await south.tryLogin('nobody', 'wrong', undefined, '203.0.113.8');
    for (const api of [south, north]) {
      api.clock.advance(2 * minute);
      await auditRefusedCalls(api.app);
    }
    const { items } = (
      await north.call<{ items: AuditRow[] }>(
        await north.login('super'),
        'GET',
        `/api/arco/audit?action=login_failed&at_from=${businessDay(north.clock.now())}`,
      )
    ).data;
    expect(items.filter(({ address }) => address === '203.0.113.7')).toMatchObject([
      { account_name: 'north', changes: { call: [null, 'POST /api/installations/login'] } },
    ]);
    // Unknown names are counted too, so that both answers take the same time.
    expect(items.filter(({ address }) => address === '203.0.113.8')).toMatchObject([
      { account_name: '' },
    ]);
  });

  it('a failed login says that the account’s installation may be unavailable if an installation does not answer, has another key, or has no key', async () => {
    const failed = { status: 400, data: { code: 'login_failed_or_away' } };
    south.app.config.installations = { urls: ['http://127.0.0.1:9'], key };
    expect(await south.tryLogin('north', password)).toMatchObject(failed);
    south.app.config.installations = { urls: [north.url], key: 'b2'.repeat(32) };
    expect(await south.tryLogin('north', password)).toMatchObject(failed);
    south.app.config.installations = { urls: [north.url], key };
    north.app.config.installations = null;
    expect(await south.tryLogin('north', password)).toMatchObject(failed);
  });

  it('an account is found at an installation that answers while another installation does not answer', async () => {
    south.app.config.installations = { urls: ['http://127.0.0.1:9', north.url], key };
    expect(await south.tryLogin('north', password)).toMatchObject({
      status: 409,
      data: { params: { url: north.url } },
    });
  });
});

describe('the question of another installation', () => {
  it('the question of another installation is answered only with the shared key, and opens no session', async () => {
    const sessions = () => north.rows(sql`select id from sessions`);
    const before = await sessions();
    expect(await ask(question())).toEqual({ status: 200, text: '{"here":true}' });
    expect(await ask(question({ password: 'wrong' }))).toEqual({
      status: 200,
      text: '{"here":false}',
    });
    expect(await sessions()).toEqual(before);
    expect((await ask(question({ key: 'c3'.repeat(32) }))).status).toBe(404);
    expect((await ask(question({ key: 3 }))).status).toBe(404);
    expect((await ask('no json')).status).toBe(404);
    expect((await ask(question({ username: 'x'.repeat(201) }))).status).toBe(404);
    expect((await ask('x'.repeat(9_000))).status).toBe(413);
  });

  it('the sixth question with a wrong password for an account is refused with 429', async () => {
    for (let n = 0; n < 5; n++)
      expect((await ask(question({ password: 'wrong' }))).status).toBe(200);
    expect((await ask(question())).status).toBe(429);
  });
});
