import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi } from '#api.ts';
import { proveHead } from '#commands/prove.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { openMoney, openOwner, scope } from '#testing/money.ts';
import { rehash, rewriteTopUp } from '#testing/rewrite.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let http: FastifyInstance;
let owner: Db;
const tokens: Record<string, string> = {};
let [near, other] = [0, 0];

const login = async (name: string, role: string, station_id: number | null): Promise<void> => {
  const account_id = await addAccount(app.db, role, station_id);
  tokens[name] = await app.db.tx(scope, (work) =>
    openSession(work, {
      account_id,
      address: '',
      user_agent: '',
      now: app.clock.now(),
      limits: app.config.session,
    }),
  );
};
const ask = async (who: string, id: number, head: string) => {
  const answer = await http.inject({
    url: `/api/arco/stations/${id}/chain-head?head=${encodeURIComponent(head)}`,
    headers: { authorization: `Bearer ${tokens[who]}` },
  });
  return { status: answer.statusCode, ...answer.json<{ data: object }>().data };
};
const headOf = async (station: number, seq: number): Promise<string> =>
  (
    await app.db.tx(scope, (work) =>
      sql<{ hash: string }>`select encode(hash, 'hex') as hash from ledger_chain
        where station_id = ${station} and seq = ${seq}`.execute(work.tx),
    )
  ).rows[0]!.hash;

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  http = await createApi(app, { checkOutput: true });
  const top = await addStation(app.db);
  near = await addStation(app.db, { parent_id: top });
  other = await addStation(app.db);
  await login('admin', 'admin', null);
  await login('partner', 'partner', top);
  await login('station', 'station', near);
  await login('clerk', 'user', near);
  const { fill } = openMoney(app);
  for (const amount of [100, 200, 300]) await fill(near, amount);
  await fill(other, 50);
});
afterAll(async () => {
  await owner.close();
  await http.close();
  await app.close();
});

it('a hash-chain head is found in a station’s chain by the printed line, by its digits or by the first 16 digits', async () => {
  const hash = await headOf(near, 2);
  const found = { status: 200, found: 1, holds: 1, seq: 2, at: expect.any(String), newest: 3 };
  for (const who of ['admin', 'partner', 'station'])
    for (const head of [
      `哈希链头 第 2 条  ${hash}`,
      `Hash chain head no. 2  ${hash}`,
      hash.toUpperCase(),
      hash.slice(0, 16),
    ])
      expect(await ask(who, near, head)).toEqual(found);
  expect(await proveHead(app, hash)).toEqual({
    code: 0,
    text: expect.stringMatching(new RegExp(`^Link 2 of the chain of station ${near} `)),
  });
});

it('a hash-chain head is not found with another station, entry number or digit, and returns 404 outside the user’s scope', async () => {
  const [mine, theirs] = [await headOf(near, 2), await headOf(other, 1)];
  const missing = { status: 200, found: 0, holds: 0, seq: null, at: null, newest: 3 };
  expect(await ask('station', near, theirs)).toEqual(missing);
  expect(await ask('station', near, `第 3 条 ${mine}`)).toEqual(missing);
  expect(
    await ask('station', near, `${mine.slice(0, 63)}${mine.endsWith('0') ? '1' : '0'}`),
  ).toEqual(missing);
  for (const who of ['station', 'partner'])
    expect((await ask(who, other, theirs)).status).toBe(404);
  expect((await ask('clerk', near, mine)).status).toBe(403);
  for (const head of ['', '12', mine.slice(0, 15), `${mine}0`, 'g'.repeat(64)])
    expect((await ask('station', near, head)).status).toBe(422);
});

it('a hash-chain head is not found if the whole hash chain was rewritten; if only one ledger entry was changed, it is found but invalid', async () => {
  const hash = await headOf(near, 3);
  const forge = (run: Parameters<Db['tx']>[1]) =>
    owner.tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await run(work);
    });
  await forge((work) =>
    sql`update ledger_entries set amount = amount + 1
    where station_id = ${near} and seq = 3`.execute(work.tx),
  );
  expect(await ask('station', near, hash)).toMatchObject({ found: 1, holds: 0, seq: 3 });
  expect((await proveHead(app, hash)).code).toBe(1);
  await forge((work) =>
    sql`update ledger_entries set amount = amount - 1
    where station_id = ${near} and seq = 3`.execute(work.tx),
  );
  await forge(async (work) => {
    await rewriteTopUp(work, near, 1_000, 'first');
    await rehash(work, { checkpoints: true });
  });
  expect(await ask('station', near, hash)).toMatchObject({ found: 0, newest: 3 });
  expect(await proveHead(app, hash)).toEqual({
    code: 1,
    text: expect.stringMatching(/^No chain has this head/),
  });
  expect(await proveHead(app, 'abc')).toEqual({
    code: 1,
    text: 'A head has 16 to 64 hexadecimal digits.',
  });
});
