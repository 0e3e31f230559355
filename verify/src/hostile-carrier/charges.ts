import { expects } from './case.ts';
import type { HostileCase, Judge } from './case.ts';
import { estimate, pickedUp, signed } from './ground.ts';
import type { Ground } from './ground.ts';
import { carriage, feesOf, ok, traceOf, traceRow } from './program.ts';
import type { Reply, Script } from './program.ts';

const details = (cargo: object): Script => ({
  details: ({ order }) =>
    order.moved.length > 1 ? ok({ orderId: order.order_id, cargoes: [cargo] }) : undefined,
});
const fees = (reply: (nth: number) => Reply): Script => ({
  fee: ({ order, nth }) => (order.moved.length > 1 ? reply(nth) : undefined),
});
const row = (feeType: unknown, money: unknown): object => ({
  feeType,
  feeTypeName: String(feeType),
  money,
});
const extra = (feeType: string, money: unknown): Script =>
  fees(() => feesOf([carriage, row(feeType, money)], 9));

/**
 * Checks that nothing is posted for a charge that the carrier reports, until an administrator
 * decides. This also holds if the carrier repeats the report and the parcel moves on.
 */
const isHeld = async (ground: Ground, judge: Judge, script: Script): Promise<number> => {
  const id = await ground.order(script);
  await ground.move(id, pickedUp);
  expects(judge, await ground.ask(id), {
    exception: 'charge',
    charged: false,
    paid: 0,
    held: estimate,
    jd_weight: null,
    jd_amount: null,
    facts: 2,
  });
  const later = await ground.move(id, signed);
  expects(judge, later, {
    state_code: 300,
    exception: 'charge',
    charged: false,
    paid: 0,
    held: estimate,
    alerts: ['charge_doubtful'],
  });
  return id;
};
const held = (name: string, script: Script, slice?: true): HostileCase => ({
  name,
  ...(slice && { slice }),
  run: async (ground, judge) => void (await isHeld(ground, judge, script)),
});

/** An administrator decides on the charge that the carrier reported for a parcel. */
const decide = async ({ system }: Ground, id: number, decision: string): Promise<number> => {
  const admin = await system.login('admin');
  const { data } = await system.call<{ charge: { no: number } | null }>(
    admin,
    'GET',
    `/api/arco/expresses/${id}/charge`,
  );
  const body = { no: data.charge?.no ?? 1, decision, reason: 'test' };
  return (await system.call(admin, 'POST', `/api/arco/expresses/${id}/charge`, body)).status;
};

