import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type {
  Accepted,
  CallRecord,
  Carrier,
  CreateAnswer,
  SeekAnswer,
} from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import { alertsOf, holdsOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { checkOutcome, decideOutcome } from './outcome.ts';
import type { SendPayload } from './queues.ts';
import { sendOrder } from './send.ts';
import { systemScope } from '#platform/db/scope.ts';

const scope = systemScope('test of recovery');
const call: CallRecord = {
  operation: 'toy',
  trace_id: '',
  http_status: 200,
  ms: 1,
  request: null,
  answer: null,
};
const silent = { outcome: 'unknown' as const, reason: { code: 'carrier_silent' }, call };
const refused = { outcome: 'refused' as const, code: '1', text: 'no', call };
const notStored = { outcome: 'not_stored' as const, code: '', text: 'no such order', call };

let system: TestSystem;
let clerk: ParcelClient;
let parcel: Express;
/** The toy carrier's next answers, and the calls that it got. */
let creates: CreateAnswer[];
let seeks: SeekAnswer[];
let got: string[];
let now: number;

const accepted = (): Accepted => ({
  outcome: 'accepted',
  delivery_id: `TOY${parcel.order_id}`,
  carrier_order_code: '',
  repeated: true,
  need_retry: 0,
  promise_time_type: '',
  estimate_amount: null,
  pickup_promise_at: null,
  delivery_promise_at: null,
  pre_sort_result: null,
  print_data: null,
  call,
});

/** JDL's adapter with other ordering: it declares `recovery`, and answers from the lists. */
type Declared =
  | { recovers_by: 'repeat' | 'person' }
  | {
      recovers_by: 'seek_by_our_number' | 'seek_by_fetched_number';
      not_found: 'create' | 'person';
    };
const toy = (declared: Declared): Carrier =>
  ({
    ...system.app.carrierOf('jdl'),
    ...declared,
    create: async (_: unknown, body: string) => {
      got.push(`create ${body}`);
      return creates.shift() ?? silent;
    },
    seek: async (_: unknown, sought: { order_id: string; delivery_id: string }) => {
      got.push(`seek ${sought.order_id} ${sought.delivery_id}`);
      return seeks.shift() ?? silent;
    },
    prefetch: async () => ({ outcome: 'ok', value: [`N${parcel.order_id}`], call }),
  }) as unknown as Carrier;

const contextOf = (carrier: Carrier) => ({
  ...system.app,
  clock: { now: () => new Date(now) },
  carrierOf: () => carrier,
});
/** Runs the order's queued job once, at its moment; false: none is queued. */
const step = async (carrier: Carrier, attempt = 1): Promise<boolean> => {
  const [job] = await rowsOf(
    system,
    sql<{ payload: SendPayload; run_at: Date }>`delete from graphile_worker._private_jobs
      where key = ${`send_order:${parcel.id}`} returning payload, run_at`,
  );
  if (!job) return false;
  now = Math.max(now, job.run_at.getTime());
  await sendOrder(contextOf(carrier), job.payload, { attempt });
  return true;
};
const steps = async (carrier: Carrier, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await step(carrier);
};
const kindsOf = (): string[] => got.map((line) => line.split(' ')[0]!);
const holds = async (): Promise<number> => (await holdsOf(system, parcel.id)).length;
const waits = async (code: string): Promise<void> => {
  expect(await clerk.get(parcel.id)).toMatchObject({ state_code: 20, state_reason: { code } });
  expect(await alertsOf(system, parcel.id)).toContain(code);
};

beforeAll(async () => {
  system = await openTestSystem();
  await system.worker.stop();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());
beforeEach(async () => {
  parcel = await clerk.begin();
  creates = [];
  seeks = [];
  got = [];
  now = Date.now();
});

describe('an order whose answer is missing', () => {
  it('an order of a carrier that answers repeats is sent again with the same bytes', async () => {
    const carrier = toy({ recovers_by: 'repeat' });
    creates = [silent, { ...accepted(), package_ids: ['TOY2', 'TOY3'] }];
    await steps(carrier, 2);
    expect(kindsOf()).toEqual(['create', 'create']);
    expect(
      await rowsOf(
        system,
        sql`select key from express_keys where express_id = ${parcel.id} and kind = 1
          and key like 'TOY_' order by key`,
      ),
    ).toEqual([{ key: 'TOY2' }, { key: 'TOY3' }]);
    expect(got[1]).toBe(got[0]);
    expect((await clerk.get(parcel.id)).state_code).toBe(100);
  });

  it('an order of a carrier that is asked by our number is sought, and never sent again', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'person' });
    seeks = [silent, silent, accepted()];
    await steps(carrier, 4);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek', 'seek']);
    expect(got[1]).toBe(`seek ${parcel.order_id} `);
    expect((await clerk.get(parcel.id)).state_code).toBe(100);
  });

  it('an order that two searches 30 seconds apart do not find is sent again where that is declared, and its refusal releases nothing', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    creates = [silent, refused];
    seeks = [notStored, notStored];
    await steps(carrier, 2);
    const firstSearch = now;
    await step(carrier);
    expect(now - firstSearch).toBeGreaterThanOrEqual(30_000);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek']);
    await step(carrier);
    expect(got[3]).toBe(got[0]);
    await waits('order_repeat_refused');
    seeks = [accepted()];
    await step(carrier);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek', 'create', 'seek']);
    expect((await clerk.get(parcel.id)).state_code).toBe(100);
  });

  it('an order that is not found is sought, not sent again, after the job that would send it was interrupted', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    seeks = [notStored, notStored, accepted()];
    await steps(carrier, 3);
    await step(carrier, 2);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek', 'seek']);
  });

  it('an order that is not found waits for the office where a second call is not declared', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'person' });
    seeks = [notStored, notStored, notStored];
    await steps(carrier, 4);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek', 'seek']);
    await waits('order_not_found');
    expect(await holds()).toBe(1);
  });

  it('an order of a carrier that is asked by a fetched number carries one from the first call on, and is sought by it', async () => {
    await rowsOf(
      system,
      sql`update expresses set order_request = null, order_tries = 0, order_sought_at = null,
        first_sent_at = null where id = ${parcel.id}`,
    );
    await rowsOf(
      system,
      sql`update graphile_worker._private_jobs set payload = (payload::jsonb - 'first')::json
        where key = ${`send_order:${parcel.id}`}`,
    );
    const carrier = toy({ recovers_by: 'seek_by_fetched_number', not_found: 'person' });
    seeks = [silent, { ...accepted(), delivery_id: `N${parcel.order_id}` }];
    await steps(carrier, 4);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek']);
    expect(got[0]).toContain(`N${parcel.order_id}`);
    expect(got[1]).toBe(`seek ${parcel.order_id} N${parcel.order_id}`);
    expect((await clerk.get(parcel.id)).state_code).toBe(100);
  });

  it.each(['an unknown answer', 'a lost process'])(
    'an order of a carrier that cannot be asked is the office’s after %s: no call follows, and its hold stays until the decision',
    async (cause) => {
      const carrier = toy({ recovers_by: 'person' });
      if (cause === 'a lost process') await step(carrier, 2);
      else {
        await step(carrier);
        expect(kindsOf()).toEqual(['create']);
      }
      const calls = got.length;
      await waits('order_not_asked');
      expect(await step(carrier)).toBe(false);
      const id = parcel.id;
      expect(await checkOutcome(contextOf(carrier), scope, { id })).toMatchObject({ search: null });
      expect(await holds()).toBe(1);
      const { version } = await clerk.get(id);
      const verdict = await decideOutcome(contextOf(carrier), scope, {
        id,
        version,
        by: 1,
        stored: null,
        isRepeated: async () => false,
        record: async () => {},
      });
      expect(verdict).toBe('decided');
      expect(await clerk.get(id)).toMatchObject({
        state_code: 90,
        state_reason: { code: 'order_not_stored' },
      });
      expect(got).toHaveLength(calls);
    },
  );
});

