import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeDecision } from '@waystation/contract/parcels/express-exceptions.ts';
import { settings } from '@waystation/contract/shell/settings.ts';
import type { SettingName } from '@waystation/contract/shell/settings.ts';
import type { ActualFee, Answered, CarrierFee, Measured } from '#domain/carriers/carriers.ts';
import { prove } from '#domain/ledger/ledger.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { act, addStation, all, openWorld, settleWorld } from '#testing/histories/world.ts';
import type { World } from '#testing/histories/world.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { askFacts } from './ask-facts.ts';
import { decideCharge } from './decide-charge.ts';
import { handleException } from './exceptions.ts';
import { takeBillFacts } from './held-charges.ts';
import { lockExpress } from './row.ts';

let app: TestApp;
let world: World;
let station: number;
beforeAll(async () => {
  app = await createTestApp();
  world = await openWorld(app);
  await set('charge_weight_over', settings.charge_weight_over.default);
  await set('charge_least_amount', settings.charge_least_amount.default);
  const terms = {
    parent: null,
    frozen: 0,
    reserve: 0,
    discount: 8_500,
    northeast: null,
    way: 1,
    earns: false,
    profit: 0,
    fixed: 0,
  } as const;
  station = await addStation(world, { ...terms, checked: true, money: 1_000_000 });
});
afterAll(() => app.close());

const set = (name: SettingName, value: string | number) =>
  app.db.tx(all, (work) =>
    sql`insert into settings (name, value) values (${name}, ${jsonText(value)}::jsonb)
      on conflict (name) do update set value = excluded.value`.execute(work.tx),
  );
const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(all, (work) => query.execute(work.tx))).rows;
const lines = async (parcel: number): Promise<string[]> =>
  (
    await rows(sql<{ line: string }>`select format('%s %s', type, amount) as line
    from statements where express_id = ${parcel} order by seq`)
  ).map(({ line }) => line);
const shown = async (parcel: number) =>
  (
    await rows(
      sql<{
        held_status: string | null;
        exception: string | null;
        jd_weight: number | null;
        jd_amount: number | null;
        charged: boolean;
      }>`
        select held_status, exception, jd_weight, jd_amount, charged_at is not null as charged
          from expresses where id = ${parcel}`,
    )
  )[0]!;
const facts = (parcel: number) =>
  rows(sql<{ no: number; source: string }>`select no, source
  from express_facts where express_id = ${parcel} order by no`);
const alerts = (parcel: number) =>
  rows(sql<{ code: string }>`select code from alerts
  where express_id = ${parcel} and closed_at is null`);
const doubts = async (parcel: number): Promise<string[]> =>
  (
    await rows(sql<{ code: string }>`select d ->> 'code' as code from expresses e
      join express_facts f on f.express_id = e.id and f.no = e.held_no,
      jsonb_array_elements(f.facts -> 'held' -> 'doubts') d where e.id = ${parcel}`)
  ).map(({ code }) => code);

/** A parcel of 4.3 kg with a price of 18.00 yuan, picked up ten minutes ago. */
const pickedUp = async (
  effects: readonly ('picked_up' | 'signed')[] = ['picked_up'],
): Promise<number> => {
  const known = {
    to: 'shanghai' as const,
    weight: 4_300,
    re_weight: null,
    jd_weight: null,
    jd_volume: null,
    length: 0,
    width: 0,
    height: 0,
    pieces: 1,
  };
  const { id } = await act(world, {
    op: 'order',
    station,
    known: { ...known, value: 0, surcharges: {} },
    promise: 'ed-m-0001',
    answers: [],
  });
  await settleWorld(world, []);
  const reports = effects.map((effect, n) => ({
    key: effect,
    at: app.clock.now().getTime() - (10 - n) * 60_000,
    effect,
    back: null,
  }));
  await act(world, { op: 'tell', parcel: id, reports });
  return id;
};

const call = {
  operation: 'scripted',
  trace_id: '',
  http_status: 200,
  ms: 0,
  request: null,
  answer: null,
};
const silent = { outcome: 'unknown' as const, reason: { code: 'carrier_silent' }, call };
const fee = (
  code: string,
  amount: number,
  service: CarrierFee['service'] = 'packaging',
): CarrierFee => ({
  code,
  name: code,
  kind: service === 'carriage' ? 'freight' : service === 'insurance' ? 'insurance' : 'surcharge',
  service,
  amount,
});
const carriage = fee('QIPSF', 900, 'carriage');

