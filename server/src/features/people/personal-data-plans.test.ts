import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { watchPlans } from '#testing/plans.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { find } from './personal-data.ts';

const scope = systemScope('test');
let app: TestApp;
let plans: ReturnType<typeof watchPlans>;
let owner: ReturnType<typeof openOwner>;
let actor: Actor;
let [station_id, user_id] = [0, 0];

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
  station_id = await addStation(app.db);
  user_id = await addAccount(app.db, 'user', station_id);
  actor = {
    account_id: await addAccount(app.db, 'super', null),
    username: 'super',
    nickname: '',
    role: 'super',
    station_id: null,
    stations: [],
    token_hash: Buffer.alloc(0),
    may_export: 1,
  } as unknown as Actor;
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** Adds parcels and contacts, each with its own phone. */
const grow = async (from: number, to: number): Promise<void> => {
  await owner.tx(scope, async (work) => {
    await sql`insert into expresses (station_id, user_id, order_id, receive_name, receive_phone,
        state_code) select ${station_id}, ${user_id}, 'O' || n, '张三',
        '139' || lpad(n::text, 8, '0'), 100
      from generate_series(${from + 1}::int, ${to}::int) n`.execute(work.tx);
    await sql`insert into contacts (station_id, kind, name, phone, province, city, county, address)
      select ${station_id}, 'receive', '张三', '139' || lpad(n::text, 8, '0'), '', '', '', ''
      from generate_series(${from + 1}::int, ${to}::int) n`.execute(work.tx);
  });
  await owner.pool.query('vacuum analyze expresses, express_keys, contacts');
};

const readRows = async (): Promise<number> => {
  const found = await plans.readBy(async () => {
    const { names } = await find(app, actor, { phone: '13900000007', reason: '本人申请查阅' }, {
      address: '',
      request_id: '',
    } as Parameters<typeof find>[3]);
    expect(names).toMatchObject([{ name: '张三', received: 1, contacts: 1 }]);
  });
  return found.reduce((sum, plan) => sum + plan.rows, 0);
};

it('a search for a person’s data reads no more rows among 8,000 parcels and contacts than among 2,000', async () => {
  await grow(0, 2_000);
  const few = await readRows();
  await grow(2_000, 8_000);
  const many = await readRows();
  expect(many, `${few} rows of 2,000, ${many} of 8,000`).toBeLessThan(few + 20);
});
