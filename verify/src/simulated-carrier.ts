import type { TestCarrier } from '@waystation/server/testing/simulator.ts';

/** An order as the carrier stores it. The fee is in fen, and null before the pickup. */
export interface KnownOrder {
  order_id: string;
  waybill: string;
  fee_amount: number | null;
  cancelled: boolean;
  /**
   * The weight in grams and the volume in cm³ that the carrier measured; null before the pickup.
   */
  weighed: { weight: number; volume: number } | null;
  /** The fee in fen that the carrier charges for a return shipment under another waybill. */
  return_fee_amount: number;
  insured: number;
}

/**
 * The weight in grams, the volume in cm³ and the surcharges in fen that the carrier has for a
 * parcel.
 */
export interface Figures {
  weight: number;
  volume: number;
  surcharges: number;
}

/**
 * A kind of call, identified by its path, for which faults are injected. `after` is the number of
 * calls with the same path that the operation makes before this call.
 */
export interface NamedCall {
  path: string;
  after: number;
}

/**
 * The parts of the simulator that differ between carriers. Each object is for one carrier. Its
 * functions take a waybill number.
 */
export interface SimulatedCarrier {
  provider: 'jdl' | 'sf';
  measuresVolume: boolean;
  calls: { weight: NamedCall; fee: NamedCall };
  /** Sets the weight that the carrier measures for a parcel and the amount that it charges. */
  show(waybill: string, figures: Figures): Promise<void>;
  pickUp(waybill: string): Promise<void>;
  deliver(waybill: string): Promise<void>;
  /**
   * Makes the carrier cancel an order before pickup and report the cancellation. The function is
   * absent if the carrier never reports a cancellation.
   */
  cancel?(waybill: string): Promise<void>;
  /**
   * Makes the carrier report a pickup or a delivery again. The product then requests the weight and
   * the fee.
   */
  report(waybill: string, what: 'picked_up' | 'delivered'): Promise<void>;
  /** Returns all orders that the carrier has stored, or only the orders with this order number. */
  orders(order_id?: string): Promise<KnownOrder[]>;
  /**
   * Returns the delivery address that the carrier uses for the parcel, and the carrier's fees in
   * fen without freight and insurance.
   */
  details(waybill: string): Promise<{ address: string; surcharge_amount: number }>;
}

/**
 * The code of a surcharge that SF's adapter does not include. The setting `known_fee_codes`
 * contains it.
 */
export const sfSurcharge = '23';

const sumBeside = <Fee extends { amount: number }>(
  fees: readonly Fee[],
  isOwn: (fee: Fee) => boolean,
): number => fees.filter((fee) => !isOwn(fee)).reduce((sum, { amount }) => sum + amount, 0);

