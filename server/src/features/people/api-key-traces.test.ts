import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let tokens: Record<'super' | 'admin' | 'station' | 'partner', string>;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  const names = ['super', 'admin', 'station', 'partner'] as const;
  const logins = await Promise.all(names.map((name) => system.login(name)));
  tokens = Object.fromEntries(names.map((name, at) => [name, logins[at]])) as typeof tokens;
});
afterAll(() => system.close());

const accountOf = async (username: string): Promise<number> =>
  (
    await rowsOf(system, sql<{ id: number }>`select id from accounts where username = ${username}`)
  )[0]!.id;
let names = 0;
const make = async (token: string, input: object = {}): Promise<{ api_key: ApiKey; key: string }> =>
  (
    await system.call<{ api_key: ApiKey; key: string }>(token, 'POST', '/api/arco/keys', {
      name: `shop ${++names}`,
      password: 'waystation-demo',
      scopes: ['parcels', 'order', 'labels'],
      ...input,
    })
  ).data;
const logOf = async (token: string, id: number): Promise<AuditRow[]> =>
  (
    await system.call<{ items: AuditRow[] }>(
      token,
      'GET',
      `/api/arco/audit?subject=expresses&subject_id=${id}`,
    )
  ).data.items;
const draftBy = async (key: string, station_id?: number): Promise<number> =>
  (
    await system.call<{ id: number }>(
      { token: key, headers: { 'idempotency-key': `traces-of-key-${++names}` } },
      'POST',
      '/api/arco/expresses',
      { draft: 1, receive_name: '张三', ...(station_id !== undefined && { station_id }) },
    )
  ).data.id;

describe('the traces of an API key', () => {
  it('an audit log entry shows the id and the name of the API key that made the change', async () => {
    const { api_key, key } = await make(clerk.token);
    const id = await draftBy(key);
    expect((await logOf(tokens.station, id))[0]).toMatchObject({
      account_name: 'clerk',
      key_id: api_key.id,
      key_name: api_key.name,
    });
    const edited = await clerk.order();
    expect((await logOf(tokens.station, edited.data.id))[0]).toMatchObject({
      key_id: null,
      key_name: '',
    });
  });

  it('a station sees that a change was made with an administrator’s API key, but not the name of the key', async () => {
    const { api_key, key } = await make(tokens.admin);
    const id = await draftBy(key, system.station('nanshan').id);
    expect((await logOf(tokens.station, id))[0]).toMatchObject({
      account_name: 'admin',
      key_id: api_key.id,
      key_name: '',
    });
    expect((await logOf(tokens.super, id))[0]).toMatchObject({ key_name: api_key.name });
  });

  it('a refused call with an API key is recorded with this key, separately from the refused calls of the key’s account', async () => {
    const { api_key, key } = await make(clerk.token, { scopes: ['parcels'] });
    await system.call(key, 'POST', '/api/arco/expresses/quote', {});
    await system.call(clerk.token, 'GET', '/api/arco/expresses/999999999');
    const noted = await rowsOf(
      system,
      sql`select key_id, action from refused_calls order by key_id`,
    );
    expect(noted).toContainEqual({ key_id: api_key.id, action: 'call_forbidden' });
    expect(noted).toContainEqual({ key_id: 0, action: 'row_not_found' });
    await rowsOf(system, sql`update refused_calls set minute = minute - interval '5 minutes'`);
    await runTask(system.app, 'audit_refused_calls', {});
    expect(
      await rowsOf(
        system,
        sql`select key_name from audit_log where action = 'call_forbidden'
          and key_id = ${api_key.id}`,
      ),
    ).toEqual([{ key_name: api_key.name }]);
  });

  it('a print record shows the name of the API key used only to users who may see both the key and its person', async () => {
    const parcel = await clerk.until((await clerk.order()).data.id, 100);
    const own = await make(clerk.token);
    const office = await make(tokens.admin);
    const print = (key: string) =>
      system.call(key, 'POST', '/api/arco/labels', {
        ids: [parcel.id],
        format: '76x130',
        reason: '补打',
      });
    expect([(await print(own.key)).status, (await print(office.key)).status]).toEqual([200, 200]);
    const namesFor = async (token: string) =>
      (
        await system.call<{ items: PrintRecord[] }>(
          token,
          'GET',
          `/api/arco/prints?q=${parcel.delivery_id}`,
        )
      ).data.items.map(({ user_nickname, key_name }) => [user_nickname, key_name]);
    expect(await namesFor(tokens.station)).toEqual([
      [null, null],
      ['示例店员', own.api_key.name],
    ]);
    expect((await namesFor(tokens.super)).map(([, key]) => key)).toEqual([
      office.api_key.name,
      own.api_key.name,
    ]);
  });

  it('a print record still shows that an API key was used after the key has been deleted', async () => {
    const parcel = await clerk.until((await clerk.order()).data.id, 100);
    const { api_key, key } = await make(clerk.token);
    const print = { ids: [parcel.id], format: '76x130', reason: '补打' };
    expect((await system.call(key, 'POST', '/api/arco/labels', print)).status).toBe(200);
    await rowsOf(system, sql`delete from api_keys where id = ${api_key.id}`);
    const path = `/api/arco/prints?q=${parcel.delivery_id}`;
    const { data } = await system.call<{ items: PrintRecord[] }>(tokens.station, 'GET', path);
    expect(data.items[0]).toMatchObject({ key_id: api_key.id, key_name: null });
  });

  it('a user who makes an API key for another account counts as having set up that account; a key for the user’s own account does not', async () => {
    const id = await accountOf('clerk');
    const setups = () =>
      rowsOf(
        system,
        sql`select by_account_id from account_setups where account_id = ${id} and what = 'key'`,
      );
    await make(clerk.token);
    expect(await setups()).toEqual([]);
    await make(tokens.station, { account_id: id });
    expect(await setups()).toEqual([{ by_account_id: await accountOf('station') }]);
  });
});
