import { drawWhole } from '#draw.ts';
import { fieldsOf, isObject, Unreadable } from '#reading.ts';
import { returnParcel, weigh } from './effects.ts';
import { legsOf, outcomeOf, stepsFrom } from './journey.ts';
import { stepCodes } from './order.ts';
import type { Fields } from '#reading.ts';
import type { Account, Application } from './accounts.ts';
import type { Outcome } from './journey.ts';
import type { Contact, Order, Step, StepCode, ToldCode } from './order.ts';
import type { World } from './world.ts';

/**
 * The result of loading parcels. `known`: the number of parcels that existed already. `rejected`:
 * the invalid parcels, by their index in the list.
 */
export type Seeded = {
  stored: number;
  known: number;
  rejected: { index: number; reason: string }[];
};

const minute = 60_000;
const toSecond = (at: number): number => Math.floor(at / 1000) * 1000;

const byState: Record<string, StepCode> = {
  '200034': 'assigned',
  '200052': 'pickup_ended',
  '200001': 'picked_up',
  '10032': 'sorted',
  '200075': 'at_station',
  '11000': 'out',
  '200023': 'attempted',
  '10034': 'delivered',
  '10035': 'refused',
  '200020': 'relabelled',
};
const byCategory: Record<number, StepCode> = { 100: 'placed', 690: 'cancelled', 700: 'returning' };
const onTheWayBack: Partial<Record<StepCode, StepCode>> = {
  departed: 'return_departed',
  departed_sort: 'return_departed',
  at_station: 'return_at_station',
  out: 'return_out',
  delivered: 'returned',
};

/** Returns the step for a node as the carrier sends it; `before` are the earlier steps. */
const codeOf = (node: Fields, before: readonly Step[]): StepCode => {
  const named = node.maybeChoice('code', stepCodes.filter((code) => code !== 'told') as ToldCode[]);
  if (named !== undefined) return named;
  const state = node.maybeText('state', 20) ?? '';
  const category = node.maybeWhole('category', 0, 1_000_000) ?? 0;
  const departed = before.some((step) => step.code === 'departed') ? 'departed_sort' : 'departed';
  const code = state === '200076' ? departed : (byState[state] ?? byCategory[category]);
  if (code === undefined) throw new Unreadable(node.path, 'is no node that this carrier tells of');
  const isBack = before.some((step) => step.code === 'returning');
  return isBack ? (onTheWayBack[code] ?? code) : code;
};

const readHistory = (fields: Fields): Step[] => {
  const steps: Step[] = [];
  for (const node of fields.list('history', 1, 60)) {
    const at = node.maybeInstant('at');
    if (at === undefined) throw new Unreadable(`${node.path}.at`, 'must be given');
    steps.push({ code: codeOf(node, steps), at: toSecond(at) });
  }
  return steps.toSorted((a, b) => a.at - b.at);
};

const outcomeThrough = (code: StepCode): Outcome => {
  if (code === 'pickup_ended' || code === 'relabelled') return code;
  if (code === 'attempted') return 'redelivered';
  return code === 'refused' || code.startsWith('return') ? 'refused' : 'delivered';
};

/**
 * Returns the steps that must have happened before a state, distributed evenly over the time until
 * then.
 */
const madeUpHistory = (order: Order, state: StepCode, at: number): Step[] => {
  if (state === 'cancelled')
    return [
      { code: 'placed', at: toSecond(order.created_at) },
      { code: state, at: toSecond(at) },
    ];
  const legs = legsOf(order, outcomeThrough(state));
  const codes = legs
    .slice(0, legs.findLastIndex(({ code }) => code === state) + 1)
    .map(({ code }) => code);
  const gap = codes.length > 1 ? (at - order.created_at) / (codes.length - 1) : 0;
  return codes.map((code, i) => ({ code, at: toSecond(order.created_at + i * gap) }));
};

const readContact = (fields: Fields): Contact => ({
  name: fields.text('name', 1, 100),
  mobile: fields.maybeText('mobile', 40) ?? '',
  phone: fields.maybeText('phone', 40) ?? '',
  address: fields.text('address', 1, 300),
});

const ownerOf = (
  world: World,
  customerCode: string,
): { application: Application; account: Account } => {
  for (const application of world.accounts.all()) {
    const account = application.accounts.find((candidate) =>
      candidate.customer_codes.includes(customerCode),
    );
    if (account !== undefined) return { application, account };
  }
  throw new Unreadable('customer_code', 'belongs to no application');
};