interface Told {
  weight?: number;
  volume?: number;
  fees?: readonly CarrierFee[];
  total?: number;
  unreadable?: string[];
  /** The calls that the carrier does not answer. */
  silent?: ('details' | 'fee')[];
}

/** Requests weight and fee; the carrier answers with these values. */
const asks = async (
  parcel: number,
  { weight, volume, fees = [carriage], total, unreadable = [], silent: without = [] }: Told,
): Promise<void> => {
  const measured: Answered<Measured> = {
    outcome: 'ok',
    value: {
      jd_weight: weight ?? null,
      jd_volume: volume ?? null,
      package_count: null,
      order_id: '',
      unreadable: [],
    },
    call,
  };
  const jd_amount = total ?? fees.reduce((sum, { amount }) => sum + amount, 0);
  const actual: Answered<ActualFee> = {
    outcome: 'ok',
    value: { jd_amount, estimate_amount: null, jd_cal_weight: null, fees: [...fees], unreadable },
    call,
  };
  const carrier = {
    ...world.desk.carrierOf('jdl'),
    details: async () => (without.includes('details') ? silent : measured),
    actualFee: async () => (without.includes('fee') ? silent : actual),
  };
  await askFacts({ ...world.desk, carrierOf: () => carrier }, { express_id: parcel });
};
const decides = (parcel: number, decision: ChargeDecision, no?: number) =>
  app.db.tx(all, async (work) => {
    const express = await lockExpress(work, parcel);
    await decideCharge(work, express, {
      no: no ?? express.held_no ?? 0,
      decision,
      reason: 'test',
      by: world.clerk,
      at: app.clock.now(),
    });
  });

const held = {
  held_status: 'open',
  exception: 'charge',
  jd_weight: null,
  jd_amount: null,
  charged: false,
};

