import { wallClock } from '#wall-clock.ts';
import { addressAt, toldSteps } from './order.ts';
import { placeOf } from './places.ts';
import { courierOf, sortCentreOf, stationOf } from './stations.ts';
import type { Order, Step, ToldCode } from './order.ts';
import type { Place } from './places.ts';

type Site = { id: string; name: string };
/**
 * The codes and texts of a trace node. If the carrier's public table contains no category or state
 * for the node, none is sent.
 */
type Node = {
  category?: number;
  categoryName: string;
  state?: string;
  scanType?: string;
  title: string;
  where: 'sender' | 'receiver' | 'first_sort' | 'last_sort';
  remark(site: Site, order: Order): string;
};

const nodes: Record<Exclude<ToldCode, 'told'>, Node> = {
  placed: {
    category: 100,
    categoryName: '已下单',
    title: '已下单',
    where: 'sender',
    remark: () => '您的订单已提交，等待快递员上门揽收',
  },
  assigned: {
    category: 390,
    categoryName: '揽收中',
    state: '200034',
    scanType: '-625',
    title: '揽收任务分配',
    where: 'sender',
    remark: (site) => `揽收任务已分配给${site.name}`,
  },
  pickup_ended: {
    categoryName: '终止揽收',
    state: '200052',
    title: '终止揽收',
    where: 'sender',
    remark: () => '揽收任务已终止，包裹未取走',
  },
  picked_up: {
    category: 420,
    categoryName: '已揽收',
    state: '200001',
    scanType: '-640',
    title: '揽收完成',
    where: 'sender',
    remark: (site) => `${site.name}已揽收包裹`,
  },
  departed: {
    category: 430,
    categoryName: '运输中',
    state: '200076',
    scanType: '-450',
    title: '封车发车',
    where: 'sender',
    remark: (site) => `包裹已从${site.name}发出`,
  },
  sorted: {
    category: 430,
    categoryName: '运输中',
    state: '10032',
    scanType: '10',
    title: '分拣中心验货',
    where: 'first_sort',
    remark: (site) => `包裹已到达${site.name}`,
  },
  departed_sort: {
    category: 430,
    categoryName: '运输中',
    state: '200076',
    scanType: '-450',
    title: '封车发车',
    where: 'last_sort',
    remark: (site) => `包裹已从${site.name}发往配送站点`,
  },
  at_station: {
    category: 430,
    categoryName: '运输中',
    state: '200075',
    scanType: '60',
    title: '站点收货',
    where: 'receiver',
    remark: (site) => `包裹已到达${site.name}`,
  },
  out: {
    category: 440,
    categoryName: '派送中',
    state: '11000',
    scanType: '110',
    title: '配送员收货',
    where: 'receiver',
    remark: (site) => `${site.name}的配送员正在派送`,
  },
  attempted: {
    category: 440,
    categoryName: '派送中',
    state: '200023',
    title: '协商再投',
    where: 'receiver',
    remark: () => '收件人约定改期，稍后再次派送',
  },
  delivered: {
    category: 510,
    categoryName: '妥投',
    state: '10034',
    scanType: '150',
    title: '妥投',
    where: 'receiver',
    remark: () => '包裹已签收，感谢使用',
  },
  refused: {
    category: 530,
    categoryName: '拒收',
    state: '10035',
    title: '拒收',
    where: 'receiver',
    remark: () => '收件人拒收',
  },
  relabelled: {
    categoryName: '换单返回',
    state: '200020',
    title: '换单返回',
    where: 'receiver',
    remark: (_site, order) => `包裹已换单返回，新运单号：${order.return_waybill ?? ''}`,
  },
  returning: {
    category: 700,
    categoryName: '退货',
    title: '包裹退回',
    where: 'receiver',
    remark: () => '包裹开始退回寄件人',
  },
  return_departed: {
    category: 430,
    categoryName: '运输中',
    state: '200076',
    scanType: '-450',
    title: '封车发车',
    where: 'last_sort',
    remark: (site) => `退回的包裹已从${site.name}发出`,
  },
  return_at_station: {
    category: 430,
    categoryName: '运输中',
    state: '200075',
    scanType: '60',
    title: '站点收货',
    where: 'sender',
    remark: (site) => `退回的包裹已到达${site.name}`,
  },
  return_out: {
    category: 440,
    categoryName: '派送中',
    state: '11000',
    scanType: '110',
    title: '配送员收货',
    where: 'sender',
    remark: (site) => `${site.name}的配送员正在送还包裹`,
  },
  returned: {
    category: 510,
    categoryName: '妥投',
    state: '10034',
    scanType: '150',
    title: '妥投',
    where: 'sender',
    remark: () => '包裹已退回寄件人',
  },
  cancelled: {
    category: 690,
    categoryName: '已取消',
    title: '已取消',
    where: 'sender',
    remark: () => '订单已取消',
  },
};