const readOrder = (world: World, fields: Fields): Order => {
  const customerCode = fields.text('customer_code', 1, 32);
  const { application, account } = ownerOf(world, customerCode);
  const createdAt = fields.maybeInstant('created_at');
  if (createdAt === undefined) throw new Unreadable('created_at', 'must be given');
  return {
    number: 0,
    app_key: application.app_key,
    seller_id: account.seller_id,
    customer_code: customerCode,
    order_id: fields.text('order_id', 1, 50),
    order_code: fields.maybeText('order_code', 50) ?? world.book.takeOrderCode(),
    waybill_code: fields.text('waybill_code', 1, 50),
    origin: 1,
    settle_type: fields.maybeChoice('settle_type', [1, 2, 3]) ?? 3,
    product_code: fields.maybeText('product_code', 50) ?? 'ed-m-0001',
    services: [],
    insured: fields.maybeWhole('insured', 0, 30_000_000) ?? 0,
    cash_on_delivery: fields.maybeWhole('cash_on_delivery', 0, 30_000_000) ?? 0,
    pieces: fields.maybeWhole('pieces', 1, 99_999_999) ?? 1,
    weight: fields.whole('weight', 1, 10_000_000),
    volume: fields.maybeWhole('volume', 1, 1e12) ?? 1,
    goods: fields.maybeText('goods', 200) ?? '',
    remark: fields.maybeText('remark', 500) ?? '',
    channel_order_code: fields.maybeText('channel_order_code', 100) ?? '',
    sender: readContact(fields.inside('sender')),
    receiver: readContact(fields.inside('receiver')),
    fingerprint: null,
    created_at: createdAt,
    presorted: true,
    subscribed: fields.maybeFlag('subscribed') ?? true,
    steps: [],
    done: 0,
  };
};

/**
 * Returns the future steps of a loaded parcel. Steps that are overdue are delayed a little, by a
 * different time for each parcel.
 */
const stepsToCome = (world: World, order: Order): Step[] => {
  const last = order.steps.at(-1);
  if (last === undefined) return [];
  const fate = outcomeOf(world.seed, order, world.settings().rates);
  const through = outcomeThrough(last.code);
  const tooLate = fate === 'pickup_ended' && order.weighed !== undefined;
  const legs = legsOf(order, through !== 'delivered' || tooLate ? through : fate);
  const position = legs.findLastIndex(({ code }) => code === last.code);
  if (position === -1) return [];
  const planned = stepsFrom(world.seed, order, legs.slice(position + 1), last.at);
  const now = world.clock.now();
  const first = planned[0]?.at ?? now;
  const delay =
    first > now
      ? 0
      : toSecond(now - first) +
        drawWhole(1, 180, world.seed, order.customer_code, order.order_id, 'put off') * minute;
  return planned.map((step) => ({ ...step, at: step.at + delay }));
};

const complete = (world: World, order: Order, fields: Fields): Order[] => {
  const history = fields.has('history')
    ? readHistory(fields)
    : madeUpHistory(
        order,
        fields.choice('state', stepCodes),
        fields.maybeInstant('state_at') ?? order.created_at,
      );
  order.steps = history;
  order.done = history.length;
  if (history.some(({ code }) => code === 'picked_up')) {
    const weight = fields.maybeWhole('again_weight', 10, 10_000_000);
    const volume = fields.maybeWhole('again_volume', 1, 1e12);
    order.weigh_as = {
      ...(weight === undefined ? {} : { weight }),
      ...(volume === undefined ? {} : { volume }),
    };
    weigh(world, order);
  }
  const fees = fields.maybeInside('fees');
  if (fees !== undefined)
    order.fees = Object.fromEntries(fees.names().map((code) => [code, fees.whole(code, 0, 1e12)]));
  const last = history.at(-1);
  if (last?.code === 'cancelled') order.cancel = { result: 0, asked_at: last.at };
  order.steps = [...history, ...stepsToCome(world, order)];
  if (last?.code !== 'relabelled') return [order];
  order.return_waybill = fields.maybeText('return_waybill_code', 50) ?? world.book.takeWaybill();
  const child = returnParcel(world, order, order.return_waybill, last.at);
  child.done = child.steps.filter(({ at }) => at <= world.clock.now()).length;
  return [order, child];
};

const textsNamed = (items: readonly unknown[], ...names: readonly string[]): string[] =>
  items
    .flatMap((item) => (isObject(item) ? names.map((name) => item[name]) : []))
    .filter((found) => typeof found === 'string');

/**
 * Loads existing parcels. Parcels that are not finished continue their journey. Loading the same
 * parcels again changes nothing. `taken` contains numbers of other parcels; every number assigned
 * later is higher than these.
 */
export const seedOrders = (
  world: World,
  items: readonly unknown[],
  taken: readonly unknown[] = [],
): Seeded => {
  const result: Seeded = { stored: 0, known: 0, rejected: [] };
  const fresh: Order[] = [];
  world.book.raiseAbove(
    textsNamed([...items, ...taken], 'waybill_code', 'return_waybill_code'),
    textsNamed([...items, ...taken], 'order_code'),
  );
  world.append([{ k: 'numbers', n: world.book.numbers() }]);
  const waybills = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, item] of items.entries()) {
    try {
      const fields = fieldsOf(item, '');
      const order = readOrder(world, fields);
      const number = `${order.customer_code} ${order.order_id}`;
      const sameNumber = world.book.byMerchant(order.customer_code, order.order_id);
      if (sameNumber !== undefined && sameNumber.waybill_code === order.waybill_code) {
        result.known += 1;
        continue;
      }
      if (sameNumber !== undefined || numbers.has(number))
        throw new Unreadable('order_id', 'is known under another waybill');
      if (
        world.book.byWaybill(order.waybill_code) !== undefined ||
        waybills.has(order.waybill_code)
      ) {
        throw new Unreadable('waybill_code', 'is known for another order');
      }
      numbers.add(number);
      waybills.add(order.waybill_code);
      fresh.push(...complete(world, order, fields));
      result.stored += 1;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      result.rejected.push({ index, reason: error.message });
    }
  }
  world.saveAll(fresh);
  world.agenda.catchUp();
  return result;
};