describe('a charge of the carrier beyond the limits', () => {
  it.each<[string, Told, string[]]>([
    ['49 kg for 4.3 declared', { weight: 49_000 }, ['charge_weight', 'charge_price']],
    [
      'a surcharge of 99,999,999,999.00',
      { weight: 4_300, fees: [carriage, fee('QLHCF', 9_999_999_999_900)] },
      ['charge_surcharge'],
    ],
    [
      'a surcharge beyond what a number holds',
      {
        weight: 4_300,
        fees: [
          carriage,
          fee('QLHCF', Number.MAX_SAFE_INTEGER),
          fee('BZF', Number.MAX_SAFE_INTEGER),
        ],
      },
      ['charge_surcharge'],
    ],
    [
      'a fee of a hundred times the price',
      { weight: 4_300, fees: [fee('QIPSF', 180_000, 'carriage')] },
      ['charge_cost'],
    ],
    ['a total that its fees do not add up to', { weight: 4_300, total: 180_000 }, ['charge_cost']],
    [
      'an unknown fee code',
      { weight: 4_300, fees: [carriage, fee('XX', 1, 'unknown')] },
      ['charge_fee_unknown'],
    ],
    [
      'cash on delivery that was not ordered',
      { weight: 4_300, fees: [carriage, fee('QLDS', 200, 'cash_on_delivery')] },
      ['charge_service'],
    ],
    [
      'insurance that was not ordered',
      { weight: 4_300, fees: [carriage, fee('QLBJ', 50, 'insurance')] },
      ['charge_service'],
    ],
    [
      'a row that cannot be read',
      { weight: 4_300, unreadable: ['QLHCF -5'] },
      ['charge_unreadable'],
    ],
    ['a giant volume', { weight: 4_300, volume: 999_999_999_999_999 }, ['charge_volume']],
    ['a weight beyond the column', { weight: 3_000_000_000_000 }, ['charge_weight']],
  ])(
    'a charge of %s posts nothing and is an exception of the parcel',
    async (_, told, expected) => {
      const parcel = await pickedUp();
      await asks(parcel, told);
      expect(await shown(parcel)).toEqual(held);
      expect(await doubts(parcel)).toEqual(expect.arrayContaining(expected));
      expect(await lines(parcel)).toEqual(['hold 0']);
      expect(await alerts(parcel)).toEqual([{ code: 'charge_doubtful' }]);
      // A repeated report changes nothing, even if the carrier leaves a part of it unanswered.
      for (const without of [[], ['details'], ['fee'], ['details', 'fee']] as const)
        await asks(parcel, { ...told, silent: [...without] });
      expect(await facts(parcel)).toEqual([
        { no: 0, source: 'order' },
        { no: 1, source: 'held' },
      ]);
    },
  );

  it('a later charge within the limits is posted immediately, and ends the exception of an earlier held charge', async () => {
    const parcel = await pickedUp();
    await asks(parcel, { weight: 49_000 });
    await asks(parcel, { weight: 5_200, fees: [carriage, fee('QLHCF', 300)] });
    expect(await shown(parcel)).toEqual({
      held_status: null,
      exception: null,
      jd_weight: 5_200,
      jd_amount: 1_200,
      charged: true,
    });
    expect(await alerts(parcel)).toEqual([]);
    expect(await lines(parcel)).toEqual(['hold 0', 'charge -2170']);
  });

  it('a held charge leaves the earlier posted charges unchanged; its weight is compared with the declared weight, not with the last charged one', async () => {
    const parcel = await pickedUp();
    for (const weight of [5_200, 9_000, 14_000]) await asks(parcel, { weight });
    const before = await lines(parcel);
    expect(before).toHaveLength(4);
    await asks(parcel, { weight: 14_400 });
    expect(await shown(parcel)).toMatchObject({ held_status: 'open', jd_weight: 14_000 });
    expect(await lines(parcel)).toEqual(before);
  });

  it('a parcel with a held charge is not charged by the estimate while the charge waits, and cannot be marked as handled', async () => {
    const parcel = await pickedUp(['picked_up', 'signed']);
    await asks(parcel, { weight: 49_000 });
    expect(await shown(parcel)).toEqual(held);
    const handle = app.db.tx(all, async (work) =>
      handleException(work, await lockExpress(work, parcel), {
        note: 'x',
        by: world.clerk,
        at: app.clock.now(),
      }),
    );
    await expect(handle).rejects.toMatchObject({ code: 'charge_undecided' });
    await act(world, {
      op: 'tell',
      parcel,
      reports: [{ key: 'rejected', at: app.clock.now().getTime(), effect: 'rejected', back: null }],
    });
    expect(await shown(parcel)).toEqual(held);
  });

  it('a held charge that changes with every report stores at most twenty facts', async () => {
    const parcel = await pickedUp();
    for (let n = 0; n < 25; n++) await asks(parcel, { weight: 49_000 + n });
    expect((await facts(parcel)).filter(({ source }) => source === 'held')).toHaveLength(20);
  });

  it('a charge is no longer held for its fee code after an administrator adds the code to the known codes; a charge held before is then posted', async () => {
    const waiting = await pickedUp();
    await asks(waiting, { weight: 4_300, fees: [carriage, fee('XX', 100, 'unknown')] });
    expect(await shown(waiting)).toEqual(held);
    await set('known_fee_codes', 'AA\nxx, BB');
    const parcel = await pickedUp();
    await asks(parcel, { weight: 4_300, fees: [carriage, fee('XX', 100, 'unknown')] });
    expect(await lines(parcel)).toEqual(['hold 0', 'charge -1800']);
    await asks(waiting, { weight: 4_300, fees: [carriage, fee('XX', 100, 'unknown')] });
    expect(await lines(waiting)).toEqual(['hold 0', 'charge -1800']);
    expect(await shown(waiting)).toMatchObject({ held_status: null, exception: null });
    await set('known_fee_codes', '');
  });
});

