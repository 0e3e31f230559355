import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '#app.ts';
import { createCallers } from '#platform/auth/callers.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { create } from './api-keys.ts';
import { approve } from './erasures.ts';
import { start } from './two-factor.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

const password = 'waystation-demo';
const request = { address: '203.0.113.1', request_id: '', browser: null } as RequestContext;
const key = { name: 'shop', scopes: ['parcels' as const], password };

const actorOf = async (token: string): Promise<Actor> =>
  (await createCallers(api.app, api.app.config.session).actorOf(token, false))!;

/**
 * Returns an application that calls `meanwhile` just before its third transaction, which makes the
 * change.
 */
const withMeanwhile = (meanwhile: () => Promise<unknown>): App => {
  let begun = 0;
  const tx: App['db']['tx'] = async (...args) => {
    if (++begun === 3) await meanwhile();
    return api.app.db.tx(...args);
  };
  return { ...api.app, db: { ...api.app.db, tx } };
};

const reset = async (username: string): Promise<void> => {
  const { status } = await api.call(
    tokens.super,
    'POST',
    `/api/arco/users/${(await accountOf(username)).id}/password`,
    {},
  );
  expect(status).toBe(200);
};
const accountOf = async (username: string) =>
  (await api.rows(sql<{ id: number }>`select id from accounts where username = ${username}`))[0]!;

describe('a change that requires the password', () => {
  it('an API key is not made if the account’s password is reset between the password check and the creation', async () => {
    const actor = await actorOf(tokens.clerk);
    const app = withMeanwhile(() => reset('clerk'));
    await expect(create(app, actor, key, request)).rejects.toMatchObject({ code: 'not_logged_in' });
    expect(
      await api.rows(sql`select from api_keys where account_id = ${actor.account_id}`),
    ).toEqual([]);
  });

  it('an API key is not made if the password is changed in another session between the password check and the creation', async () => {
    const actor = await actorOf(tokens.station);
    const app = withMeanwhile(() =>
      api.rows(sql`update accounts set password_hash = 'other' where id = ${actor.account_id}`),
    );
    await expect(create(app, actor, key, request)).rejects.toMatchObject({
      details: { fields: { password: { code: 'password_wrong' } } },
    });
  });

  it('setting up two-factor authentication is refused if the session ends between the password check and the setup', async () => {
    const actor = await actorOf(tokens.partner);
    const app = withMeanwhile(() =>
      api.rows(sql`delete from sessions where id = ${actor.session_id}`),
    );
    await expect(start(app, actor, { password }, request)).rejects.toMatchObject({
      code: 'not_logged_in',
    });
  });

  it('approving an erasure is refused if the session ends between the password check and the approval', async () => {
    const actor = await actorOf(tokens.admin);
    const app = withMeanwhile(() =>
      api.rows(sql`delete from sessions where id = ${actor.session_id}`),
    );
    await expect(approve(app, actor, { id: 1, password }, request)).rejects.toMatchObject({
      code: 'not_logged_in',
    });
  });
});
