import {
  eventually,
  exampleOrder,
  openTestSystem,
  rowsOf,
} from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { openHostileCarrier } from './program.ts';
import type { HostileCarrier, Order, Script } from './program.ts';

/** The stored values of a parcel and its amounts. */
export interface Seen {
  id: number;
  state_code: number;
  delivery_id: string | null;
  return_delivery_id: string | null;
  exception: string | null;
  state_remark: string;
  jd_weight: number | null;
  jd_amount: number | null;
  charged: boolean;
  post_amount: number;
  /** The sum in fen that is held for the parcel now. */
  held: number;
  /** The amount that the station paid for the parcel. */
  paid: number;
  alerts: string[];
  messages: number;
  facts: number;
}

/** A product that is connected to the hostile carrier. */
export interface Ground {
  system: TestSystem;
  carrier: HostileCarrier;
  /**
   * Orders a parcel of 4.3 kg, for which the carrier follows `script`. Returns the parcel's id when
   * the parcel has reached state 20 or a later state.
   */
  order(script: Script): Promise<number>;
  see(id: number): Promise<Seen>;
  /** Waits until `fits` returns true for the parcel, and returns the parcel. */
  until(id: number, fits: (seen: Seen) => boolean): Promise<Seen>;
  orderAt(id: number): Promise<Order>;
  /** Makes the parcel's jobs due now, and waits until all due jobs are done. */
  settle(id: number): Promise<void>;
  /**
   * Makes the carrier report these movements. Then makes the product request the trace, the weight
   * and the fee.
   */
  move(id: number, ...moves: [category: number, state: string][]): Promise<Seen>;
  /**
   * Makes the product request the weight and the fee, or the trace, from the carrier immediately.
   */
  ask(id: number, what?: 'ask_facts' | 'ask_trace'): Promise<Seen>;
  /**
   * Decides the outcome of an order in the role of an administrator. Returns the HTTP status of the
   * answer.
   */
  decide(
    id: number,
    decision: { outcome: 'not_stored' } | { outcome: 'stored'; delivery_id: string },
  ): Promise<number>;
  push(body: string | Uint8Array<ArrayBuffer>): Promise<number>;
  close(): Promise<void>;
}

const priority = [
  'send_order',
  'sort_again',
  'ask_trace',
  'ask_facts',
  'cancel_parcel',
  'read_push',
  'read_pushes',
];

/**
 * The price in fen of a parcel of 4.3 kg in the example network. This amount is held when the
 * parcel is ordered. If the parcel really weighs 4.3 kg, the same amount is charged.
 */
export const estimate = 1_768;

export const pickedUp: [number, string] = [420, '200001'];
export const signed: [number, string] = [510, '10034'];

/** Returns a function that reads a parcel and its amounts. */
const seeing =
  (system: TestSystem) =>
  async (id: number): Promise<Seen> =>
    (
      await rowsOf(
        system,
        sql<Seen>`select e.id, e.state_code, e.delivery_id, e.return_delivery_id, e.exception,
          e.state_remark, e.jd_weight, e.jd_amount, e.charged_at is not null as charged,
          e.post_amount, coalesce((select sum(h.amount) from ledger_holds h
            where h.express_id = e.id and h.status = 'open'), 0)::bigint as held,
          coalesce((select -sum(s.amount) from statements s where s.express_id = e.id
            and s.station_id = e.station_id), 0)::bigint as paid,
          (select coalesce(array_agg(a.code order by a.code), '{}') from alerts a
            where a.express_id = e.id and a.closed_at is null) as alerts,
          (select count(*) from express_messages m
            where m.express_id = e.id)::int as messages,
            (select count(*) from express_facts f where f.express_id = e.id)::int as facts
        from expresses e where e.id = ${id}`,
      )
    )[0]!;

const waiting =
  (see: Ground['see']): Ground['until'] =>
  async (id, fits) => {
    let last: Seen | undefined;
    try {
      return await eventually(async () => {
        last = await see(id);
        return fits(last) && last;
      });
    } catch {
      throw new Error(`never as expected: ${JSON.stringify(last)}`);
    }
  };