export const chargeCases: readonly HostileCase[] = [
  held('weighs 49 kg for 4.3 declared', details({ againWeight: '49' }), true),
  held('weighs three million kilograms', details({ againWeight: 3_000_000 }), true),
  held('weighs 1e30 kilograms', details({ againWeight: 1e30 })),
  held('weighs less than nothing', details({ againWeight: '-4.3' })),
  held('answers a word as the weight', details({ againWeight: 'heavy' })),
  held('answers a list as the weight', details({ againWeight: [4, 5] })),
  held(
    'measures a volume of a cubic kilometre',
    details({ againWeight: '4.3', againVolume: '999999999999999' }),
  ),
  held(
    'bills 900 kg for a weight of 4.3',
    fees(() => ok({ sumMoney: 9, calWeight: 900, commonActualFeeInfoDetails: [carriage] })),
  ),
  held('charges a surcharge of 99,999,999,999 yuan', extra('QLHCF', 99_999_999_999), true),
  held('charges a surcharge of 1e300 yuan', extra('QLHCF', 1e300)),
  held(
    'charges a hundred fees of unknown codes',
    fees(() => feesOf(Array.from({ length: 40 }, (_, n) => row(`Z${n}`, 0.01)))),
    true,
  ),
  held(
    'charges ten thousand fees',
    fees(() => feesOf(Array.from({ length: 10_000 }, () => row('QLHCF', 0.01)))),
  ),
  held('charges one unknown fee of a fen', extra('ZZZ', '0.01')),
  held('charges a fee whose code is a name of every object', extra('constructor', 1)),
  held('charges cash on delivery that nobody ordered', extra('QLDS', 2)),
  held('charges a returned receipt that nobody ordered', extra('QLQDFH', 5)),
  held('charges insurance that nobody ordered', extra('QLBJ', 1)),
  held('charges a negative fee', extra('QLHCF', -5), true),
  held('charges a fee without an amount', extra('QLHCF', undefined)),
  held(
    'charges an amount without a fee',
    fees(() => feesOf([carriage, { money: 1 }])),
  ),
  held(
    'answers the fees as a text',
    fees(() => feesOf('none' as never)),
  ),
  held(
    'answers the fees as an object',
    fees(() => feesOf({ QIPSF: 9 } as never)),
  ),
  held(
    'answers rows of fees that are none',
    fees(() => feesOf([null, 'QIPSF', 9, [carriage]])),
  ),
  held(
    'charges a negative total',
    fees(() => feesOf([carriage], -9)),
  ),
  held(
    'charges a word as the total',
    fees(() => feesOf([carriage], 'soon')),
  ),
  held(
    'charges fees without a total',
    fees(() => ok({ commonActualFeeInfoDetails: [carriage] })),
  ),
  held(
    'charges a hundred times the price',
    fees(() => feesOf([row('QIPSF', 1_800)], 1_800)),
    true,
  ),
  held(
    'names the total twice, the second a million',
    fees(() => ({ body: '{"code":0,"success":true,"data":{"sumMoney":9,"sumMoney":1000000}}' })),
  ),
  held(
    'repeats one fee until it adds up',
    fees(() => feesOf(Array.from({ length: 50 }, () => row('QLHCF', 3)))),
  ),
  {
    name: 'charges more each time it is asked',
    slice: true,
    run: async (ground, judge) => {
      const id = await ground.order(fees((nth) => feesOf([carriage, row('QLHCF', 1_000 + nth)])));
      await ground.move(id, pickedUp);
      for (let n = 0; n < 25; n++) await ground.ask(id);
      expects(judge, await ground.see(id), {
        exception: 'charge',
        paid: 0,
        held: estimate,
        facts: 21,
      });
    },
  },
  {
    name: 'weighs two kilograms more each time',
    run: async (ground, judge) => {
      const script: Script = {
        details: ({ order, nth }) =>
          ok({ orderId: order.order_id, cargoes: [{ againWeight: String(4.3 + nth * 2) }] }),
      };
      const id = await ground.order(script);
      await ground.move(id, pickedUp);
      for (let n = 0; n < 12; n++) await ground.ask(id);
      const seen = await ground.see(id);
      judge((seen.jd_weight ?? 0) <= 14_300, `it is charged for ${seen.jd_weight} g`);
      judge(seen.paid === seen.post_amount && seen.paid <= 3 * 2_000, `it paid ${seen.paid}`);
      expects(judge, seen, { exception: 'charge', charged: true });
    },
  },
  {
    name: 'charges without end for the way back',
    run: async (ground, judge) => {
      const id = await ground.order({
        trace: ({ order }) => {
          if (order.moved.length < 3) return undefined;
          order.back = 'JDVE60000000001';
          return traceOf({ ...order, moved: order.moved.slice(0, 2) }, [
            traceRow(order, [700, '200020'], Date.now(), {
              operationRemark: `换单返回 ${order.back}`,
            }),
          ]);
        },
        fee: ({ request, order }) =>
          request['waybillCode'] === order.back
            ? feesOf([row('QIPSF', 999_999)], 999_999)
            : order.moved.length > 1
              ? feesOf([carriage])
              : undefined,
      });
      await ground.move(id, pickedUp);
      const before = await ground.until(id, ({ charged }) => charged);
      const seen = await ground.move(id, [700, '200020']);
      expects(judge, seen, {
        state_code: 410,
        return_delivery_id: 'JDVE60000000001',
        exception: 'charge',
        paid: before.paid,
        jd_amount: before.jd_amount,
      });
    },
  },
  {
    name: 'charges too much, and then what is right',
    slice: true,
    run: async (ground, judge) => {
      const id = await ground.order(
        fees((nth) =>
          nth < 3
            ? feesOf([carriage, row('QLHCF', 5_000)])
            : feesOf([carriage, row('QLHCF', 3)], 12),
        ),
      );
      await ground.move(id, pickedUp);
      const seen = await ground.until((await ground.ask(id)).id, ({ charged }) => charged);
      expects(judge, seen, { exception: null, paid: estimate + 300, jd_amount: 1_200, alerts: [] });
    },
  },
  {
    name: 'charges too much, and the office disputes it',
    run: async (ground, judge) => {
      const id = await isHeld(ground, judge, details({ againWeight: '49' }));
      judge((await decide(ground, id, 'dispute')) === 200, 'the dispute was refused');
      await ground.settle(id);
      expects(judge, await ground.ask(id), {
        exception: null,
        paid: estimate,
        charged: true,
        jd_weight: null,
      });
    },
  },
  {
    name: 'charges what cannot be read, and the office accepts it',
    run: async (ground, judge) => {
      const id = await isHeld(ground, judge, extra('QLHCF', -5));
      judge((await decide(ground, id, 'accept')) === 409, 'the acceptance was not refused');
      expects(judge, await ground.see(id), { exception: 'charge', paid: 0 });
    },
  },
];
