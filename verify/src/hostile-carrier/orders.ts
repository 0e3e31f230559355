import { expects } from './case.ts';
import type { HostileCase, Judge } from './case.ts';
import { estimate } from './ground.ts';
import type { Ground } from './ground.ts';
import { failed, ok } from './program.ts';
import type { Order, Reply, Script } from './program.ts';

const refusalInGbk = Buffer.concat([
  Buffer.from('{"code":1,"success":false,"msg":"'),
  Buffer.from([0xca, 0xd5, 0xbc, 0xfe, 0xb5, 0xd8, 0xd6, 0xb7, 0xb3, 0xac, 0xc7, 0xf8]),
  Buffer.from('"}'),
]);

const first =
  (reply: (order: Order) => Reply): NonNullable<Script['create']> =>
  ({ order, nth }) =>
    nth === 1 ? reply(order) : undefined;

/**
 * A case in which the first answer leaves the outcome unknown. The order must keep its hold. When
 * the carrier answers correctly, the order must be accepted.
 */
const unknown = (name: string, reply: (order: Order) => Reply, slice?: true): HostileCase => ({
  name,
  ...(slice && { slice }),
  run: async (ground, judge) => {
    let honest = false;
    const id = await ground.order({ create: ({ order }) => (honest ? undefined : reply(order)) });
    await ground.settle(id);
    expects(judge, await ground.see(id), {
      state_code: 20,
      delivery_id: null,
      held: estimate,
      paid: 0,
    });
    honest = true;
    await ground.settle(id);
    const { waybill } = await ground.orderAt(id);
    expects(judge, await ground.until(id, ({ state_code }) => state_code !== 20), {
      state_code: 100,
      delivery_id: waybill,
      held: estimate,
      paid: 0,
    });
  },
});

/**
 * A case in which the carrier repeats an impossible answer. The order must keep waiting with its
 * hold, and an administrator must get an alert.
 */
const stuck = (
  name: string,
  create: NonNullable<Script['create']>,
  alert: string,
): HostileCase => ({
  name,
  run: async (ground, judge) => {
    const id = await ground.order({ create });
    for (let n = 0; n < 3; n++) await ground.settle(id);
    const seen = await ground.see(id);
    expects(judge, seen, { state_code: 20, delivery_id: null, held: estimate, paid: 0 });
    judge(
      seen.alerts.includes(alert),
      `the alerts are ${seen.alerts.join(', ') || 'none'}, without ${alert}`,
    );
  },
});

interface Undecided {
  ground: Ground;
  judge: Judge;
  id: number;
}

/**
 * A case in which the first call may have reached the carrier and the carrier refuses every repeat.
 * The order must then wait for an administrator, and its hold must remain. `decided` is the
 * carrier's behaviour after the administrator's decision.
 */
const undecided = (
  name: string,
  decided: { accepts?: true; mishap?: 'reset' },
  decide: (order: Undecided) => Promise<void>,
): HostileCase => ({
  name,
  slice: true,
  run: async (ground, judge) => {
    let isDecided = false;
    const id = await ground.order({
      create: ({ nth }) => {
        if (nth === 1) return { mishap: 'reset' };
        if (!isDecided) return failed('商家余额不足');
        return decided.accepts
          ? undefined
          : decided.mishap
            ? { mishap: decided.mishap }
            : failed('商家余额不足');
      },
      details: () => (isDecided && decided.mishap ? { mishap: decided.mishap } : undefined),
    });
    for (let n = 0; n < 3; n++) await ground.settle(id);
    const seen = await ground.see(id);
    expects(judge, seen, { state_code: 20, delivery_id: null, held: estimate, paid: 0 });
    judge(
      seen.alerts.includes('order_repeat_refused'),
      `the alerts are ${seen.alerts.join(', ') || 'none'}`,
    );
    isDecided = true;
    await decide({ ground, judge, id });
  },
});