const simulatedJdl = ({ control }: TestCarrier): SimulatedCarrier => {
  const order = (waybill: string, action: string, body: object) =>
    control('POST', `orders/${waybill}/${action}`, body).then(() => {});
  const tell = (waybill: string, node: object) => order(waybill, 'events', node);
  return {
    provider: 'jdl',
    measuresVolume: true,
    calls: {
      weight: { path: '/ecap/v1/orders/details/query', after: 0 },
      fee: { path: '/ecap/v1/orders/actualfee/query', after: 0 },
    },
    show: (waybill, { surcharges, ...figures }) =>
      order(waybill, 'facts', {
        ...figures,
        surcharges: { QLHCF: surcharges > 0 ? surcharges : null },
      }),
    pickUp: (waybill) => order(waybill, 'jump', { to: 'picked_up' }),
    deliver: (waybill) => order(waybill, 'jump', { to: 'delivered' }),
    cancel: (waybill) => order(waybill, 'jump', { to: 'cancelled' }),
    report: async (waybill, what) => {
      await control('POST', 'clock/advance', { ms: 1_000 });
      await tell(
        waybill,
        what === 'delivered'
          ? { category: 510, state: '10034', category_name: '妥投' }
          : { category: 420, state: '200001', category_name: '已揽收' },
      );
    },
    orders: async (order_id) => {
      const { orders } = await control<{
        orders: {
          order_id: string;
          waybill_code: string;
          fee_total: number | null;
          cancel_result: number | null;
          return_of: string | null;
          again_weight: number | null;
          again_volume: number | null;
          insured: number;
        }[];
      }>('GET', order_id === undefined ? 'orders?limit=5000' : `orders?order_id=${order_id}`);
      return orders
        .filter(({ return_of }) => return_of === null)
        .map((found) => ({
          order_id: found.order_id,
          waybill: found.waybill_code,
          fee_amount: found.fee_total,
          cancelled: found.cancel_result === 0,
          weighed:
            found.again_weight === null
              ? null
              : { weight: found.again_weight, volume: found.again_volume ?? 0 },
          return_fee_amount: orders
            .filter(({ return_of }) => return_of === found.waybill_code)
            .reduce((sum, { fee_total }) => sum + (fee_total ?? 0), 0),
          insured: found.insured,
        }));
    },
    details: async (waybill) => {
      const { receiver, fees } = await control<{
        receiver: { address: string };
        fees: { code: string; amount: number }[] | null;
      }>('GET', `orders/${waybill}`);
      return {
        address: receiver.address,
        surcharge_amount: sumBeside(fees ?? [], ({ code }) => ['QIPSF', 'QLBJ'].includes(code)),
      };
    },
  };
};

const simulatedSf = ({ control }: TestCarrier): SimulatedCarrier => {
  const order = (waybill: string, action: string, body: object) =>
    control('POST', `sf/orders/${waybill}/${action}`, body).then(() => {});
  const service = 'EXP_RECE_QUERY_SFWAYBILL';
  return {
    provider: 'sf',
    measuresVolume: false,
    calls: { weight: { path: service, after: 0 }, fee: { path: service, after: 1 } },
    show: (waybill, { weight, surcharges }) =>
      order(waybill, 'facts', {
        weight,
        fees: [
          { type: '1', name: '运费', amount: 1_000 + Math.ceil(weight / 1_000) * 100 },
          ...(surcharges > 0 ? [{ type: sfSurcharge, name: '附加费', amount: surcharges }] : []),
        ],
      }),
    pickUp: (waybill) => order(waybill, 'jump', { to: '50' }),
    deliver: (waybill) => order(waybill, 'jump', { to: '80' }),
    report: (waybill, what) =>
      order(waybill, 'events', { op: what === 'delivered' ? '80' : '50', remark: '再次上报' }),
    orders: async (order_id) => {
      const { orders } = await control<{
        orders: {
          order_id: string;
          waybill: string;
          fee_total: number | null;
          cancelled: boolean;
          weighed: number | null;
          insured: number;
        }[];
      }>('GET', order_id === undefined ? 'sf/orders' : `sf/orders?order_id=${order_id}`);
      return orders.map(({ order_id: id, waybill, fee_total, weighed, ...found }) => ({
        order_id: id,
        waybill,
        fee_amount: fee_total,
        cancelled: found.cancelled,
        weighed: weighed === null ? null : { weight: weighed, volume: 0 },
        return_fee_amount: 0,
        insured: found.insured,
      }));
    },
    details: async (waybill) => {
      const { receiver_address, fees } = await control<{
        receiver_address: string;
        fees: { type: string; amount: number }[] | null;
      }>('GET', `sf/orders/${waybill}`);
      return {
        address: receiver_address,
        surcharge_amount: sumBeside(fees ?? [], ({ type }) => ['1', '3'].includes(type)),
      };
    },
  };
};

/** The simulated carriers, by their provider code. */
export const simulatedCarriers = { jdl: simulatedJdl, sf: simulatedSf };
export type SimulatedName = keyof typeof simulatedCarriers;

export const isSimulatedName = (name: string): name is SimulatedName =>
  Object.hasOwn(simulatedCarriers, name);
