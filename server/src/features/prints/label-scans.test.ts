import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostScannedParcels, scannedLength } from '@waystation/contract/base/limits.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type {
  LabelScan,
  UnverifiedLabel,
  VerifyAnswer,
} from '@waystation/contract/parcels/label-scan.ts';
import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let station: string;

beforeAll(async () => {
  system = await openTestSystem();
  for (const key of ['nanshan', 'keji']) await system.topUp(key, 10_000_000);
  clerk = await parcelClient(system);
  station = await system.login('station');
});
afterAll(() => system.close());

const ordered = async (changes: Record<string, unknown> = {}): Promise<Express> =>
  clerk.until((await clerk.order(changes)).data.id, 100);
const scan = async (number: string, token = clerk.token): Promise<LabelScan> =>
  (
    await system.call<LabelScan>(
      token,
      'GET',
      `/api/arco/prints/scans?number=${encodeURIComponent(number)}`,
    )
  ).data;
const print = ({ id }: Express, body: object = {}) =>
  system.call(clerk.token, 'POST', '/api/arco/labels', {
    ids: [id],
    format: '76x130',
    verify: 1,
    ...body,
  });
const waiting = async (token = clerk.token): Promise<UnverifiedLabel[]> =>
  (await system.call<{ items: UnverifiedLabel[] }>(token, 'GET', '/api/arco/prints/unverified'))
    .data.items;
const labelOf = async ({ id }: Express): Promise<UnverifiedLabel> =>
  (await waiting()).find(({ express_id }) => express_id === id)!;
const verify = (id: number, number: string, token = clerk.token) =>
  system.call<VerifyAnswer>(token, 'POST', `/api/arco/prints/${id}/verify`, { number });
const recordOf = async ({ delivery_id }: Express): Promise<PrintRecord> =>
  (await system.call<{ items: PrintRecord[] }>(station, 'GET', `/api/arco/prints?q=${delivery_id}`))
    .data.items[0]!;
const failed = (id: number) =>
  system.call(clerk.token, 'POST', `/api/arco/prints/${id}/result`, { result: 'failed' });
const changed = ({ id }: Express, status: string, changes: object) =>
  rowsOf(
    system,
    sql`insert into express_edits (express_id, station_id, account_id, status, request, changes,
        terms, voucher_id, voucher_no, created_at, settled_at)
      select e.id, e.station_id, e.user_id, ${status}, '', ${JSON.stringify(changes)}::jsonb,
        e.terms, e.voucher_id, e.voucher_no, ${system.clock.now()},
        ${status === 'pending' ? null : system.clock.now()}::timestamptz
      from expresses e where e.id = ${id} returning id`,
  );

describe('a number scanned for printing', () => {
  it('scanning an order number, shop’s order number, waybill or package number finds the parcel, and prints nothing', async () => {
    const parcel = await ordered({ thr_order_id: 'SHOP-ONE-1' });
    for (const number of [
      parcel.order_id,
      'shop-one-1',
      parcel.delivery_id!,
      `${parcel.delivery_id}-1-1-`,
    ])
      expect(await scan(number)).toMatchObject({
        result: 'print',
        parcels: [{ id: parcel.id, result: 'print', print_count: 0 }],
      });
    expect((await clerk.get(parcel.id)).print_count).toBe(0);
  });
  it('a scan of a third-party number that two parcels share returns both', async () => {
    const two = [
      await ordered({ thr_order_id: 'SHOP-TWO-1' }),
      await ordered({ thr_order_id: 'SHOP-TWO-1' }),
    ];
    const { result, parcels } = await scan('SHOP-TWO-1');
    expect(result).toBe('several');
    expect(parcels.map(({ id }) => id).toSorted()).toEqual(two.map(({ id }) => id).toSorted());
  });
  it('a scan of a third-party number shared by more parcels than the limit returns the newest and shows that there are more', async () => {
    const [first] = [await ordered({ thr_order_id: 'SHOP-MANY' })];
    for (let no = 0; no < mostScannedParcels; no++)
      await clerk.order({ thr_order_id: 'SHOP-MANY' });
    const { more, parcels } = await scan('SHOP-MANY');
    expect(more).toBe(1);
    expect(parcels).toHaveLength(mostScannedParcels);
    expect(parcels.some(({ id }) => id === first!.id)).toBe(false);
    expect((await scan('SHOP-TWO-1')).more).toBe(0);
  });
  it('scanning the waybill of another station’s parcel returns the same response as an unknown number', async () => {
    const office = await parcelClient(system, 'super');
    const keji = { station_id: system.station('keji').id };
    const foreign = await office.until((await office.order(keji)).data.id, 100);
    expect(await scan(foreign.delivery_id!, office.token)).toMatchObject({ result: 'print' });
    expect(await scan(foreign.delivery_id!)).toEqual(await scan('NO-SUCH-NUMBER'));
    expect(await scan(foreign.delivery_id!)).toEqual({
      result: 'unknown',
      parcels: [],
      more: 0,
      label: null,
    });
  });
  it('a scan of a printed parcel returns “printed”, and printing the parcel again needs a reason', async () => {
    const parcel = await ordered();
    expect((await print(parcel)).status).toBe(200);
    expect(await scan(parcel.delivery_id!)).toMatchObject({ result: 'printed' });
    expect((await print(parcel)).status).not.toBe(200);
    expect((await print(parcel, { reason: '卡纸' })).status).toBe(200);
    const labels = (await waiting()).filter(({ express_id }) => express_id === parcel.id);
    expect(labels.map(({ print_count }) => print_count)).toEqual([2]);
  });
  it('a scanned number above the length limit is refused', async () => {
    const number = 'x'.repeat(scannedLength + 1);
    const path = `/api/arco/prints/scans?number=${number}`;
    expect((await system.call(clerk.token, 'GET', path)).status).toBe(422);
  });
});

