import type { Chance } from './chance.ts';

export type Fate = 'signed' | 'returned' | 'cancelled' | 'failed';

/**
 * One tracking event of the carrier: the simulator's name of the step, and the content of JDL's
 * push.
 */
export interface Node {
  step: string;
  at: Date;
  category?: number;
  categoryName: string;
  state?: string;
  title: string;
  remark: string;
}

const minute = 60_000;
const hour = 60 * minute;

type Leg = [
  step: string,
  least: number,
  most: number,
  category: number | undefined,
  categoryName: string,
  state: string | undefined,
  title: string,
  remark: string,
];

const start: Leg[] = [
  ['placed', 0, 0, 100, '已下单', undefined, '已下单', '订单已提交，等待揽收'],
  ['assigned', 15 * minute, 90 * minute, 390, '揽收中', '200034', '揽收任务分配', '揽收任务已分配'],
];
const way: Leg[] = [
  ['picked_up', 1 * hour, 6 * hour, 420, '已揽收', '200001', '揽收完成', '包裹已揽收'],
  ['departed', 1 * hour, 3 * hour, 430, '运输中', '200076', '封车发车', '包裹已从始发站发出'],
  ['sorted', 3 * hour, 9 * hour, 430, '运输中', '10032', '分拣中心验货', '包裹已到达分拣中心'],
  [
    'departed_sort',
    1 * hour,
    3 * hour,
    430,
    '运输中',
    '200076',
    '封车发车',
    '包裹已从分拣中心发出',
  ],
  ['at_station', 10 * hour, 30 * hour, 430, '运输中', '200075', '站点收货', '包裹已到达派送站点'],
  ['out', 1 * hour, 5 * hour, 440, '派送中', '11000', '配送员收货', '配送员正在派送'],
];
const delivered: Leg[] = [
  ['delivered', 1 * hour, 6 * hour, 510, '妥投', '10034', '妥投', '包裹已签收'],
];
const sentBack: Leg[] = [
  ['refused', 1 * hour, 6 * hour, 530, '拒收', '10035', '拒收', '收件人拒收'],
  ['returning', 2 * hour, 8 * hour, 700, '退货', undefined, '退回', '包裹开始退回'],
  ['return_departed', 2 * hour, 8 * hour, 430, '运输中', '200076', '封车发车', '退回包裹已发出'],
  ['return_out', 14 * hour, 30 * hour, 440, '派送中', '11000', '配送员收货', '退回包裹正在派送'],
  ['returned', 1 * hour, 5 * hour, 510, '妥投', '10034', '妥投', '退回包裹已签收'],
];
const calledOff: Leg[] = [
  ['cancelled', 10 * minute, 2 * hour, 690, '已取消', undefined, '已取消', '寄件人取消订单'],
];

const legsOf = (fate: Fate): Leg[] => {
  if (fate === 'failed') return [];
  if (fate === 'cancelled') return [...start, ...calledOff];
  return [...start, ...way, ...(fate === 'returned' ? sentBack : delivered)];
};

/** All past and future nodes of a parcel. Their times are whole seconds. */
export const journeyOf = (chance: Chance, fate: Fate, orderedAt: Date): Node[] => {
  let at = Math.floor(orderedAt.getTime() / 1000) * 1000;
  return legsOf(fate).map(([step, least, most, category, categoryName, state, title, remark]) => {
    at += Math.floor(chance.whole(least, most) / 1000) * 1000;
    return {
      step,
      at: new Date(at),
      ...(category !== undefined && { category }),
      categoryName,
      ...(state !== undefined && { state }),
      title,
      remark,
    };
  });
};

const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/**
 * The push that the carrier would send for a tracking event, in the format that the real adapter
 * reads.
 */
export const pushOf = (node: Node, waybillCode: string, orderId: string): string =>
  JSON.stringify({
    waybillCode,
    orderId,
    category: node.category,
    categoryName: node.categoryName,
    state: node.state,
    operationTitle: node.title,
    operationRemark: node.remark,
    operationTime: wallClock.format(node.at),
    operatorName: '示例员',
    operateSite: '*示例营业部',
  });
