import { expects } from './case.ts';
import type { HostileCase } from './case.ts';
import { estimate, pickedUp } from './ground.ts';
import type { Ground } from './ground.ts';
import { failed, ok, traceOf, traceRow, wallClock } from './program.ts';
import type { Order, Script } from './program.ts';

const accepted = async (ground: Ground, script: Script = {}): Promise<number> =>
  (await ground.until(await ground.order(script), ({ state_code }) => state_code === 100)).id;

/** Returns a script whose trace contains the given wrong rows after the correct rows. */
const tracing = (rows: (order: Order) => unknown[]): Script => ({
  trace: ({ order }) => traceOf(order, rows(order)),
});

/**
 * Returns a case in which the carrier sends wrong rows. The parcel must keep the state that it had
 * after the correct rows.
 */
const ignored = (
  name: string,
  rows: (order: Order) => unknown[],
  alerts: string[] = [],
  slice?: true,
): HostileCase => ({
  name,
  ...(slice && { slice }),
  run: async (ground, judge) => {
    const id = await accepted(ground, tracing(rows));
    const seen = await ground.move(id, pickedUp);
    expects(judge, seen, {
      state_code: 200,
      return_delivery_id: null,
      charged: true,
      paid: estimate,
      held: 0,
      alerts,
    });
  },
});

const cancels = (
  name: string,
  cancel: NonNullable<Script['cancel']>,
  wanted: object,
): HostileCase => ({
  name,
  run: async (ground, judge) => {
    const id = await accepted(ground, { cancel });
    const clerk = await ground.system.login('clerk');
    await ground.system.call(
      { token: clerk, headers: { 'idempotency-key': `hostile-cancel-${id}` } },
      'POST',
      `/api/arco/expresses/${id}/cancel`,
      { reason: '测试' },
    );
    await ground.settle(id);
    expects(judge, await ground.see(id), { paid: 0, ...wanted });
  },
});

const later = (order: Order): number => order.since + 30_000;
const deep = (levels: number): unknown => {
  let value: unknown = 'end';
  for (let n = 0; n < levels; n++) value = [value];
  return value;
};

