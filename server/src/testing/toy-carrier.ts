import type { Express } from '@waystation/contract/parcels/express.ts';
import { expect } from 'vitest';
import type {
  Accepted,
  CallRecord,
  Carrier,
  CreateAnswer,
  SeekAnswer,
} from '#domain/carriers/carriers.ts';
import { decideOutcome } from '#domain/express/outcome.ts';
import type { OutcomeDecision } from '#domain/express/outcome.ts';
import type { SendPayload } from '#domain/express/queues.ts';
import { sendOrder } from '#domain/express/send.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { alertsOf, holdsOf, parcelClient } from './parcel-client.ts';
import type { ParcelClient } from './parcel-client.ts';
import { openTestSystem, rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

export const scope = systemScope('test of recovery');
export const call: CallRecord = {
  operation: 'toy',
  trace_id: '',
  http_status: 200,
  ms: 1,
  request: null,
  answer: null,
};
export const silent = { outcome: 'unknown' as const, reason: { code: 'carrier_silent' }, call };
export const refused = { outcome: 'refused' as const, code: '1', text: 'no', call };
export const notStored = { outcome: 'not_stored' as const, code: '', text: 'no such order', call };

interface ToyWorld {
  system: TestSystem;
  clerk: ParcelClient;
  parcel: Express;
  /** The answers that the toy carrier will give next. */
  creates: CreateAnswer[];
  seeks: SeekAnswer[];
  got: string[];
  now: number;
}

/**
 * The data that the tests of one file share. `openToyWorld` fills it once, and `newParcel` renews
 * it before each test.
 */
export const world = {} as ToyWorld;

/**
 * Opens a system whose worker is stopped. The function `step` runs the jobs of an order instead of
 * the worker.
 */
export const openToyWorld = async (): Promise<void> => {
  world.system = await openTestSystem();
  await world.system.worker.stop();
  await world.system.topUp('nanshan', 10_000_000);
  world.clerk = await parcelClient(world.system);
};

/**
 * Creates a parcel whose order is not yet sent to the carrier, and clears the planned answers of
 * the toy carrier.
 */
export const newParcel = async (): Promise<void> => {
  world.parcel = await world.clerk.begin();
  world.creates = [];
  world.seeks = [];
  world.got = [];
  world.now = Date.now();
};

export const accepted = (): Accepted => ({
  outcome: 'accepted',
  delivery_id: `TOY${world.parcel.order_id}`,
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

/**
 * The method by which the toy carrier recovers an order. The toy carrier is the JDL adapter with
 * another way to order. It declares this method and takes its answers from the lists of `world`.
 */
type Declared =
  | { recovers_by: 'repeat' | 'person' }
  | {
      recovers_by: 'seek_by_our_number' | 'seek_by_fetched_number';
      not_found: 'create' | 'person';
    };
export const toy = (declared: Declared): Carrier =>
  ({
    ...world.system.app.carrierOf('jdl'),
    ...declared,
    create: async (_: unknown, body: string) => {
      world.got.push(`create ${body}`);
      return world.creates.shift() ?? silent;
    },
    seek: async (_: unknown, sought: { order_id: string; delivery_id: string }) => {
      world.got.push(`seek ${sought.order_id} ${sought.delivery_id}`);
      return world.seeks.shift() ?? silent;
    },
    prefetch: async () => ({ outcome: 'ok', value: [`N${world.parcel.order_id}`], call }),
  }) as unknown as Carrier;

export const contextOf = (carrier: Carrier) => ({
  ...world.system.app,
  clock: { now: () => new Date(world.now) },
  carrierOf: () => carrier,
});
/**
 * Runs the order's queued job once, and sets the clock to the time at which the job is due. Returns
 * false if no job is queued.
 */
export const step = async (carrier: Carrier, attempt = 1): Promise<boolean> => {
  const [job] = await rowsOf(
    world.system,
    sql<{ payload: SendPayload; run_at: Date }>`delete from graphile_worker._private_jobs
      where key = ${`send_order:${world.parcel.id}`} returning payload, run_at`,
  );
  if (!job) return false;
  world.now = Math.max(world.now, job.run_at.getTime());
  await sendOrder(contextOf(carrier), job.payload, { job_id: '1', attempt });
  return true;
};
export const steps = async (carrier: Carrier, count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await step(carrier);
};
export const kindsOf = (): string[] => world.got.map((line) => line.split(' ')[0]!);
export const holds = async (): Promise<number> =>
  (await holdsOf(world.system, world.parcel.id)).length;
export const waits = async (code: string): Promise<void> => {
  expect(await world.clerk.get(world.parcel.id)).toMatchObject({
    state_code: 20,
    state_reason: { code },
  });
  expect(await alertsOf(world.system, world.parcel.id)).toContain(code);
};

export const decide = async (
  carrier: Carrier,
  {
    reference = null,
    stored: storedAs = null,
  }: Partial<Pick<OutcomeDecision, 'reference' | 'stored'>> = {},
) => {
  const { id, version } = await world.clerk.get(world.parcel.id);
  return decideOutcome(contextOf(carrier), scope, {
    id,
    version,
    by: 1,
    stored: storedAs,
    reference,
    isRepeated: async () => false,
    record: async () => {},
  });
};
export const stored = {
  outcome: 'stored_without_number' as const,
  code: '',
  text: 'have it',
  call,
};
