import { sql } from '@waystation/server/testing/product.ts';
import { carrierRequests } from '@waystation/server/testing/parcel-client.ts';
import { eventually, exampleOrder, rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';

interface Parcel {
  id: number;
  order_id: string;
  delivery_id: string;
  state_code: number;
}
let keys = 0;

const ordered = async (system: TestSystem): Promise<Parcel> => {
  const clerk = await system.login('clerk');
  await system.carrier.control('POST', 'settings', { push: { on: false } });
  await system.topUp('nanshan', 100_000);
  const { data } = await system.call<Parcel>(
    { token: clerk, headers: { 'idempotency-key': `attack-push-${++keys}` } },
    'POST',
    '/api/arco/expresses',
    exampleOrder(),
  );
  return eventually(async () => {
    const { data: parcel } = await system.call<Parcel>(
      clerk,
      'GET',
      `/api/arco/expresses/${data.id}`,
    );
    return parcel.state_code === 100 && parcel;
  });
};

const wallClock = (milliseconds: number): string =>
  new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const push = (
  system: TestSystem,
  nodes: object | object[],
  secret = system.network.push_secret,
): Promise<Response> =>
  fetch(`${system.url}/api/carriers/jdl/push/${secret}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(nodes),
  });
/**
 * The time limit in milliseconds. It is long, because a busy machine needs long to read a thousand
 * pushes.
 */
const timeoutMs = 50_000;
const settled = async (system: TestSystem): Promise<void> => {
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from carrier_pushes
    where outcome = 'received'`,
        )
      ).length === 0,
    timeoutMs,
  );
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1
    from graphile_worker._private_jobs where run_at <= now()`,
        )
      ).length === 0,
    timeoutMs,
  );
};
const stateOf = async (system: TestSystem, id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ state_code: number }>`select state_code from expresses
    where id = ${id}`,
    )
  )[0]!.state_code;

export const pushAttacks: readonly Attack[] = [
  {
    name: 'somebody who knows the push address says that a parcel was signed for, returned or cancelled',
    run: async (system, judge) => {
      for (const category of [510, 700, 690, 420]) {
        const parcel = await ordered(system);
        const node = {
          waybillCode: parcel.delivery_id,
          orderId: parcel.order_id,
          operationTitle: '伪造',
          operationTime: wallClock(Date.now()),
          category,
        };
        await push(system, node);
        await settled(system);
        const state = await stateOf(system, parcel.id);
        judge(state === 100, `a forged push ${category} moved the parcel to ${state}`);
      }
    },
  },
  {
    name: 'a push that is dated before the order or days ahead, or names another waybill',
    run: async (system, judge) => {
      const parcel = await ordered(system);
      const node = {
        waybillCode: parcel.delivery_id,
        orderId: parcel.order_id,
        operationTitle: '伪造',
        category: 440,
      };
      for (const [what, change] of [
        ['a day before the order', { operationTime: wallClock(Date.now() - 86_400_000) }],
        ['two days ahead', { operationTime: wallClock(Date.now() + 2 * 86_400_000) }],
        [
          'of another waybill',
          { operationTime: wallClock(Date.now()), waybillCode: 'JDVE00000000077' },
        ],
      ] as const) {
        await push(system, { ...node, ...change });
        await settled(system);
        judge((await stateOf(system, parcel.id)) === 100, `a push ${what} was folded`);
      }
    },
  },
  {
    name: 'a thousand pushes for one parcel make the product call the carrier each time',
    run: async (system, judge) => {
      const parcel = await ordered(system);
      for (let part = 0; part < 10; part++) {
        const nodes = Array.from({ length: 100 }, (_, n) => ({
          waybillCode: parcel.delivery_id,
          orderId: parcel.order_id,
          operationTitle: `伪造 ${part} ${n}`,
          operationTime: wallClock(Date.now() + n * 1_000),
          category: 510,
        }));
        judge((await push(system, nodes)).status === 200, 'a push was not taken');
      }
      await settled(system);
      const traceCalls = (await carrierRequests(system, 'trace/query')).filter(({ body }) =>
        body.includes(parcel.delivery_id),
      ).length;
      judge(traceCalls <= 2, `the carrier was asked ${traceCalls} times`);
    },
  },
  {
    name: 'pushes with guessed secrets',
    slice: true,
    run: async (system, judge) => {
      for (const secret of [
        '0'.repeat(32),
        'x',
        '%00',
        encodeURIComponent(`' or 1=1 --`),
        system.network.push_secret.slice(0, -1),
      ]) {
        const { status } = await push(
          system,
          { waybillCode: 'JDVE00000000001', category: 510, operationTime: wallClock(Date.now()) },
          secret,
        );
        judge(status === 404, `secret ${secret} was answered ${status}`);
      }
    },
  },
  {
    name: 'a push that returns a parcel under the waybill of another',
    slice: true,
    run: async (system, judge) => {
      const [parcel, other] = [await ordered(system), await ordered(system)];
      const remark = `换单返回 ${other.delivery_id}`;
      const node = {
        waybillCode: parcel.delivery_id,
        orderId: parcel.order_id,
        operationTitle: '退回',
        operationRemark: remark,
        category: 700,
        state: '200020',
      };
      await push(system, { ...node, operationTime: wallClock(Date.now()) });
      await settled(system);
      const [row] = await rowsOf(
        system,
        sql<{ way_back: string | null }>`select return_delivery_id as way_back
        from expresses where id = ${parcel.id}`,
      );
      judge(
        (await stateOf(system, parcel.id)) === 100 && row!.way_back === null,
        `the parcel returns under ${row!.way_back}`,
      );
      judge(
        (
          await rowsOf(
            system,
            sql`select 1 from alerts where express_id = ${parcel.id}
        and code = 'return_of_another'`,
          )
        ).length === 1,
        'nobody is alerted',
      );
    },
  },
  {
    name: 'forty pushes at once that list the same parcels in any order',
    slice: true,
    run: async (system, judge) => {
      const parcels = [await ordered(system), await ordered(system), await ordered(system)];
      const deadlocks = async (): Promise<number> => {
        await rowsOf(system, sql`select pg_stat_clear_snapshot()`);
        return (
          await rowsOf(
            system,
            sql<{ n: number }>`select deadlocks::int as n
          from pg_stat_database where datname = current_database()`,
          )
        )[0]!.n;
      };
      const before = await deadlocks();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => {
          const operationTime = wallClock(Date.now() + n * 1_000);
          const nodes = parcels.map(({ delivery_id, order_id }) => ({
            waybillCode: delivery_id,
            orderId: order_id,
            operationTitle: `${n}`,
            operationTime,
            category: 390,
            state: '200034',
          }));
          return push(system, n % 2 === 0 ? nodes : nodes.toReversed());
        }),
      );
      for (const { status } of answers) judge(status === 200, `a push was answered ${status}`);
      await settled(system);
      judge((await deadlocks()) === before, 'the pushes waited for each other');
    },
  },
  {
    name: 'somebody pushes to an address that the office has replaced and ended',
    run: async (system, judge) => {
      const office = await system.login('super');
      const post = <T>(path: string) =>
        system.call<T>(
          office,
          'POST',
          `/api/arco/merchants/${system.network.merchant_id}/push-address${path}`,
          {},
        );
      const old = system.network.push_secret;
      const node = {
        waybillCode: 'JDVE00000000001',
        category: 510,
        operationTime: wallClock(Date.now()),
      };
      const { data } = await post<{ path: string }>('/replace');
      const secret = data.path.split('/').at(-1)!;
      judge(secret !== old, 'the address is the one before');
      judge(
        (await push(system, node, old)).status === 200,
        'the carrier is refused before it has the new address',
      );
      await post('/end-previous');
      const { status } = await push(system, node, old);
      judge(status === 404, `the ended address was answered ${status}`);
      judge((await push(system, node, secret)).status === 200, 'the new address is refused');
      system.network.push_secret = secret;
    },
  },
];
