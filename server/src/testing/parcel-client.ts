import type { Express } from '@waystation/contract/parcels/express.ts';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, exampleOrder, rowsOf } from './test-system.ts';
import type { Answer, TestSystem } from './test-system.ts';

/** A user who has logged in and can act on parcels. Every call returns the server's answer. */
export interface ParcelClient {
  token: string;
  order(changes?: Record<string, unknown>, key?: string): Promise<Answer<Express>>;
  /**
   * Creates an order and returns the parcel as soon as it is stored, without waiting for the
   * carrier.
   */
  begin(changes?: Record<string, unknown>): Promise<Express>;
  get(id: number): Promise<Express>;
  /** Waits until the parcel is in `state`, and returns it. */
  until(id: number, state: number, milliseconds?: number): Promise<Express>;
  act(
    id: number,
    action: 'cancel' | 'reweigh' | 'retry' | 'order' | 'reveal' | 'handled',
    body?: Record<string, unknown>,
  ): Promise<Answer<Express>>;
  edit(id: number, body: Record<string, unknown>): Promise<Answer<Express>>;
}

let keys = 0;

export const parcelClient = async (
  system: TestSystem,
  username = 'clerk',
): Promise<ParcelClient> => {
  const token = await system.login(username);
  const key = () => ({ 'idempotency-key': `key-${process.pid}-${++keys}` });
  const order: ParcelClient['order'] = (changes = {}, repeatKey) =>
    system.call<Express>(
      { token, headers: repeatKey ? { 'idempotency-key': repeatKey } : key() },
      'POST',
      '/api/arco/expresses',
      exampleOrder(changes),
    );
  const get = async (id: number) =>
    (await system.call<Express>(token, 'GET', `/api/arco/expresses/${id}`)).data;
  return {
    token,
    get,
    order,
    begin: async (changes) => {
      const thr_order_id = `begun ${++keys}`;
      const answer = order({ thr_order_id, ...changes });
      const refused = answer.then(({ status, data }) =>
        status === 200 ? null : Promise.reject(new Error(`refused: ${JSON.stringify(data)}`)),
      );
      const id = await eventually(async () => {
        const [found] = await rowsOf(
          system,
          sql<{ id: number }>`select id from expresses
          where thr_order_id = ${thr_order_id}`,
        );
        return found?.id ?? Promise.race([refused, null]);
      });
      refused.catch(() => {});
      return get(id);
    },
    until: (id, state, milliseconds = 60_000) =>
      eventually(async () => {
        const found = await get(id);
        return found.state_code === state ? found : null;
      }, milliseconds),
    act: (id, action, body = {}) =>
      system.call<Express>(
        { token, headers: key() },
        'POST',
        `/api/arco/expresses/${id}/${action}`,
        body,
      ),
    edit: (id, body) => system.call<Express>(token, 'PATCH', `/api/arco/expresses/${id}`, body),
  };
};

/** Returns the data of an error response. */
export const failureOf = (answer: Answer<unknown>): FailureData => answer.data as FailureData;

export interface CarrierRequest {
  number: number;
  path: string;
  order_id: string | null;
  waybill_code: string | null;
  body: string;
  fault: string | null;
  sub_code: string | null;
  success: boolean | null;
}

const create = '/ecap/v1/orders/create';

/**
 * Returns the requests that the carrier received, oldest first. If `path` is given, only requests
 * whose URL path ends with it.
 */
export const carrierRequests = async (
  system: TestSystem,
  path?: string,
): Promise<CarrierRequest[]> =>
  (
    await system.carrier.control<{ requests: CarrierRequest[] }>('GET', 'requests?limit=2000')
  ).requests.filter((request) => path === undefined || request.path.endsWith(path));

export const creates = async (system: TestSystem, order_id: string): Promise<CarrierRequest[]> =>
  (await carrierRequests(system, create)).filter(
    (request) => (JSON.parse(request.body) as [{ orderId: string }])[0].orderId === order_id,
  );

/** Returns the number that the next order will get. A fault can then be limited to this order. */
const nextOrderId = async (system: TestSystem): Promise<string> => {
  const [row] = await rowsOf(
    system,
    sql<{ n: number }>`select coalesce(max(right(order_id,
    8)), '0')::bigint + 1 as n from expresses`,
  );
  return `WS${businessDay(new Date()).replaceAll('-', '').slice(2)}${String(row!.n).padStart(8, '0')}`;
};

/** Makes the carrier fail when the next order is created; by default only once. */
export const failNextOrder = async (
  system: TestSystem,
  fault: Record<string, unknown>,
): Promise<unknown> =>
  system.carrier.control('POST', 'faults', {
    path: create,
    order_id: await nextOrderId(system),
    ...fault,
  });

/** Returns the number of all parcels. */
export const parcelCount = async (system: TestSystem): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select count(*) as n
  from expresses`,
    )
  )[0]!.n;

export interface MoneyRow {
  type: string;
  amount: number;
  freeze_amount: number;
  post_amount: number | null;
}

/** Returns the transactions of a parcel at its own station, in the order of posting. */
export const statementsOf = (system: TestSystem, express_id: number): Promise<MoneyRow[]> =>
  rowsOf(
    system,
    sql<MoneyRow>`select s.type, s.amount, s.freeze_amount, s.post_amount from statements s
      join expresses e on e.id = s.express_id and e.station_id = s.station_id
    where s.express_id = ${express_id} order by s.id`,
  );

export const holdsOf = (
  system: TestSystem,
  express_id: number,
): Promise<{ attempt: number; amount: number; status: string }[]> =>
  rowsOf(
    system,
    sql<{
      attempt: number;
      amount: number;
      status: string;
    }>`select attempt, amount, status from ledger_holds where express_id = ${express_id}
      order by attempt`,
  );

export const alertsOf = async (system: TestSystem, express_id: number): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ code: string }>`select code from alerts
    where express_id = ${express_id} and closed_at is null order by id`,
    )
  ).map(({ code }) => code);

/**
 * Waits until a job is planned for a later time, and makes it due now. Otherwise a test would wait
 * a minute for the job's next attempt.
 */
export const runJobNow = async (system: TestSystem, key: string): Promise<void> => {
  await eventually(async () => {
    const found = await rowsOf(
      system,
      sql`select graphile_worker.reschedule_jobs(array[id], run_at => now())
        from graphile_worker._private_jobs
        where key = ${key} and locked_at is null and run_at > now()`,
    );
    return found.length > 0;
  });
  await rowsOf(system, sql`select pg_notify('jobs:insert', '{"r": 0, "count": 1}')`);
};

/** Makes every waiting job of a task due now, including a job that waits for its next attempt. */
export const runTaskNow = async (system: TestSystem, task: string): Promise<void> => {
  await rowsOf(
    system,
    sql`select graphile_worker.reschedule_jobs(array(select id
        from graphile_worker._private_jobs where key like ${`${task}:%`} and locked_at is null
          and run_at > now()),
      run_at => now())`,
  );
  await rowsOf(system, sql`select pg_notify('jobs:insert', '{"r": 0, "count": 1}')`);
};

/** Returns the seconds until the job with this key is due; 0 if no job has this key. */
export const jobWaits = async (system: TestSystem, key: string): Promise<number> => {
  const [job] = await rowsOf(
    system,
    sql<{ wait: number }>`select extract(epoch from run_at - now())::int as wait
      from graphile_worker._private_jobs where key = ${key}`,
  );
  return job?.wait ?? 0;
};