const decide = async (carrier: Carrier) => {
  const { id, version } = await clerk.get(parcel.id);
  return decideOutcome(contextOf(carrier), scope, {
    id,
    version,
    by: 1,
    stored: null,
    isRepeated: async () => false,
    record: async () => {},
  });
};
const stored = { outcome: 'stored_without_number' as const, code: '', text: 'have it', call };

describe('an order that may be at the carrier', () => {
  const bySearch = { ...call, operation: 'search' };
  it.each<[string, CreateAnswer]>([
    [
      'rejected by the gateway',
      { outcome: 'gateway', kind: 'throttled', pause: false, code: '', text: '', call: bySearch },
    ],
    ['not sent', { ...silent, not_sent: true, call: bySearch }],
  ])('an order stays sent although the search after its create is %s', async (_, answer) => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    creates = [answer];
    await step(carrier);
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    await steps(carrier, 2);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek']);
    expect((await clerk.get(parcel.id)).state_code).toBe(20);
    expect(await holds()).toBe(1);
  });

  it('an order that was not processed by the create itself is sent as a first order again', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    creates = [{ ...silent, not_sent: true, call: { ...call, operation: 'create' } }, accepted()];
    await steps(carrier, 2);
    expect(kindsOf()).toEqual(['create', 'create']);
  });

  it('an order that the carrier said it has stays so when its repeat is refused', async () => {
    const carrier = toy({ recovers_by: 'repeat' });
    creates = [stored, refused, refused];
    await steps(carrier, 2);
    await waits('order_stored_without_number');
    expect(await decide(carrier)).toMatchObject({ code: 'order_stored_without_number' });
    expect((await clerk.get(parcel.id)).state_code).toBe(20);
  });

  it('an order that a carrier without a search says it has keeps that reason, and is not released', async () => {
    const carrier = toy({ recovers_by: 'person' });
    creates = [stored];
    await steps(carrier, 3);
    expect(kindsOf()).toEqual(['create']);
    await waits('order_stored_without_number');
    expect(await decide(carrier)).toMatchObject({ code: 'order_stored_without_number' });
    expect(await holds()).toBe(1);
  });

  it('an order that the carrier says it has is not released because a search does not find it', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'person' });
    creates = [stored];
    seeks = [notStored, notStored, notStored];
    await steps(carrier, 3);
    await waits('order_stored_without_number');
    expect(await decide(carrier)).toMatchObject({ code: 'order_stored_without_number' });
    expect((await clerk.get(parcel.id)).state_code).toBe(20);
  });

  it('one search that finds nothing after a refused second call releases nothing, and no third call follows', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    creates = [silent, refused];
    seeks = [notStored, notStored, notStored, notStored, notStored, notStored, notStored];
    await steps(carrier, 4);
    await waits('order_repeat_refused');
    expect(await decide(carrier)).toMatchObject({ code: 'outcome_no_answer' });
    await steps(carrier, 3);
    await waits('order_not_found');
    expect(kindsOf().filter((kind) => kind === 'create')).toHaveLength(2);
    seeks = [notStored];
    expect(await decide(carrier)).toBe('decided');
  });

  it('an interrupted job finds nothing in two searches of its own before it sends again', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    seeks = [notStored, notStored, notStored, notStored];
    await steps(carrier, 3);
    await step(carrier, 2);
    await step(carrier);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek', 'seek', 'seek']);
  });

  it('an order that somebody wants to cancel is not sent a second time', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'create' });
    seeks = [notStored, notStored, notStored];
    await steps(carrier, 3);
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    await step(carrier);
    expect(kindsOf()).toEqual(['create', 'seek', 'seek', 'seek']);
  });

  it('a child waybill that a push named is no second waybill of its order', async () => {
    const carrier = toy({ recovers_by: 'seek_by_our_number', not_found: 'person' });
    await step(carrier);
    await rowsOf(
      system,
      sql`update expresses set waybill_claims = '[{"delivery_id":"CHILD2","source":"push"}]'
        where id = ${parcel.id}`,
    );
    seeks = [{ ...accepted(), package_ids: ['CHILD2'] }];
    await step(carrier);
    expect(
      await rowsOf(system, sql`select waybill_claims from expresses where id = ${parcel.id}`),
    ).toEqual([{ waybill_claims: [] }]);
    expect((await clerk.get(parcel.id)).state_code).toBe(100);
    expect(await alertsOf(system, parcel.id)).toEqual([]);
  });
});

describe('after all these tests', () => {
  it('the ledger’s proof holds', async () => {
    // The simulator has none of the orders that the toy accepted.
    const found = await inconsistencies(system);
    expect(found.filter((line) => !line.includes('as TOY') && !/ as NWS/.test(line))).toEqual([]);
  });
});
