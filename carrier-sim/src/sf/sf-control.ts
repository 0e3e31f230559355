import { fieldsOf, Unreadable } from '#reading.ts';
import { feesOf } from './fees.ts';
import { happened, isPickedUp } from './sf-order.ts';
import { pushFee, stepNow, tellFees } from './sf-world.ts';
import { signatureKinds } from './signing.ts';
import type { FeeLine, SfOrder } from './sf-order.ts';
import type { SfWorld } from './sf-world.ts';

/** The data that SF has about a parcel, to be compared with the data of SF's client. */
export type SfView = {
  waybill: string;
  children: string[];
  order_id: string;
  product: number;
  pieces: number;
  weight: number;
  weighed: number | null;
  insured: number;
  receiver_address: string;
  fee_total: number | null;
  fees: FeeLine[] | null;
  pickup: { from: number; until: number } | null;
  cancelled: boolean;
  picked_up: boolean;
  route: string[];
  return_waybill: string | null;
};

/** The control functions of the simulated SF. Invalid input throws Unreadable. */
export type SfControl = {
  /** The credentials of each account, to be entered in the form for a carrier account. */
  keys(): { partner_id: string; check_word: string; monthly_card: string; signature: string }[];
  orders(filter?: { order_id?: string | undefined }): SfView[];
  order(waybill: string): SfView;
  /** Makes all steps of the route up to the step with this code happen now. */
  jump(waybill: string, op: string): SfView;
  /** Makes SF cancel an order that nobody asked to cancel. */
  cancel(waybill: string): SfView;
  /** Adds one row to the route, with the present time or an earlier one. */
  tell(waybill: string, row: object): SfView;
  /** Sets the weight and the fees of a parcel, and pushes them as a new version. */
  setFacts(waybill: string, facts: object): SfView;
  /** Pushes one version of fees, which may differ from the fees that the simulator returns. */
  pushFee(waybill: string, fee: object): void;
  setPartner(change: object): void;
};

const feeLines = (value: object): FeeLine[] =>
  fieldsOf(value, '')
    .list('fees', 0, 20)
    .map((fee) => ({
      type: fee.text('type', 1, 20),
      name: fee.maybeText('name', 50) ?? '',
      amount: fee.whole('amount', 0, 100_000_000),
    }));

const viewOf = (order: SfOrder): SfView => ({
  waybill: order.waybill,
  children: order.children,
  order_id: order.order_id,
  product: order.product,
  pieces: order.pieces,
  weight: order.weight,
  weighed: order.weighed ?? null,
  insured: order.insured,
  receiver_address: [order.receiver.province, order.receiver.city, order.receiver.address].join(''),
  fees: feesOf(order),
  fee_total: feesOf(order)?.reduce((sum, { amount }) => sum + amount, 0) ?? null,
  pickup: order.pickup ?? null,
  cancelled: order.cancelled_at !== undefined,
  picked_up: isPickedUp(order),
  route: happened(order)
    .filter(({ order_state }) => order_state === undefined)
    .map(({ op }) => op),
  return_waybill: order.return_waybill ?? null,
});

const jump = (world: SfWorld, order: SfOrder, op: string): void => {
  const left = order.steps.slice(order.done);
  const last = left.findIndex((step) => step.op === op);
  if (last === -1) throw new Unreadable('to', `no step ${op} is to come`);
  const rest = left.slice(last + 1);
  order.steps = order.steps.slice(0, order.done);
  for (const { at: _, ...step } of left.slice(0, last + 1)) stepNow(world, order, step);
  const shift = world.clock.now() - (left[last]?.at ?? 0);
  order.steps.push(
    ...rest.map((step) => ({ ...step, at: step.at + Math.ceil(shift / 1000) * 1000 })),
  );
  world.save(order);
};

const setFacts = (world: SfWorld, order: SfOrder, facts: object): void => {
  const weighed = fieldsOf(facts, '').maybeWhole('weight', 1, 1_000_000);
  if (weighed !== undefined) order.weighed = weighed;
  if ('fees' in facts) order.fees = feeLines(facts);
  world.save(order);
  tellFees(world, order);
  world.save(order);
};

export const createSfControl = (world: SfWorld): SfControl => {
  const found = (waybill: string): SfOrder => {
    world.agenda.catchUp();
    const order = world.byWaybill(waybill);
    if (order === undefined) throw new Unreadable('waybill', 'is not known');
    return order;
  };
  return {
    keys: () =>
      [...world.partners.values()].map(({ partner_id, check_word, cards, signature }) => ({
        partner_id,
        check_word,
        monthly_card: cards[0] ?? '',
        signature,
      })),
    orders: ({ order_id } = {}) => {
      world.agenda.catchUp();
      return world.orders
        .filter((order) => order_id === undefined || order.order_id === order_id)
        .slice(-5000)
        .map(viewOf);
    },
    order: (waybill) => viewOf(found(waybill)),
    jump: (waybill, op) => {
      jump(world, found(waybill), op);
      return viewOf(found(waybill));
    },
    cancel: (waybill) => {
      const order = found(waybill);
      order.cancelled_at = world.clock.now();
      world.save(order);
      return viewOf(order);
    },
    tell: (waybill, row) => {
      const fields = fieldsOf(row, '');
      const reason = fields.maybeText('reason', 20);
      const at = fields.maybeInstant('at');
      stepNow(
        world,
        found(waybill),
        {
          op: fields.text('op', 1, 20),
          remark: fields.maybeText('remark', 500) ?? '',
          place: fields.maybeText('place', 100) ?? '',
          ...(reason === undefined ? {} : { reason }),
        },
        at === undefined ? undefined : Math.floor(at / 1000) * 1000,
      );
      return viewOf(found(waybill));
    },
    setFacts: (waybill, facts) => {
      setFacts(world, found(waybill), facts);
      return viewOf(found(waybill));
    },
    pushFee: (waybill, fee) =>
      pushFee(world, found(waybill), fieldsOf(fee, '').whole('version', 0, 1000), feeLines(fee)),
    setPartner: (change) => {
      const fields = fieldsOf(change, '');
      const partner = world.partners.get(fields.text('partner_id', 1, 64));
      if (partner === undefined) throw new Unreadable('partner_id', 'is not known');
      const url = fields.maybeText('callback_url', 1000);
      world.savePartner({
        ...partner,
        signature: fields.maybeChoice('signature', signatureKinds) ?? partner.signature,
        callback_url: url === undefined ? partner.callback_url : url,
      });
    },
  };
};