describe('an administrator’s decision about a held charge', () => {
  it('an accepted charge is posted once and stored with the source “accepted”; later equal reports change nothing', async () => {
    const parcel = await pickedUp();
    await asks(parcel, { weight: 30_000, fees: [carriage, fee('XX', 300, 'unknown')] });
    await decides(parcel, 'accept');
    expect(await shown(parcel)).toEqual({
      held_status: null,
      exception: null,
      jd_weight: 30_000,
      jd_amount: 1_200,
      charged: true,
    });
    const posted = await lines(parcel);
    expect(posted).toHaveLength(2);
    expect(await facts(parcel)).toEqual([
      { no: 0, source: 'order' },
      { no: 1, source: 'held' },
      { no: 2, source: 'accepted' },
    ]);
    expect(await alerts(parcel)).toEqual([]);
    await expect(decides(parcel, 'accept', 1)).rejects.toMatchObject({ code: 'charge_decided' });
    await asks(parcel, { weight: 30_000, fees: [carriage, fee('XX', 300, 'unknown')] });
    expect(await lines(parcel)).toEqual(posted);
    expect(await shown(parcel)).toMatchObject({ held_status: null });
  });

  it('a disputed charge posts nothing; the delivered parcel is charged the estimate, and only a different report is held again', async () => {
    const parcel = await pickedUp(['picked_up', 'signed']);
    await asks(parcel, { weight: 49_000 });
    await decides(parcel, 'dispute');
    expect(await shown(parcel)).toMatchObject({
      held_status: 'disputed',
      exception: null,
      charged: false,
    });
    await asks(parcel, { weight: 49_000 });
    expect(await lines(parcel)).toEqual(['hold 0', 'charge -1700']);
    await expect(decides(parcel, 'dispute')).rejects.toMatchObject({ code: 'charge_decided' });
    await asks(parcel, { weight: 48_000 });
    expect(await shown(parcel)).toMatchObject({ held_status: 'open', exception: 'charge' });
    await asks(parcel, { weight: 5_200 });
    expect(await lines(parcel)).toEqual(['hold 0', 'charge -1700', 'reweigh -170']);
    expect(await shown(parcel)).toMatchObject({ held_status: null, exception: null });
  });

  it('a disputed charge can be accepted later, and is then posted', async () => {
    const parcel = await pickedUp();
    await asks(parcel, { weight: 30_000 });
    await decides(parcel, 'dispute');
    await decides(parcel, 'accept');
    expect(await shown(parcel)).toMatchObject({
      held_status: null,
      jd_weight: 30_000,
      charged: true,
    });
  });

  it('a request to ask the carrier again queues the call immediately and leaves the charge undecided', async () => {
    const parcel = await pickedUp();
    await asks(parcel, { weight: 49_000 });
    await rows(sql`delete from graphile_worker._private_jobs
      where key = ${`ask_facts:${parcel}`}`);
    await decides(parcel, 'ask');
    expect(await shown(parcel)).toEqual(held);
    expect(
      await rows(sql`select 1 from graphile_worker._private_jobs
      where key = ${`ask_facts:${parcel}`} and run_at <= now()`),
    ).toHaveLength(1);
  });

  it('a held charge that cannot be read, or is too large to be stored, cannot be accepted', async () => {
    const [unreadable, giant] = [await pickedUp(), await pickedUp()];
    await asks(unreadable, { weight: 4_300, unreadable: ['QLHCF -5'] });
    await expect(decides(unreadable, 'accept')).rejects.toMatchObject({
      code: 'charge_not_readable',
    });
    await asks(giant, { weight: 4_300, fees: [carriage, fee('QLHCF', 9_999_999_999_900)] });
    await expect(decides(giant, 'accept')).rejects.toMatchObject({ code: 'charge_too_large' });
    for (const parcel of [unreadable, giant]) expect(await lines(parcel)).toEqual(['hold 0']);
  });

  it('a decision about a carrier’s charge is refused if it refers to an earlier report of that charge', async () => {
    const parcel = await pickedUp();
    await asks(parcel, { weight: 49_000 });
    await asks(parcel, { weight: 48_000 });
    await expect(decides(parcel, 'accept', 1)).rejects.toMatchObject({ code: 'charge_decided' });
  });

  it('a held charge needs no decision after the parcel’s line of a carrier bill was accepted', async () => {
    const parcel = await pickedUp();
    await asks(parcel, { weight: 49_000 });
    await app.db.tx(all, async (work) => {
      const express = await lockExpress(work, parcel);
      await takeBillFacts(
        work,
        express,
        { jd_weight: 5_000, jd_amount: 900, bill: { id: 1, waybills: [] } },
        { at: app.clock.now(), account_id: world.clerk },
      );
    });
    expect(await shown(parcel)).toEqual({
      held_status: null,
      exception: null,
      jd_weight: 5_000,
      jd_amount: 900,
      charged: true,
    });
    expect(await alerts(parcel)).toEqual([]);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid', async () => {
    expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
  });
});