const nowhere: Place = { province: '', city: '', county: '', rest: '' };

const siteOf = (where: Node['where'], from: Place, to: Place): { site: Site; place: Place } => {
  const place = where === 'sender' || where === 'first_sort' ? from : to;
  const found = where === 'sender' || where === 'receiver' ? stationOf(place) : sortCentreOf(place);
  const name = found.name.replace(/^\*/, '');
  return { site: { id: 'id' in found ? found.id : found.number, name }, place };
};

/** A step of the trace in the carrier's words and codes, with the place where it happened. */
type Told = { node: Node; site: Site; place: Place; cancelReason?: string };

const tell = (order: Order, step: Step, index: number): Told => {
  const from = placeOf(order.sender.address) ?? nowhere;
  const to = placeOf(addressAt(order, index)) ?? nowhere;
  if (step.code === 'told') {
    const custom = step.node ?? {};
    const title = custom.title ?? custom.category_name ?? '';
    const node: Node = {
      ...(custom.category === undefined ? {} : { category: custom.category }),
      ...(custom.state === undefined ? {} : { state: custom.state }),
      categoryName: custom.category_name ?? title,
      title,
      where: 'receiver',
      remark: () => custom.remark ?? title,
    };
    return {
      node,
      ...siteOf('receiver', from, to),
      ...(custom.cancel_reason === undefined ? {} : { cancelReason: custom.cancel_reason }),
    };
  }
  const node = nodes[step.code as Exclude<ToldCode, 'told'>];
  const ended =
    step.code === 'pickup_ended'
      ? { cancelReason: step.node?.cancel_reason ?? '寄件人暂不寄件' }
      : {};
  return { node, ...siteOf(node.where, from, to), ...ended };
};

const codesOf = (node: Node): Record<string, unknown> => ({
  ...(node.category === undefined ? {} : { category: node.category }),
  categoryName: node.categoryName,
  ...(node.state === undefined ? {} : { state: node.state }),
});

/**
 * Returns the message that is pushed for the step with this index: one JSON object, without a
 * signature and without the weight.
 */
export const pushMessage = (order: Order, index: number): Record<string, unknown> => {
  const step = order.steps[index] as Step;
  const { node, site, place, cancelReason } = tell(order, step, index);
  return {
    waybillCode: order.waybill_code,
    orderId: order.order_id,
    ...codesOf(node),
    ...(node.scanType === undefined ? {} : { scanType: node.scanType }),
    operationTitle: node.title,
    operationRemark: node.remark(site, order),
    operationTime: wallClock(step.at),
    operateSiteId: site.id,
    operateSite: site.name,
    routeProvinceName: place.province,
    routeCityName: place.city,
    routeDistrictName: place.county,
    routeAddress: `${place.province}${place.city === place.province ? '' : place.city}${place.county}`,
    ...(cancelReason === undefined ? {} : { cancelReason }),
  };
};

/** Returns the nodes of a parcel as a trace query returns them, oldest first. */
export const traceDetails = (order: Order): Record<string, unknown>[] =>
  toldSteps(order).map(({ step, index }) => {
    const { node, site, place } = tell(order, step, index);
    const courier = courierOf(place);
    return {
      waybillCode: order.waybill_code,
      ...codesOf(node),
      operationTitle: node.title,
      operationRemark: node.remark(site, order),
      operationTime: wallClock(step.at),
      operatorName: courier.name,
      operatorPhone: courier.phone,
      operateSiteId: site.id,
    };
  });

/**
 * Returns the category and the text of a parcel's present node. Two nodes have no category of their
 * own. They get the category of the cancellation or of the return.
 */
export const statusOf = (
  order: Order,
): { status: number; statusDesc: string; state: string | null; at: number | null } => {
  const latest = toldSteps(order).at(-1);
  if (latest === undefined) return { status: 100, statusDesc: '已下单', state: null, at: null };
  const { node } = tell(order, latest.step, latest.index);
  const stand = node.state === '200052' ? 690 : node.state === '200020' ? 700 : 0;
  return {
    status: node.category ?? stand,
    statusDesc: node.categoryName,
    state: node.state ?? null,
    at: latest.step.at,
  };
};
