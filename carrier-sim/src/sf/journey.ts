import { drawWhole } from '#draw.ts';
import { says } from './sf-order.ts';
import type { SfOrder, Step } from './sf-order.ts';

type Leg = Omit<Step, 'at'> & { least: number; most: number };

const minute = 60_000;

const leg = (op: string, remark: string, [least, most]: [number, number], place = ''): Leg => ({
  op,
  remark,
  place,
  least,
  most,
});
const state = (code: string, [least, most]: [number, number]): Leg => ({
  op: '',
  remark: '',
  place: '',
  order_state: code,
  least,
  most,
});

const roadOf = ({ sender, receiver }: SfOrder): Leg[] => [
  leg('30', `快件在【${sender.city}集散中心】已装车`, [60, 180], sender.city),
  leg('31', `快件到达【${receiver.city}集散中心】`, [360, 1200], receiver.city),
  leg('44', '快件交给【王师傅】，正在派送途中', [60, 240], receiver.city),
];

const signed = (order: SfOrder, wait: [number, number]): Leg =>
  leg('80', '已签收，感谢使用顺丰', wait, order.receiver.city);

const endOf = (order: SfOrder): Leg[] => {
  const { city } = order.receiver;
  if (says(order, 'lost')) return [{ ...leg('8000', '快件遗失', [600, 900], city), reason: '6' }];
  if (says(order, 'locker'))
    return [
      leg('125', '快件已放入丰巢智能柜，请及时取件', [30, 240], city),
      signed(order, [300, 660]),
    ];
  if (says(order, 'failed'))
    return [
      leg('70', '因电话无人接听，派送不成功', [30, 240], city),
      leg('44', '再次派送', [600, 1200], city),
      signed(order, [30, 240]),
    ];
  return [signed(order, [30, 240])];
};

/**
 * Gives each leg a time: the first leg follows the time `from`, and each other leg follows the one
 * before it.
 */
export const stepsFrom = (seed: string, order: SfOrder, legs: Leg[], from: number): Step[] => {
  let at = from;
  return legs.map(({ least, most, ...step }, i) => {
    at += drawWhole(least, most, seed, order.partner, order.order_id, step.op, i) * minute;
    return { ...step, at: Math.floor(at / 1000) * 1000 };
  });
};

/** Returns the planned steps of a new order. */
export const journeyOf = (seed: string, order: SfOrder): Step[] => {
  const pickup: Leg[] = [
    state('04-40037', [0, 0]),
    state('04-40001', [3, 20]),
    state('05-40003', [60, 240]),
    leg('50', '顺丰速运已收取快件', [0, 0], order.sender.city),
  ];
  const end = says(order, 'returned') ? returnLegs(order, '收方拒收') : endOf(order);
  return stepsFrom(seed, order, [...pickup, ...roadOf(order), ...end], order.created_at);
};

/**
 * The steps of a parcel that returns under a new waybill. The remark of the first step contains
 * that waybill.
 */
export const returnLegs = (order: SfOrder, why: string): Leg[] => [
  leg(
    '648',
    `${why}，快件已退回/转寄，新单号为：${order.return_waybill ?? ''}`,
    [30, 240],
    order.receiver.city,
  ),
  leg('80', '退回件已签收', [1200, 2400], order.sender.city),
];
