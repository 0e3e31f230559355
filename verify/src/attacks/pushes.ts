import { sql } from '@waystation/server/testing/product.ts';
import { heard } from '@waystation/server/testing/counter.ts';
import { eventually, exampleOrder, rowsOf } from '@waystation/server/testing/scene.ts';
import type { Scene } from '@waystation/server/testing/scene.ts';
import type { Attack } from './attack.ts';

interface Parcel {
  id: number;
  order_id: string;
  delivery_id: string;
  state_code: number;
}
let keys = 0;

const ordered = async (scene: Scene): Promise<Parcel> => {
  const clerk = await scene.login('clerk');
  await scene.carrier.control('POST', 'settings', { push: { on: false } });
  await scene.topUp('nanshan', 100_000);
  const { data } = await scene.call<Parcel>(clerk, 'POST', '/api/arco/expresses', exampleOrder(), { 'idempotency-key': `attack-push-${++keys}` });
  return eventually(async () => {
    const { data: parcel } = await scene.call<Parcel>(clerk, 'GET', `/api/arco/expresses/${data.id}`);
    return parcel.state_code === 100 && parcel;
  });
};

const wallClock = (milliseconds: number): string => new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const push = (scene: Scene, nodes: object | object[], secret = scene.network.push_secret): Promise<Response> =>
  fetch(`${scene.url}/api/carriers/jdl/push/${secret}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(nodes) });
/** On a machine that is busy elsewhere a thousand pushes take a while to read. */
const patience = 50_000;
const settled = async (scene: Scene): Promise<void> => {
  await eventually(async () => (await rowsOf(scene, sql`select 1 from carrier_pushes where outcome = 'received'`)).length === 0, patience);
  await eventually(async () => (await rowsOf(scene, sql`select 1 from graphile_worker._private_jobs where run_at <= now()`)).length === 0, patience);
};
const stateOf = async (scene: Scene, id: number): Promise<number> =>
  (await rowsOf(scene, sql<{ state_code: number }>`select state_code from expresses where id = ${id}`))[0]!.state_code;

export const pushAttacks: readonly Attack[] = [
  {
    name: 'somebody who knows the push address says that a parcel was signed for, returned or cancelled',
    run: async (scene, judge) => {
      for (const category of [510, 700, 690, 420]) {
        const parcel = await ordered(scene);
        const node = { waybillCode: parcel.delivery_id, orderId: parcel.order_id, operationTitle: '伪造', operationTime: wallClock(Date.now()), category };
        await push(scene, node);
        await settled(scene);
        const state = await stateOf(scene, parcel.id);
        judge(state === 100, `a forged push ${category} moved the parcel to ${state}`);
      }
    },
  },
  {
    name: 'a push that is dated before the order or days ahead, or names another waybill',
    run: async (scene, judge) => {
      const parcel = await ordered(scene);
      const node = { waybillCode: parcel.delivery_id, orderId: parcel.order_id, operationTitle: '伪造', category: 440 };
      for (const [what, change] of [
        ['a day before the order', { operationTime: wallClock(Date.now() - 86_400_000) }],
        ['two days ahead', { operationTime: wallClock(Date.now() + 2 * 86_400_000) }],
        ['of another waybill', { operationTime: wallClock(Date.now()), waybillCode: 'JDVE00000000077' }],
      ] as const) {
        await push(scene, { ...node, ...change });
        await settled(scene);
        judge((await stateOf(scene, parcel.id)) === 100, `a push ${what} was folded`);
      }
    },
  },
  {
    name: 'a thousand pushes for one parcel make the product call the carrier each time',
    run: async (scene, judge) => {
      const parcel = await ordered(scene);
      for (let part = 0; part < 10; part++) {
        const nodes = Array.from({ length: 100 }, (_, n) => ({
          waybillCode: parcel.delivery_id,
          orderId: parcel.order_id,
          operationTitle: `伪造 ${part} ${n}`,
          operationTime: wallClock(Date.now() + n * 1_000),
          category: 510,
        }));
        judge((await push(scene, nodes)).status === 200, 'a push was not taken');
      }
      await settled(scene);
      const asked = (await heard(scene, 'trace/query')).filter(({ body }) => body.includes(parcel.delivery_id)).length;
      judge(asked <= 2, `the carrier was asked ${asked} times`);
    },
  },
  {
    name: 'pushes with guessed secrets',
    slice: true,
    run: async (scene, judge) => {
      for (const secret of ['0'.repeat(32), 'x', '%00', encodeURIComponent(`' or 1=1 --`), scene.network.push_secret.slice(0, -1)]) {
        const { status } = await push(scene, { waybillCode: 'JDVE00000000001', category: 510, operationTime: wallClock(Date.now()) }, secret);
        judge(status === 404, `secret ${secret} was answered ${status}`);
      }
    },
  },
];
