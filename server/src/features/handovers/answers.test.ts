import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Handover, HandoverScan } from '@waystation/contract/parcels/handover.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
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

const othersOf = async (token: string, { id }: Handover): Promise<HandoverScan[]> =>
  (
    await system.call<{ items: HandoverScan[] }>(
      token,
      'GET',
      `${handoverBase}/${id}/scans?part=others`,
    )
  ).data.items;
const hidden = {
  result: 'unknown',
  express_id: null,
  delivery_id: null,
  package_no: null,
  package_count: null,
  given: 0,
  detail: {},
};

describe('responses to scans into a hand-over', () => {
  it('a scan repeated after its hand-over was closed returns the same response', async () => {
    const visit = await client.open(tokens.station);
    const one = { scan_id: randomUUID(), number: (await client.ordered()).delivery_id };
    const first = await client.send(tokens.station, visit, [one]);
    await client.act(tokens.station, visit, 'close', { packages: 1 });
    expect(await client.send(tokens.station, visit, [one])).toMatchObject({
      status: 200,
      data: first.data,
    });
  });

  it('if a partner scans another station’s parcel into a station’s hand-over, that hand-over’s station sees only an unknown number', async () => {
    const office = await parcelClient(system, 'super');
    const keji = await client.ordered({ station_id: system.station('keji').id }, office);
    const visit = await client.open(tokens.partner, { station_id: system.station('nanshan').id });
    const one = { scan_id: randomUUID(), number: keji.delivery_id };
    const seen = { result: 'other_station', delivery_id: keji.delivery_id, express_id: keji.id };
    expect((await client.send(tokens.partner, visit, [one])).data.answers).toMatchObject([seen]);
    expect(await othersOf(tokens.partner, visit)).toMatchObject([seen]);
    const told = { ...hidden, number: keji.delivery_id };
    expect(await othersOf(tokens.station, visit)).toMatchObject([{ ...told, state_code: null }]);
    expect((await client.send(tokens.station, visit, [one])).data.answers).toMatchObject([told]);
  });

  it('if the station scans a colleague’s parcel into a clerk’s hand-over, the clerk sees only an unknown number', async () => {
    const manager = await parcelClient(system, 'station');
    const colleague = await client.ordered({}, manager);
    const visit = await client.open(tokens.clerk);
    const answer = await client.scan(tokens.station, visit, colleague.delivery_id!);
    expect(answer).toMatchObject({ result: 'other_user', delivery_id: colleague.delivery_id });
    expect(await othersOf(tokens.clerk, visit)).toMatchObject([hidden]);
  });
});

describe('a parcel that is cancelled after its scan', () => {
  it('if a scanned parcel is cancelled later, its package is counted as cancelled, and closing the hand-over requires a confirmation', async () => {
    const visit = await client.open(tokens.station);
    const [stays, cancelled] = [await client.ordered(), await client.ordered()];
    for (const { delivery_id } of [stays, cancelled])
      await client.scan(tokens.station, visit, delivery_id!);
    expect(await client.summaryOf(tokens.station, visit)).toMatchObject({ cancelled_packages: 0 });
    await rowsOf(
      system,
      sql`update expresses set cancel_requested_at = now() where id = ${cancelled.id}`,
    );
    expect(await client.scan(tokens.station, visit, cancelled.delivery_id!)).toMatchObject({
      result: 'cancelling',
    });
    expect(await client.summaryOf(tokens.station, visit)).toMatchObject({ cancelled_packages: 1 });
    const close = (more: object) =>
      client.act(tokens.station, visit, 'close', { packages: 2, ...more });
    expect(await close({})).toMatchObject({
      status: 409,
      data: { code: 'handover_cancelled' },
    });
    expect(await close({ with_cancelled: 1 })).toMatchObject({
      status: 200,
      data: { status: 'closed', packages: 2 },
    });
  });
});

describe('the texts of a closed hand-over', () => {
  it('only the database owner can erase the courier’s name and note of a closed hand-over, and the audit log never contains them', async () => {
    const visit = await client.open(tokens.station);
    await client.scan(tokens.station, visit, (await client.ordered()).delivery_id!);
    await client.act(tokens.station, visit, 'close', {
      packages: 1,
      courier_name: '李师傅',
      note: '两袋',
    });
    await expect(
      system.app.db.tx(systemScope('test'), async (work) => {
        await sql`select set_config('waystation.erasing', 'on', true)`.execute(work.tx);
        await sql`update handovers set courier_name = '' where id = ${visit.id}`.execute(work.tx);
      }),
    ).rejects.toMatchObject({ constraint: 'append_only' });
    const rows = await rowsOf(
      system,
      sql<{ changes: object }>`select changes from audit_log where action = 'close_handover'
        and subject_id = ${visit.id}`,
    );
    expect(rows).toEqual([{ changes: { packages: [null, 1], missing: [null, 0] } }]);
  });
});
