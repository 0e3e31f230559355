import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Handover, ParcelHandover } from '@waystation/contract/parcels/handover.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { handoverBase, openHandoverClient } from '#testing/handover-client.ts';
import type { HandoverClient } from '#testing/handover-client.ts';
import { openOwner } from '#testing/money.ts';
import type { TestSystem } from '#testing/test-system.ts';

let client: HandoverClient;
let system: TestSystem;
let tokens: HandoverClient['tokens'];
let owner: Db;
const undone = new Error('undone');

beforeAll(async () => {
  client = await openHandoverClient();
  ({ system, tokens } = client);
  owner = openOwner(system.database);
});
afterAll(async () => {
  await owner.close();
  await system.close();
});
beforeEach(() => client.clear());
const ordered: HandoverClient['ordered'] = (...given) => client.ordered(...given);
const open: HandoverClient['open'] = (...given) => client.open(...given);
const send: HandoverClient['send'] = (...given) => client.send(...given);
const scan: HandoverClient['scan'] = (...given) => client.scan(...given);
const act: HandoverClient['act'] = (...given) => client.act(...given);
const summaryOf: HandoverClient['summaryOf'] = (...given) => client.summaryOf(...given);
const missingOf: HandoverClient['missingOf'] = (...given) => client.missingOf(...given);
const asState: HandoverClient['asState'] = (...given) => client.asState(...given);