export const movementCases: readonly HostileCase[] = [
  {
    name: 'returns a parcel under the waybill of another',
    slice: true,
    run: async (ground, judge) => {
      const other = await ground.see(await accepted(ground));
      const id = await accepted(
        ground,
        tracing((order) => [
          traceRow(order, [700, '200020'], later(order), {
            operationRemark: `换单返回 ${other.delivery_id}`,
          }),
        ]),
      );
      const seen = await ground.move(id, pickedUp);
      expects(judge, seen, {
        state_code: 200,
        return_delivery_id: null,
        paid: estimate,
        alerts: ['return_of_another'],
      });
      expects(judge, await ground.see(other.id), { state_code: 100, held: estimate, paid: 0 });
    },
  },
  {
    name: 'answers a trace of 8,000 rows',
    slice: true,
    run: async (ground, judge) => {
      const rows = (order: Order) =>
        Array.from({ length: 8_000 }, (_, n) =>
          traceRow(order, [430, `${n}`], order.since - 8_000 + n),
        );
      const id = await accepted(ground, tracing(rows));
      await ground.move(id, pickedUp);
      const seen = await ground.ask(id, 'ask_trace');
      judge(seen.messages <= 1_000, `${seen.messages} messages are stored`);
      judge(seen.alerts.includes('messages_cut'), `the alerts are ${seen.alerts.join(', ')}`);
      judge(seen.paid === 0 || seen.paid === estimate, `it paid ${seen.paid}`);
    },
  },
  ignored('repeats one row of a trace five thousand times', (order) =>
    Array.from({ length: 5_000 }, () => traceRow(order, [420, '200001'], later(order))),
  ),
  ignored(
    'answers rows of a trace that are none',
    (order) => [
      null,
      1,
      'row',
      [],
      {},
      { waybillCode: order.waybill },
      { operationTime: 'soon', category: 510 },
    ],
    [],
    true,
  ),
  ignored('answers a row of a trace with three thousand levels', (order) => [
    traceRow(order, [420, '200001'], later(order), { deep: deep(3_000) }),
  ]),
  ignored('answers a row of a trace with characters that no database stores', (order) => [
    traceRow(order, [420, '200001'], later(order), {
      operationRemark: '\u0000\ud800',
      operatorName: '\u0000',
      '\u0000': 1,
    }),
  ]),
  ignored('answers a row of a trace whose names are those of every object', (order) => [
    JSON.parse(
      `{"__proto__":{"category":510},"constructor":1,"waybillCode":"${order.waybill}","operationTime":"${wallClock(later(order))}"}`,
    ),
  ]),
  ignored(
    'signs for a parcel before it was ordered',
    (order) => [traceRow(order, [510, '10034'], order.since - 86_400_000)],
    ['message_early'],
  ),
  ignored(
    'signs for a parcel in the year 9999',
    (order) => [
      traceRow(order, [510, '10034'], order.since, { operationTime: '9999-12-31 23:59:59' }),
    ],
    ['message_future'],
  ),
  ignored('signs for a parcel on the 31st of February', (order) => [
    traceRow(order, [510, '10034'], order.since, { operationTime: '2026-02-31 10:00:00' }),
  ]),
  ignored(
    'reports another waybill in a trace',
    (order) => [traceRow(order, [510, '10034'], later(order), { waybillCode: 'JDVE61234567890' })],
    ['message_waybill'],
    true,
  ),
  ignored(
    'reports a code that nobody knows',
    (order) => [traceRow(order, [987_654, 'x'], later(order))],
    ['carrier_code_unknown'],
  ),
  {
    name: 'answers a trace as an object',
    run: async (ground, judge) => {
      const id = await accepted(ground, { trace: () => ok({ traceDetails: { '510': 'signed' } }) });
      expects(judge, await ground.ask(id, 'ask_trace'), {
        state_code: 100,
        held: estimate,
        paid: 0,
      });
    },
  },
  {
    name: 'pushes a signature that its own trace does not have',
    slice: true,
    run: async (ground, judge) => {
      const id = await accepted(ground);
      const order = await ground.orderAt(id);
      judge(
        (await ground.push(JSON.stringify(traceRow(order, [510, '10034'], Date.now())))) === 200,
        'the push was refused',
      );
      await ground.settle(id);
      expects(judge, await ground.see(id), {
        state_code: 100,
        held: estimate,
        paid: 0,
        charged: false,
      });
    },
  },
  {
    name: 'pushes lists of several parcels, many at once and in any order',
    slice: true,
    run: async (ground, judge) => {
      const ids = [await accepted(ground), await accepted(ground), await accepted(ground)];
      const orders: Order[] = [];
      for (const id of ids) orders.push(await ground.orderAt(id));
      const bodies = Array.from({ length: 30 }, (_, n) =>
        JSON.stringify(
          (n % 2 ? orders : orders.toReversed()).map((order) =>
            traceRow(order, [390, '200034'], order.since + n * 1_000),
          ),
        ),
      );
      const answers = await Promise.all(bodies.map((body) => ground.push(body)));
      judge(
        answers.every((status) => status === 200),
        `answered ${[...new Set(answers)].join(', ')}`,
      );
      for (const id of ids) {
        const seen = await ground.until(id, ({ messages }) => messages >= 30);
        expects(judge, seen, { state_code: 100, held: estimate, paid: 0 });
      }
    },
  },
  {
    name: 'pushes in GBK, garbage, HTML and nothing',
    run: async (ground, judge) => {
      const id = await accepted(ground);
      const order = await ground.orderAt(id);
      const [before, after] = JSON.stringify(
        traceRow(order, [390, '200034'], Date.now(), { operationTitle: '@' }),
      ).split('@');
      const gbk = Buffer.concat([
        Buffer.from(before!),
        Buffer.from([0xb2, 0xe2, 0xca, 0xd4]),
        Buffer.from(after!),
      ]);
      const statuses = [];
      for (const body of [new Uint8Array(gbk), '{', '<html></html>', '[]', 'null', '[[[[]]]]'])
        statuses.push(await ground.push(body));
      judge(
        statuses.every((status) => status === 200),
        `answered ${statuses.join(', ')}`,
      );
      await ground.until(id, ({ messages }) => messages > 0);
      expects(judge, await ground.see(id), { state_code: 100, held: estimate, paid: 0 });
    },
  },
  cancels('answers a cancel with a result that does not exist', () => ok({ resultType: 99 }), {
    state_code: 100,
    held: estimate,
  }),
  cancels(
    'refuses a cancel and says that it is done',
    () => failed('取消失败', { data: { resultType: 0 } }),
    { state_code: 100, held: estimate },
  ),
  cancels('answers a cancel with HTML', () => ({ body: '<html>' }), {
    state_code: 100,
    held: estimate,
  }),
  {
    name: 'intercepts a parcel under the waybill of another',
    run: async (ground, judge) => {
      const other = await ground.see(await accepted(ground));
      const id = await accepted(ground, {
        cancel: () => ok({ resultType: 1 }, { msg: `已拦截，新运单号 ${other.delivery_id}` }),
      });
      await ground.move(id, pickedUp);
      const clerk = await ground.system.login('clerk');
      await ground.system.call(
        { token: clerk, headers: { 'idempotency-key': `hostile-cancel-${id}` } },
        'POST',
        `/api/arco/expresses/${id}/cancel`,
        { reason: '测试' },
      );
      await ground.settle(id);
      const seen = await ground.until(id, ({ state_code }) => state_code === 410);
      expects(judge, seen, {
        return_delivery_id: null,
        paid: estimate,
        alerts: ['return_of_another'],
      });
    },
  },
];
