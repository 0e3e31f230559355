import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  mostHandoverPackages,
  mostHandoverScans,
  mostHandoverScansInMinute,
  mostOpenHandovers,
} from '@waystation/contract/base/limits.ts';
import type { Handover } from '@waystation/contract/parcels/handover.ts';
import { sql } from '#platform/db/db.ts';
import { handoverBase, openHandoverClient } from '#testing/handover-client.ts';
import type { HandoverClient } from '#testing/handover-client.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let client: HandoverClient;
let system: TestSystem;
let tokens: HandoverClient['tokens'];

beforeAll(async () => {
  client = await openHandoverClient();
  ({ system, tokens } = client);
});
afterAll(async () => {
  await system.close();
});
beforeEach(() => client.clear());
const ordered: HandoverClient['ordered'] = (...given) => client.ordered(...given);
const open: HandoverClient['open'] = (...given) => client.open(...given);
const send: HandoverClient['send'] = (...given) => client.send(...given);
const scan: HandoverClient['scan'] = (...given) => client.scan(...given);
const act: HandoverClient['act'] = (...given) => client.act(...given);
const summaryOf: HandoverClient['summaryOf'] = (...given) => client.summaryOf(...given);

describe('the scope of hand-overs', () => {
  it('a clerk’s hand-over expects only the clerk’s parcels; a colleague’s scanned parcel is unknown to the clerk and shown as another user’s to a manager', async () => {
    const manager = await parcelClient(system, 'station');
    const [own, colleague] = [await ordered(), await ordered({}, manager)];
    const visit = await open(tokens.clerk);
    expect(visit.own).toBe(1);
    expect(await summaryOf(tokens.clerk, visit)).toMatchObject({ expected: 1 });
    expect(await scan(tokens.clerk, visit, colleague.delivery_id!)).toMatchObject({
      result: 'unknown',
    });
    expect(await scan(tokens.station, visit, colleague.delivery_id!)).toMatchObject({
      result: 'other_user',
    });
    expect(await scan(tokens.clerk, visit, own.delivery_id!)).toMatchObject({ result: 'given' });
    const station = await open(tokens.station);
    expect(await summaryOf(tokens.station, station)).toMatchObject({ expected: 1 });
    const listed = async (token: string): Promise<number[]> =>
      (
        await system.call<{ items: Handover[] }>(token, 'GET', `${handoverBase}?page_size=200`)
      ).data.items.map(({ id }) => id);
    expect(await listed(tokens.clerk)).not.toContain(station.id);
    expect(await listed(tokens.station)).toEqual(expect.arrayContaining([station.id, visit.id]));
  });

  it('the list of hand-overs can be filtered by waybill, carrier, user and day', async () => {
    const parcel = await ordered();
    const visit = await open(tokens.station);
    await scan(tokens.station, visit, parcel.delivery_id!);
    const found = async (query: string): Promise<number[]> =>
      (
        await system.call<{ items: Handover[] }>(tokens.super, 'GET', `${handoverBase}?${query}`)
      ).data.items.map(({ id }) => id);
    const day = visit.opened_at.slice(0, 10);
    expect(await found(`q=${parcel.delivery_id}-1-1-`)).toEqual([visit.id]);
    expect(await found(`user_id=${visit.user_id}&status=open&opened_from=${day}`)).toEqual([
      visit.id,
    ]);
    expect(await found(`provider=sf&opened_from=${day}&status=open`)).toEqual([]);
    expect((await system.call(tokens.super, 'GET', `${handoverBase}?provider=sf`)).status).toBe(
      422,
    );
  });
});

describe('the limits of hand-overs', () => {
  it('a station can have at most twenty open hand-overs per carrier, and a user who opens another one gets the one that is already open', async () => {
    const first = await open(tokens.station);
    expect((await open(tokens.station)).id).toBe(first.id);
    expect((await open(tokens.station, { provider: 'sf' })).id).not.toBe(first.id);
    const fill = (from: number, to: number) =>
      rowsOf(
        system,
        sql`with people as (insert into accounts (username, password_hash, role, station_id)
            select 'handover-' || n, '', 'user', ${first.station_id}
            from generate_series(${from}::int, ${to}::int) n returning id)
          insert into handovers (station_id, provider, user_id, opened_at)
            select ${first.station_id}, 'jdl', id, now() from people`,
      );
    await fill(3, mostOpenHandovers);
    const last = await system.call<Handover>(tokens.clerk, 'POST', handoverBase, {
      provider: 'jdl',
    });
    expect(last.status).toBe(200);
    const refused = await system.call(tokens.super, 'POST', handoverBase, {
      provider: 'jdl',
      station_id: first.station_id,
    });
    expect(refused).toMatchObject({ status: 422, data: { code: 'handover_too_many' } });
  });

  const filled = async (count: number, result: string, ago: string): Promise<Handover> => {
    const visit = await open(tokens.station);
    const parcel = await ordered();
    await rowsOf(
      system,
      sql`insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at,
        number, result, express_id, delivery_id, package_no, package_count)
        select ${visit.id}, ${visit.station_id}, ${visit.user_id}, gen_random_uuid(),
          ${visit.user_id}, now() - ${ago}::interval, 'X', ${result}, ${parcel.id},
          ${parcel.delivery_id}, n, 30000 from generate_series(2, ${count}::int) n`,
    );
    return visit;
  };

  it('if scans exceed a hand-over’s package limit, only the scans that still fit are accepted, and the next request is refused', async () => {
    const visit = await filled(mostHandoverPackages, 'given', '1 hour');
    const [last, beyond] = [await ordered(), await ordered()];
    const scans = [last, beyond].map(({ delivery_id }) => ({
      scan_id: randomUUID(),
      number: delivery_id,
    }));
    const both = await send(tokens.station, visit, scans);
    expect(both.data).toMatchObject({
      answers: [{ result: 'given' }],
      packages: mostHandoverPackages,
    });
    expect(await send(tokens.station, visit, scans.slice(1))).toMatchObject({
      status: 422,
      data: { code: 'handover_full' },
    });
    const close = await act(tokens.station, visit, 'close', { packages: mostHandoverPackages });
    expect(close.status).toBe(200);
    const file = await system.call(
      tokens.station,
      'GET',
      `${handoverBase}/${visit.id}/file?origin=http%3A%2F%2Fx`,
    );
    expect(file.status).toBe(200);
  });

  it('a hand-over accepts scans until the limit of scans is reached, and then refuses the next scan', async () => {
    const visit = await filled(mostHandoverScans, 'unknown', '1 hour');
    expect(await scan(tokens.station, visit, 'X')).toMatchObject({ result: 'unknown' });
    expect(
      await send(tokens.station, visit, [{ scan_id: randomUUID(), number: 'X' }]),
    ).toMatchObject({ status: 422, data: { code: 'handover_full' } });
  });

  it('a hand-over accepts a limited number of scans a minute, and refuses the next scan with a time to retry', async () => {
    const visit = await filled(mostHandoverScansInMinute, 'unknown', '1 second');
    const [one, next] = [
      { scan_id: randomUUID(), number: 'X' },
      { scan_id: randomUUID(), number: 'X' },
    ];
    expect((await send(tokens.station, visit, [one, next])).data.answers).toHaveLength(1);
    const refused = await send(tokens.station, visit, [next]);
    expect(refused).toMatchObject({ status: 429, data: { code: 'handover_scans_fast' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
