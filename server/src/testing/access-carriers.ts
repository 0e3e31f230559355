import { hold } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

let count = 0;

/**
 * Creates a parcel for which two waybills are claimed. The parcel has the first of them, and the
 * office must choose one of the two.
 */
const undecided = async (system: TestSystem, station_id: number): Promise<number> => {
  const [parcel] = await rowsOf(
    system,
    sql<{
      id: number;
    }>`insert into expresses (station_id, user_id, order_id, state_code, state_txt)
      values (${station_id}, ${system.network.office}, ${`WSX${++count}`}, 100, '待揽收')
      returning id`,
  );
  const { id } = parcel!;
  const waybill_claims = JSON.stringify(
    ['CHOICE', 'OTHER'].map((name) => ({ delivery_id: `${name}-${id}`, source: 'answer' })),
  );
  await rowsOf(
    system,
    sql`update expresses
    set delivery_id = ${`CHOICE-${id}`}, waybill_claims = ${waybill_claims}::jsonb
    where id = ${id}`,
  );
  return id;
};

/** Creates a clerk's parcel that the recipient refused. */
const refusedParcel = async (system: TestSystem, station_id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ id: number }>`insert into expresses (station_id, user_id, order_id, state_code,
        state_txt, exception, exception_at)
        select ${station_id}, id, ${`WSE${++count}`}, 400, '异常', 'refused', now()
          from accounts where username = 'clerk' returning id`,
    )
  )[0]!.id;

/** Creates a parcel for which its carrier charges more than the limits allow. */
const chargedParcel = async (system: TestSystem, station_id: number): Promise<number> => {
  const [parcel] = await rowsOf(
    system,
    sql<{ id: number }>`insert into expresses (station_id, user_id, order_id, state_code,
      state_txt, exception, exception_at, fact_no, held_no, held_status)
      values (${station_id}, ${system.network.office}, ${`WSH${++count}`}, 200, '已揽收',
        'charge', now(), 1, 1, 'open') returning id`,
  );
  await rowsOf(
    system,
    sql`insert into express_facts (express_id, no, station_id, source, facts)
      values (${parcel!.id}, 1, ${station_id}, 'held',
      '{"jd_weight": 49000, "held": {"fees": [], "unreadable": [], "doubts": []}}')`,
  );
  return parcel!.id;
};

/**
 * Creates an order with an open hold and an unknown outcome. The carrier refuses the repeated
 * order, because its stored body contains only the order number.
 */
const undecidedOrder = async (system: TestSystem, station_id: number): Promise<number> => {
  const order_id = `WSU${++count}`;
  const [parcel] = await rowsOf(
    system,
    sql<{
      id: number;
    }>`insert into expresses (station_id, user_id, order_id, state_code, state_txt, attempt,
      order_tries, order_request, merchant_id, state_reason,
        pre_amount, post_amount)
      values (${station_id}, ${system.network.office}, ${order_id}, 20, '下单中', 1, 2,
        ${JSON.stringify([{ orderId: order_id }])}, ${system.network.merchant_id},
        '{"code": "order_repeat_refused"}', 1, 1) returning id`,
  );
  const { id: express_id } = parcel!;
  await rowsOf(
    system,
    sql`insert into express_moves (express_id, station_id, to_code, cause,
    at) values (${express_id}, ${station_id}, 20, 'order', now())`,
  );
  const price = {
    pre_amount: 1,
    discount: 10_000,
    discount_amount: 0,
    guarantee_amount: 0,
    post_amount: 1,
  };
  await system.app.db.tx(systemScope('test'), (work) =>
    hold(work, {
      express_id,
      attempt: 1,
      station_id,
      delivery_id: null,
      order_id,
      price,
      cause: `hold:${express_id}:1`,
      at: new Date(),
      by: null,
    }),
  );
  return express_id;
};

/** The routes for decisions about carriers and about the carriers' reports. */
export const carrierTruth: Readonly<Record<string, Row>> = {
  'GET /api/arco/outages': { about: 'nothing' },
  'GET /api/arco/expresses/exceptions': { about: 'nothing' },
  'POST /api/arco/expresses/{id}/track': {
    about: 'parcel',
    kind: 'ordered',
    path: (id) => `/api/arco/expresses/${id}/track`,
    body: () => ({}),
  },
  'POST /api/arco/expresses/{id}/handled': {
    about: 'row',
    make: refusedParcel,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/handled`,
    body: () => ({ note: 'test' }),
  },
  'GET /api/arco/expresses/{id}/charge': {
    about: 'row',
    make: chargedParcel,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/charge`,
  },
  'POST /api/arco/expresses/{id}/charge': {
    about: 'row',
    make: chargedParcel,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/charge`,
    body: () => ({ no: 1, decision: 'ask', reason: 'test' }),
  },
  'POST /api/arco/expresses/{id}/outcome/check': {
    about: 'row',
    make: undecidedOrder,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/outcome/check`,
    body: () => ({}),
  },
  'POST /api/arco/expresses/{id}/outcome': {
    about: 'row',
    make: undecidedOrder,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/outcome`,
    body: () => ({ version: 1, outcome: 'not_stored' }),
  },
  'POST /api/arco/expresses/{id}/waybill': {
    about: 'row',
    make: undecided,
    owned: true,
    path: (id) => `/api/arco/expresses/${id}/waybill`,
    body: (id) => ({ version: 1, delivery_id: `CHOICE-${id}` }),
  },
};
