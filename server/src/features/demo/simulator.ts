import type { App } from '#app.ts';
import { askFacts, askTrace } from '#domain/express/express.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import type { Node } from './journey.ts';

/**
 * Sends a request to the control URL of the carrier simulator. The simulator is a separate program
 * and may start later.
 */
const control = async (app: App, path: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(`${app.config.simulator.url}/_sim/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  if (!answer.ok)
    throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`);
  return answer.json();
};

const timeoutMs = 15_000;

/** Waits for the carrier simulator; returns false if it does not start. */
export const simulatorIsThere = async (app: App): Promise<boolean> => {
  for (const since = Date.now(); Date.now() - since < timeoutMs;) {
    const alive = await fetch(`${app.config.simulator.url}/_sim/alive`, {
      signal: AbortSignal.timeout(1_000),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (alive) return true;
    await new Promise((later) => setTimeout(later, 100));
  }
  return false;
};

/** Sends the simulator the push URL of the demo's carrier account. */
export const setCallback = async (
  app: App,
  customer_code: string,
  pushSecret: string,
): Promise<void> => {
  await control(app, 'callbacks', {
    customer_code,
    url: `http://127.0.0.1:${app.config.port}/api/carriers/jdl/push/${pushSecret}`,
  });
};

/** A parcel of the demo. */
export type Row = Partial<ExpressRow> & { id: number };

export interface Underway {
  express: Row;
  nodes: readonly Node[];
  /**
   * The carrier's weight and fee. The simulator reports the same values, so that a later request to
   * it changes nothing.
   */
  jd_weight: number;
  jd_amount: number;
}

const contact = (express: Row, side: 'sender' | 'receive'): object => {
  const phone = express[`${side}_phone`] ?? '';
  const address = [
    express[`${side}_province`],
    express[`${side}_city`],
    express[`${side}_county`],
    express[`${side}_address`],
  ].join('');
  return {
    name: express[`${side}_name`],
    mobile: /^1\d{10}$/.test(phone) ? phone : '',
    phone: /^1\d{10}$/.test(phone) ? '' : phone,
    address,
  };
};

/**
 * Gives the simulator the parcels in transit, so that it continues to move them. It never uses the
 * numbers of `taken` for another parcel.
 */
export const handOver = async (
  app: App,
  parcels: readonly Underway[],
  { taken, now }: { taken: readonly Row[]; now: Date },
): Promise<void> => {
  const orders = parcels.map(({ express, nodes, jd_weight, jd_amount }) => ({
    customer_code: express.customer_code,
    order_id: express.order_id,
    order_code: express.carrier_order_code,
    waybill_code: express.delivery_id,
    product_code: express.promise_id,
    pieces: express.package_count,
    weight: express.weight,
    again_weight: jd_weight,
    fees: { QIPSF: jd_amount },
    goods: express.goods,
    sender: contact(express, 'sender'),
    receiver: contact(express, 'receive'),
    created_at: express.created_at,
    history: nodes
      .filter(({ at }) => at <= now)
      .map(({ step, at }) => ({ code: step, at: at.toISOString() })),
  }));
  const answer = (await control(app, 'orders/seed', {
    orders,
    taken: taken.map(({ delivery_id, carrier_order_code }) => ({
      waybill_code: delivery_id,
      order_code: carrier_order_code,
    })),
  })) as {
    stored: number;
    known: number;
    rejected: unknown[];
  };
  if (answer.rejected.length > 0)
    app.log.warn(
      { rejected: answer.rejected.slice(0, 5) },
      'the simulator did not take some parcels of the demo',
    );
};

/**
 * Requests traces and facts of parcels from the carrier by HTTP, several at a time, as the poller
 * would.
 */
export const catchUp = async (app: App, ids: readonly number[]): Promise<void> => {
  const waiting = [...ids];
  const hand = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      await askTrace(app, { express_id: id });
      await askFacts(app, { express_id: id });
    }
  };
  await Promise.all(Array.from({ length: 6 }, hand));
};