describe('a closed hand-over', () => {
  const closed = async (parcels: readonly Express[], body: object = {}): Promise<Handover> => {
    const visit = await open(tokens.station);
    for (const { delivery_id } of parcels) await scan(tokens.station, visit, delivery_id!);
    const answer = await act(tokens.station, visit, 'close', { packages: parcels.length, ...body });
    expect(answer.status, JSON.stringify(answer.data)).toBe(200);
    return answer.data;
  };

  it('a closed hand-over keeps its list and shows the missing packages, which are expected in the next hand-over', async () => {
    const [given, left] = [await ordered(), await ordered()];
    const visit = await closed([given], { courier_name: '李师傅', note: '两袋' });
    expect(visit).toMatchObject({
      status: 'closed',
      packages: 1,
      missing: 1,
      courier_name: '李师傅',
      note: '两袋',
    });
    const named = { delivery_id: left.delivery_id, missing: 1, package_count: 1 };
    expect(await missingOf(tokens.station, visit)).toEqual([{ ...named, express_id: left.id }]);
    const next = await open(tokens.station);
    expect(next.id).not.toBe(visit.id);
    expect(await summaryOf(tokens.station, next)).toMatchObject({ expected: 1, missing: 1 });
    await asState(left, 210);
    expect(await missingOf(tokens.station, visit)).toEqual([{ ...named, express_id: left.id }]);
  });

  it('a closed hand-over refuses scans and changes; closing it again returns the hand-over to the same user and 409 to another user', async () => {
    const parcel = await ordered();
    const visit = await closed([parcel]);
    const late = await send(tokens.station, visit, [{ scan_id: randomUUID(), number: 'X' }]);
    expect([late.status, late.data]).toMatchObject([409, { code: 'handover_ended' }]);
    expect((await act(tokens.station, visit, 'close', { packages: 1 })).data).toEqual(visit);
    expect((await act(tokens.super, visit, 'close', { packages: 1 })).status).toBe(409);
    expect((await act(tokens.station, visit, 'discard')).status).toBe(409);
    for (const change of [
      sql`update handovers set packages = 2 where id = ${visit.id}`,
      sql`update handover_scans set number = 'other' where handover_id = ${visit.id}`,
      sql`delete from handover_scans where handover_id = ${visit.id}`,
      sql`delete from handovers where id = ${visit.id}`,
    ])
      await expect(
        owner.tx(systemScope('test'), (work) => change.execute(work.tx)),
      ).rejects.toMatchObject({ constraint: 'append_only' });
  });

  it('a package that was given in a closed hand-over is refused in the next one, unless the user states that it is given again', async () => {
    const parcel = await ordered();
    const earlier = await closed([parcel]);
    const next = await open(tokens.station);
    expect(await scan(tokens.station, next, parcel.delivery_id!)).toMatchObject({
      result: 'given_earlier',
      detail: { handover_id: earlier.id, again: 1 },
    });
    expect(await scan(tokens.station, next, parcel.delivery_id!, { again: 1 })).toMatchObject({
      result: 'given',
    });
    const other = await open(tokens.super, { station_id: next.station_id });
    expect(await scan(tokens.super, other, parcel.delivery_id!, { again: 1 })).toMatchObject({
      result: 'given_earlier',
      detail: { handover_id: next.id, again: 0 },
    });
  });

  it('a parcel shows every hand-over of its packages, even to its clerk, who may not open the station’s hand-over', async () => {
    const parcel = await ordered({ package_count: 2 });
    const visit = await open(tokens.station);
    for (const no of [2, 1]) await scan(tokens.station, visit, `${parcel.delivery_id}-${no}-2-`);
    await act(tokens.station, visit, 'close', { packages: 2, courier_name: '王五' });
    const of = async (token: string) =>
      (
        await system.call<{ items: ParcelHandover[] }>(
          token,
          'GET',
          `/api/arco/expresses/${parcel.id}/handovers`,
        )
      ).data.items;
    const expected = {
      handover_id: visit.id,
      status: 'closed',
      provider: 'jdl',
      package_nos: [1, 2],
      package_count: 2,
      courier_name: '王五',
    };
    expect(await of(tokens.station)).toMatchObject([{ ...expected, visible: 1 }]);
    expect(await of(tokens.clerk)).toMatchObject([{ ...expected, visible: 0 }]);
    expect((await system.call(tokens.clerk, 'GET', `${handoverBase}/${visit.id}`)).status).toBe(
      404,
    );
  });

  it('closing a hand-over is refused if the number of packages is zero or differs from the number that the user saw', async () => {
    const visit = await open(tokens.station);
    const empty = await act(tokens.station, visit, 'close', { packages: 0 });
    expect(empty).toMatchObject({ status: 409, data: { code: 'handover_empty' } });
    await scan(tokens.station, visit, (await ordered()).delivery_id!);
    const seen = await act(tokens.station, visit, 'close', { packages: 2 });
    expect(seen).toMatchObject({ status: 409, data: { code: 'handover_changed' } });
    const discarded = await act(tokens.station, visit, 'discard');
    expect(discarded).toMatchObject({ status: 409, data: { code: 'handover_not_empty' } });
  });

  it('a closed hand-over is printed in both languages, an open one is not', async () => {
    const visit = await closed([await ordered()]);
    for (const language of ['zh', 'en']) {
      const answer = await system.call<unknown>(
        tokens.station,
        'GET',
        `${handoverBase}/${visit.id}/file?origin=http%3A%2F%2Flocalhost%3A8080&language=${language}`,
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
    }
    const next = await open(tokens.station);
    expect(
      await system.call(
        tokens.station,
        'GET',
        `${handoverBase}/${next.id}/file?origin=http%3A%2F%2Fx`,
      ),
    ).toMatchObject({ status: 409, data: { code: 'handover_not_closed' } });
  });

  it.each([
    ['a package', sql`update handover_scans set delivery_id = 'JDVE00000000000'`],
    ['the time of a package', sql`update handover_scans set at = at + interval '1 day'`],
    ['a package removed', sql`delete from handover_scans`],
    ['the courier', sql`update handovers set courier_name = 'X'`],
    ['the number of missing packages', sql`update handovers set missing = 0`],
    ['the record', sql`delete from source_hashes where kind = 'handover'`],
    ['everything removed', sql`delete from handovers`],
  ])(
    'the ledger check of source records reports a closed hand-over with %s altered in the database',
    async (_, change) => {
      const [given] = [await ordered(), await ordered()];
      const { id } = await closed([given], { courier_name: '李师傅' });
      const found = async (tampering: RawBuilder<unknown> | null): Promise<string[]> => {
        let subjects: string[] = [];
        await owner
          .tx(systemScope('test'), async (work) => {
            await sql`set local session_replication_role = replica`.execute(work.tx);
            const { rows } = await sql<{ id: number }>`select id from source_hashes
            where kind = 'handover'`.execute(work.tx);
            await tampering?.execute(work.tx);
            const proof = await sql<{ subject: string }>`
            select subject from source_record_proof(${rows.map((row) => row.id)}::bigint[])
            union all select subject from source_row_gaps('-infinity')`.execute(work.tx);
            subjects = proof.rows.map(({ subject }) => subject);
            throw undone;
          })
          .catch((error: unknown) => {
            if (error !== undone) throw error;
          });
        return subjects;
      };
      expect(await found(null)).not.toContain(`handover ${id}`);
      expect(await found(change)).toContain(`handover ${id}`);
    },
  );
});