export const orderCases: readonly HostileCase[] = [
  unknown(
    'refuses an order and names its waybill',
    ({ waybill }) => failed('余额不足', { data: { waybillCode: waybill } }),
    true,
  ),
  unknown('refuses an order and names its waybill as JSON text', ({ waybill }) =>
    failed('余额不足', { data: JSON.stringify({ waybillCode: waybill }) }),
  ),
  unknown('throttles an order and names its waybill', ({ waybill }) =>
    failed('请求过于频繁', { data: { waybillCode: waybill } }),
  ),
  unknown(
    'answers an order with a page of HTML',
    () => ({ headers: { 'content-type': 'text/html' }, body: '<html><body>502</body></html>' }),
    true,
  ),
  unknown('answers an order with half of its JSON', ({ waybill }) => ({
    body: JSON.stringify(ok({ waybillCode: waybill }).body).slice(0, 40),
  })),
  unknown('cuts the connection in the middle of its answer', ({ waybill }) => ({
    ...ok({ waybillCode: waybill, pad: 'x'.repeat(10_000) }),
    mishap: 'cut',
  })),
  unknown('closes the connection without an answer', () => ({ mishap: 'reset' }), true),
  unknown('redirects an order to somewhere else', () => ({
    status: 307,
    headers: { location: 'http://127.0.0.1:1/' },
  })),
  unknown('answers 503 with a success inside', ({ waybill }) => ({
    ...ok({ waybillCode: waybill }),
    status: 503,
  })),
  unknown('answers 400 with a refusal inside', () => ({ ...failed('参数错误'), status: 400 })),
  unknown('does not answer in time', () => ({ mishap: 'hang' })),
  unknown('answers with nothing', () => ({ body: '' })),
  unknown('answers with a number', () => ({ body: '42' })),
  unknown('answers with a list', () => ({ body: [{ code: 0, success: true }] })),
  unknown('answers with three megabytes', ({ waybill }) =>
    ok({ waybillCode: waybill, pad: 'x'.repeat(3_000_000) }),
  ),
  unknown('answers with twenty thousand brackets', () => ({ body: '['.repeat(20_000) })),
  unknown('says that its own system failed', () => failed('系统异常')),
  stuck(
    'accepts an order under a list of waybills',
    () => ok({ waybillCode: ['JDVE1', 'JDVE2'] }),
    'order_stored_without_number',
  ),
  stuck(
    'accepts an order under a script as its waybill',
    () => ok({ waybillCode: '<script>alert(1)</script>' }),
    'order_stored_without_number',
  ),
  stuck(
    'accepts an order under a waybill of five thousand characters',
    () => ok({ waybillCode: 'J'.repeat(5_000) }),
    'order_stored_without_number',
  ),
  stuck('accepts an order without a waybill', () => ok({}), 'order_stored_without_number'),
  stuck(
    'says that the order number exists, without a waybill',
    () => failed('订单号重复'),
    'order_stored_without_number',
  ),
  undecided(
    'loses the first answer and refuses every repeat',
    {},
    async ({ ground, judge, id }) => {
      judge((await ground.decide(id, { outcome: 'not_stored' })) === 200, 'the release is refused');
      expects(judge, await ground.see(id), {
        state_code: 90,
        delivery_id: null,
        held: 0,
        paid: 0,
        alerts: [],
      });
      judge(
        (await ground.decide(id, { outcome: 'not_stored' })) === 409,
        'a second release is accepted',
      );
    },
  ),
  undecided('refuses every repeat of an order that it has', {}, async ({ ground, judge, id }) => {
    const { waybill } = await ground.orderAt(id);
    judge(
      (await ground.decide(id, { outcome: 'stored', delivery_id: waybill })) === 200,
      'the waybill is refused',
    );
    expects(judge, await ground.see(id), {
      state_code: 100,
      delivery_id: waybill,
      held: estimate,
      paid: 0,
      alerts: [],
    });
  }),
  undecided(
    'refuses every repeat, and accepts the order when the office decides',
    { accepts: true },
    async ({ ground, judge, id }) => {
      judge(
        (await ground.decide(id, { outcome: 'not_stored' })) === 409,
        'the release is accepted',
      );
      const { waybill } = await ground.orderAt(id);
      expects(judge, await ground.see(id), {
        state_code: 100,
        delivery_id: waybill,
        held: estimate,
        paid: 0,
        alerts: [],
      });
    },
  ),
  undecided(
    'refuses every repeat, and closes the connection when the office decides',
    { mishap: 'reset' },
    async ({ ground, judge, id }) => {
      const { waybill } = await ground.orderAt(id);
      judge(
        (await ground.decide(id, { outcome: 'not_stored' })) === 503,
        'the release is accepted',
      );
      judge(
        (await ground.decide(id, { outcome: 'stored', delivery_id: waybill })) === 503,
        'the waybill is accepted',
      );
      expects(judge, await ground.see(id), {
        state_code: 20,
        delivery_id: null,
        held: estimate,
        paid: 0,
      });
    },
  ),
  undecided(
    'refuses every repeat, and knows another order under the waybill that is typed',
    {},
    async ({ ground, judge, id }) => {
      const other = await ground.until(
        await ground.order({}),
        ({ state_code }) => state_code === 100,
      );
      judge(
        (await ground.decide(id, { outcome: 'stored', delivery_id: other.delivery_id! })) === 409,
        'the waybill of another order is accepted',
      );
      expects(judge, await ground.see(id), {
        state_code: 20,
        delivery_id: null,
        held: estimate,
        paid: 0,
      });
      expects(judge, await ground.see(other.id), {
        state_code: 100,
        delivery_id: other.delivery_id,
        held: estimate,
      });
    },
  ),
  {
    name: 'gives an order the waybill of another parcel',
    slice: true,
    run: async (ground, judge) => {
      const other = await ground.until(
        await ground.order({}),
        ({ state_code }) => state_code === 100,
      );
      const id = await ground.order({ create: () => ok({ waybillCode: other.delivery_id }) });
      await ground.settle(id);
      expects(judge, await ground.see(id), {
        state_code: 20,
        delivery_id: null,
        held: estimate,
        paid: 0,
        alerts: ['waybill_taken'],
      });
      expects(judge, await ground.see(other.id), {
        state_code: 100,
        delivery_id: other.delivery_id,
        held: estimate,
      });
    },
  },
  {
    name: 'names another waybill when it is asked for the label',
    run: async (ground, judge) => {
      const id = await ground.order({
        create: ({ order, nth }) =>
          ok({
            waybillCode: nth === 1 ? order.waybill : `JDVE6999999999${nth % 10}`,
            needRetry: true,
          }),
      });
      await ground.until(id, ({ state_code }) => state_code === 100);
      await ground.settle(id);
      const seen = await ground.until(id, ({ alerts }) => alerts.length > 0);
      expects(judge, seen, {
        state_code: 100,
        held: estimate,
        paid: 0,
        alerts: ['waybill_conflict'],
      });
    },
  },
  {
    name: 'refuses an order in GBK',
    slice: true,
    run: async (ground, judge) => {
      const id = await ground.order({
        create: first(() => ({
          headers: { 'content-type': 'application/json;charset=GBK' },
          body: refusalInGbk,
        })),
      });
      expects(judge, await ground.until(id, ({ state_code }) => state_code !== 20), {
        state_code: 90,
        state_remark: '收件地址超区',
        held: 0,
        paid: 0,
      });
    },
  },
  {
    name: 'refuses an order in GBK and says that it is UTF-8',
    run: async (ground, judge) => {
      const id = await ground.order({ create: first(() => ({ body: refusalInGbk })) });
      expects(judge, await ground.until(id, ({ state_code }) => state_code !== 20), {
        state_code: 90,
        state_remark: '收件地址超区',
        held: 0,
        paid: 0,
      });
    },
  },
];