describe('verifying a printed label', () => {
  it('a printed label waits until a number on it is scanned, and any other number leaves it unverified', async () => {
    const parcel = await ordered({ thr_order_id: 'SHOP-THREE' });
    const other = await ordered();
    await print(parcel);
    const label = await labelOf(parcel);
    expect(await recordOf(parcel)).toMatchObject({ to_verify: 1, verified_at: null });
    for (const [number, result] of [
      [other.delivery_id!, 'wrong'],
      ['SHOP-THREE', 'not_label'],
      ['NO-SUCH-NUMBER', 'wrong'],
    ] as const) {
      expect((await verify(label.id, number)).data.result).toBe(result);
      expect(await labelOf(parcel)).toBeDefined();
    }
    expect((await verify(label.id, `${parcel.delivery_id}-1-1-`)).data).toMatchObject({
      result: 'verified',
      verified_packages: [1],
    });
    expect(await labelOf(parcel)).toBeUndefined();
    expect((await recordOf(parcel)).verified_at).not.toBeNull();
  });
  it('scanning a verified label again returns the first result and keeps the first time', async () => {
    const parcel = await ordered();
    await print(parcel);
    const { id } = await labelOf(parcel);
    expect((await verify(id, parcel.delivery_id!)).data.result).toBe('verified');
    const first = (await recordOf(parcel)).verified_at;
    expect((await verify(id, parcel.delivery_id!)).data).toMatchObject({
      result: 'verified',
      verified_packages: [1],
    });
    expect((await recordOf(parcel)).verified_at).toBe(first);
  });
  it('verifying a label reports that a colleague has printed it again meanwhile, unless that later print failed', async () => {
    const parcel = await ordered();
    await print(parcel);
    const label = await labelOf(parcel);
    const copy = await system.call(station, 'POST', '/api/arco/labels', {
      ids: [parcel.id],
      format: '76x130',
      reason: '丢失',
    });
    expect(copy.status).toBe(200);
    expect((await verify(label.id, `${parcel.delivery_id}-1-1-`)).data).toMatchObject({
      result: 'verified',
      later_copies: 1,
    });
    const { id } = await recordOf(parcel);
    await system.call(station, 'POST', `/api/arco/prints/${id}/result`, { result: 'failed' });
    expect((await verify(label.id, `${parcel.delivery_id}-1-1-`)).data).toMatchObject({
      later_copies: 0,
    });
  });

  it('a label waiting for verification is found by a number printed on it, not by the order number, and only by the user who printed it', async () => {
    const parcel = await ordered();
    await print(parcel);
    const { id } = await labelOf(parcel);
    for (const number of [parcel.delivery_id!, `${parcel.delivery_id}-1-1-`])
      expect(await scan(number)).toMatchObject({ result: 'printed', label: { id } });
    expect((await scan(parcel.order_id)).label).toBeNull();
    expect((await scan(parcel.delivery_id!, station)).label).toBeNull();
    await verify(id, parcel.delivery_id!);
    expect((await scan(parcel.delivery_id!)).label).toBeNull();
  });
  it('a label whose print failed can still be found by its package number and verified, but is not listed as waiting', async () => {
    const parcel = await ordered();
    await print(parcel);
    const { id } = await labelOf(parcel);
    await failed(id);
    expect(await labelOf(parcel)).toBeUndefined();
    expect(await scan(parcel.delivery_id!)).toMatchObject({ result: 'failed', label: null });
    expect(await scan(`${parcel.delivery_id}-1-1-`)).toMatchObject({ label: { id } });
    expect((await verify(id, `${parcel.delivery_id}-1-1-`)).data.result).toBe('verified');
  });
  it('if the second print of a label fails, the first print of that label still waits for verification', async () => {
    const parcel = await ordered();
    await print(parcel);
    const first = await labelOf(parcel);
    await print(parcel, { reason: '卡纸' });
    const second = await labelOf(parcel);
    expect(second.id).not.toBe(first.id);
    await failed(second.id);
    expect(await labelOf(parcel)).toEqual(first);
    expect((await scan(parcel.delivery_id!)).label).toEqual(first);
  });
  it.each([
    ['done', { receive_address: '新地址 1 号' }, 'old_label'],
    ['done', { receive_name: '李四' }, 'old_label'],
    ['done', { weight: 2_000 }, 'verified'],
    ['refused', { receive_address: '新地址 1 号' }, 'verified'],
    ['unclear', { package_count: 2 }, 'changing'],
    ['pending', { receive_address: '新地址 1 号' }, 'changing'],
  ] as const)(
    'a label whose parcel has a later change that is %s, of %j, is answered “%s”',
    async (status, changes, result) => {
      const parcel = await ordered();
      await print(parcel);
      const { id } = await labelOf(parcel);
      await changed(parcel, status, changes);
      expect((await verify(id, parcel.delivery_id!)).data.result).toBe(result);
    },
  );
  it('a label printed after its parcel was changed can be verified', async () => {
    const parcel = await ordered();
    await changed(parcel, 'done', { receive_address: '新地址 1 号' });
    await print(parcel);
    const { id } = await labelOf(parcel);
    expect((await verify(id, parcel.delivery_id!)).data.result).toBe('verified');
  });
  it('the label of a parcel whose cancel is requested is not printed', async () => {
    const parcel = await ordered();
    await rowsOf(
      system,
      sql`update expresses set cancel_requested_at = now() where id = ${parcel.id}`,
    );
    expect(await print(parcel)).toMatchObject({
      status: 422,
      data: { code: 'print_cancelling' },
    });
    expect((await clerk.get(parcel.id)).print_count).toBe(0);
    await rowsOf(
      system,
      sql`update expresses set cancel_requested_at = null where id = ${parcel.id}`,
    );
  });
  it('a printed label of a parcel with three packages is verified only after the labels of all three packages were scanned', async () => {
    const parcel = await ordered({ package_count: 3 });
    await print(parcel);
    const { id } = await labelOf(parcel);
    const of = (no: number) => verify(id, `${parcel.delivery_id}-${no}-3-`);
    expect((await verify(id, parcel.delivery_id!)).data.result).toBe('which_package');
    expect((await of(2)).data).toMatchObject({ result: 'package', verified_packages: [2] });
    expect((await of(2)).data.result).toBe('before');
    expect((await verify(id, `${parcel.delivery_id}-1-2-`)).data.result).toBe('old_label');
    await of(1);
    expect(await labelOf(parcel)).toMatchObject({ verified_packages: [1, 2] });
    expect((await of(3)).data).toMatchObject({ result: 'verified', verified_packages: [1, 2, 3] });
  });
  it('two simultaneous scans of different packages of the same print are both counted', async () => {
    const parcel = await ordered({ package_count: 2 });
    await print(parcel);
    const { id } = await labelOf(parcel);
    await Promise.all([1, 2].map((no) => verify(id, `${parcel.delivery_id}-${no}-2-`)));
    expect(await labelOf(parcel)).toBeUndefined();
  });
  it('a printed label is hidden from users who did not print it, and they cannot verify it', async () => {
    const parcel = await ordered();
    await print(parcel);
    const { id } = await labelOf(parcel);
    expect((await verify(id, parcel.delivery_id!, station)).status).toBe(404);
    expect((await waiting(station)).some((label) => label.id === id)).toBe(false);
  });
  it('a label that was printed without a scan does not wait for verification', async () => {
    const parcel = await ordered();
    await print(parcel, { verify: 0 });
    expect(await labelOf(parcel)).toBeUndefined();
    expect(await recordOf(parcel)).toMatchObject({ to_verify: 0, verified_at: null });
  });
  it('verifying the label of a parcel that has been cancelled returns “cancelled”, and the label is no longer listed as waiting', async () => {
    const parcel = await ordered();
    await print(parcel);
    const { id } = await labelOf(parcel);
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    await clerk.until(parcel.id, 500);
    expect((await verify(id, parcel.delivery_id!)).data.result).toBe('cancelled');
    expect(await labelOf(parcel)).toBeUndefined();
  });
  it('a label whose print failed does not wait for verification', async () => {
    const parcel = await ordered();
    await print(parcel);
    const { id } = await labelOf(parcel);
    await failed(id);
    expect(await labelOf(parcel)).toBeUndefined();
  });
});