const settling =
  (system: TestSystem): Ground['settle'] =>
  async (id) => {
    const keys = priority.map((task) => `${task}:${id}`);
    await rowsOf(
      system,
      sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
        from graphile_worker._private_jobs where key = any(${keys}::text[])
        and locked_at is null`,
    );
    await rowsOf(system, sql`select pg_notify('jobs:insert', '{"r": 0, "count": 1}')`);
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from graphile_worker._private_jobs
          where key = any(${keys}::text[]) and (run_at <= now() or locked_at is not null)`,
          )
        ).length === 0,
    );
  };

const pushing =
  (system: TestSystem): Ground['push'] =>
  async (body) => {
    const address = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
    return (
      await fetch(address, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
    ).status;
  };

/**
 * Returns a function that orders a parcel to a new receiver and returns the parcel's id. The
 * carrier follows the script for this parcel.
 */
const ordering = (
  system: TestSystem,
  carrier: Ground['carrier'],
  answers: Promise<unknown>[],
  token: string,
): Ground['order'] => {
  let count = 0;
  return async (script) => {
    const receiver = `敌对${++count}`;
    carrier.expect(receiver, script);
    const answer = system.call(
      { token, headers: { 'idempotency-key': `hostile-${process.pid}-${count}` } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ receive_name: receiver, thr_order_id: receiver }),
    );
    const id = await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql<{ id: number }>`select id
      from expresses where thr_order_id = ${receiver}`,
          )
        )[0]?.id,
    );
    // The times of a simulated parcel may be later than the present time, so the parcel is marked
    // as not simulated.
    await rowsOf(system, sql`update expresses set simulated = 0 where id = ${id}`);
    // If the outcome of an order stays unknown, the call is answered only after four seconds. The
    // test does not wait for that answer.
    answers.push(answer.catch(() => null));
    return id;
  };
};

/** Decides the outcome of an order in the role of an administrator. */
const deciding =
  (system: TestSystem, office: string): Ground['decide'] =>
  async (id, decision) => {
    const path = `/api/arco/expresses/${id}`;
    const { data } = await system.call<{ version: number }>(office, 'GET', path);
    const key = { 'idempotency-key': `decided-${process.pid}-${id}-${crypto.randomUUID()}` };
    return (
      await system.call({ token: office, headers: key }, 'POST', `${path}/outcome`, {
        version: data.version,
        ...decision,
      })
    ).status;
  };

export const openGround = async (): Promise<Ground> => {
  const carrier = await openHostileCarrier();
  const system = await openTestSystem({
    config: {
      outboundAllow: [`127.0.0.1:${carrier.port}`],
      carrier: { timeoutMs: 5_000, pollSeconds: 1_800 },
    },
  });
  await rowsOf(
    system,
    sql`update merchants set base_url = ${carrier.url}
    where id = ${system.network.merchant_id}`,
  );
  // The thresholds are so high that faults of the hostile carrier never count as an outage of the
  // carrier.
  await rowsOf(
    system,
    sql`insert into settings (name, value)
    values ('outage_calls', '100'), ('outage_failures', '100')`,
  );
  await system.topUp('nanshan', 100_000_000);
  const answers: Promise<unknown>[] = [];
  const order = ordering(system, carrier, answers, await system.login('clerk'));
  const office = await system.login('admin');
  const see = seeing(system);
  const until = waiting(see);
  const settle = settling(system);
  const ask: Ground['ask'] = async (id, what = 'ask_facts') => {
    await rowsOf(
      system,
      sql`select graphile_worker.add_job(${what},
        json_build_object('express_id', ${id}::bigint), job_key => ${`${what}:${id}`},
        job_key_mode => 'replace')`,
    );
    await settle(id);
    return see(id);
  };
  const orderAt: Ground['orderAt'] = async (id) => {
    const [row] = await rowsOf(
      system,
      sql<{ order_id: string }>`select order_id
      from expresses where id = ${id}`,
    );
    return carrier.orderOf(row!.order_id);
  };
  return {
    system,
    carrier,
    see,
    until,
    settle,
    ask,
    orderAt,
    order,
    move: async (id, ...moves) => {
      await until(id, ({ state_code }) => state_code >= 100);
      (await orderAt(id)).moved.push(...moves);
      await ask(id, 'ask_trace');
      return ask(id);
    },
    decide: deciding(system, office),
    push: pushing(system),
    close: async () => {
      await Promise.all(answers);
      await system.close();
      await carrier.close();
    },
  };
};
