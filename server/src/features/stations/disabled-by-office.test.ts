import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '@waystation/contract/network/station.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

let made = 0;
const add = async (parent_id: number): Promise<Station> =>
  (
    await api.call<Station>(tokens.super, 'POST', '/api/arco/stations', {
      name: `停用站 ${++made}`,
      parent_id,
    })
  ).data;
const switched = (who: 'admin' | 'partner', { id }: Station, status: 0 | 1, more: object = {}) =>
  api.call<Station & Refused>(tokens[who], 'POST', `/api/arco/stations/${id}/status`, {
    status,
    reason: '欠款',
    ...more,
  });
const statusOf = async ({ id }: Station) =>
  (await api.call<Station>(tokens.super, 'GET', `/api/arco/stations/${id}`)).data.status;

it('a station disabled by an administrator can be enabled only by administrators, also together with the station above it', async () => {
  const station = await add(api.station('south').id);
  const child = await add(station.id);
  await switched('partner', station, 0, { with_children: 1 });
  expect((await switched('admin', station, 0, { with_children: 1 })).status).toBe(200);
  expect(await switched('partner', station, 1)).toMatchObject({
    status: 403,
    data: { code: 'disabled_by_office', params: { name: station.name } },
  });
  expect((await switched('partner', child, 1)).data.code).toBe('disabled_by_office');
  await switched('admin', station, 1);
  expect((await switched('partner', station, 1, { with_children: 1 })).data.code).toBe(
    'disabled_by_office',
  );
  expect((await switched('admin', station, 1, { with_children: 1 })).status).toBe(200);
  expect([await statusOf(station), await statusOf(child)]).toEqual([1, 1]);
});

it('a partner cannot undo an administrator’s disabling of a station', async () => {
  const station = await add(api.station('south').id);
  await switched('admin', station, 0);
  const [entry] = await api.rows(
    sql<{ id: number }>`select id from audit_log where subject = 'stations'
      and subject_id = ${station.id} and action = 'disable'`,
  );
  const answer = await api.call<Refused>(
    tokens.partner,
    'POST',
    `/api/arco/audit/${entry!.id}/undo`,
    {},
  );
  expect(answer.status).toBeGreaterThanOrEqual(403);
  expect(await statusOf(station)).toBe(0);
});
