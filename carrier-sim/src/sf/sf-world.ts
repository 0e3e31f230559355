import { createAgenda } from '#agenda.ts';
import { draw } from '#draw.ts';
import { wallClock } from '#wall-clock.ts';
import { contradicted, feesOf, weigh, yuan } from './fees.ts';
import { happened } from './sf-order.ts';
import type { Agenda } from '#agenda.ts';
import type { PushQueue } from '#push-queue.ts';
import type { Settings } from '#settings.ts';
import type { SimClock } from '#sim-clock.ts';
import type { FeeLine, SfOrder, Step } from './sf-order.ts';
import type { SignatureKind } from './signing.ts';

/** A partner (customer application) of SF's open platform. All pushes go to its callback. */
export type Partner = {
  partner_id: string;
  check_word: string;
  cards: string[];
  signature: SignatureKind;
  callback_url: string | null;
};

/** The partner (customer application) that exists from the start. */
export const examplePartner: Partner = {
  partner_id: 'WAYSTATIONDEMO',
  check_word: 'democheckword00000000000000000sf',
  cards: ['7551234567'],
  signature: 'standard_md5',
  callback_url: null,
};

/** The journal records of the simulated SF. An order is always written completely. */
export type SfRecord =
  | { k: 'order'; o: SfOrder }
  | { k: 'partner'; p: Partner }
  | { k: 'turned_away'; n: string };

type Parts = {
  seed: string;
  clock: SimClock;
  settings(): Settings;
  realNow(): number;
  firstNumber: number;
  partners: readonly Partner[];
  pushes: PushQueue;
  append(records: readonly SfRecord[]): void;
};

/** The state of the simulated SF, with its planned steps. */
export type SfWorld = Omit<Parts, 'partners'> & {
  partners: Map<string, Partner>;
  agenda: Agenda<SfOrder>;
  orders: SfOrder[];
  byWaybill(number: string): SfOrder | undefined;
  byOrderId(partner: string, orderId: string): SfOrder | undefined;
  /** Stores the number of an order to a place outside SF's area. Such an order gets no waybill. */
  turnAway(partner: string, orderId: string): void;
  isTurnedAway(partner: string, orderId: string): boolean;
  /** The order numbers that `turnAway` stored, each with its partner. */
  turnedAway: Set<string>;
  takeWaybill(): string;
  save(order: SfOrder): void;
  savePartner(partner: Partner): void;
  take(record: SfRecord): void;
};

const second = 1000;

/**
 * Returns a route row for a push. Its reasons and states are empty, as in the pushes of the real
 * carrier.
 */
export const routeRow = (order: SfOrder, step: Step): Record<string, unknown> => ({
  mailno: order.waybill,
  orderid: order.order_id,
  acceptTime: wallClock(step.at),
  acceptAddress: step.place,
  remark: step.remark,
  opCode: step.op,
  reasonCode: '',
  reasonName: '',
  firstStatusCode: '',
  secondaryStatusCode: '',
});

let pushIds = 0;

const send = (
  world: SfWorld,
  order: SfOrder,
  body: () => Record<string, unknown>,
  key: string,
): void => {
  const url = world.partners.get(order.partner)?.callback_url ?? null;
  const { push, sf } = world.settings();
  if (url === null || !push.on) return;
  for (let copy = 1; copy <= sf.push_copies; copy += 1)
    world.pushes.put({
      url,
      lane: order.waybill,
      body,
      copy,
      behindNext: draw(world.seed, order.order_id, key, copy) < push.shuffle_rate,
      settled: () => {},
    });
};

/**
 * Pushes a route row. Each copy of the row has its own id, as in the repeated pushes of the real
 * carrier.
 */
const pushRoute = (world: SfWorld, order: SfOrder, step: Step): void =>
  send(
    world,
    order,
    () => {
      pushIds += 1;
      return { Body: { WaybillRoute: [{ ...routeRow(order, step), id: String(pushIds) }] } };
    },
    `${step.op} ${step.at}`,
  );

const pushState = (world: SfWorld, order: SfOrder, step: Step): void =>
  send(
    world,
    order,
    () => ({
      orderState: [
        {
          orderNo: order.order_id,
          waybillNo: order.waybill,
          orderStateCode: step.order_state,
          orderStateDesc: '',
          empCode: '123456',
          lastTime: wallClock(step.at),
          createTm: wallClock(order.created_at),
        },
      ],
    }),
    `${step.order_state} ${step.at}`,
  );

/** Sends one version of an order's fees. */
export const pushFee = (
  world: SfWorld,
  order: SfOrder,
  version: number,
  lines: readonly FeeLine[],
): void =>
  send(
    world,
    order,
    () => ({
      content: {
        waybillNo: order.waybill,
        orderNo: order.order_id,
        customerAcctCode: order.card,
        meterageWeightQty: String((order.weighed ?? order.weight) / 1000),
        versionNo: version,
        feeList: lines.map(({ type, name, amount }) => ({
          feeTypeCode: type,
          name,
          feeAmt: yuan(amount),
          paymentTypeCode: '1',
          settlementTypeCode: '2',
        })),
      },
    }),
    `fee ${version}`,
  );

/**
 * Pushes the present fees. If the settings ask for contradictions, two earlier versions with other
 * fees follow.
 */
export const tellFees = (world: SfWorld, order: SfOrder): void => {
  const lines = feesOf(order);
  if (lines === null) return;
  const older = world.settings().sf.contradict_fees ? 2 : 0;
  order.fee_version += older + 1;
  pushFee(world, order, order.fee_version, lines);
  for (let back = 1; back <= older; back += 1)
    pushFee(world, order, order.fee_version - back, contradicted(lines, back));
};

const runStep = (world: SfWorld, order: SfOrder, at: number): void => {
  const step = order.steps[order.done];
  if (step === undefined || step.at !== at || order.cancelled_at !== undefined) return;
  order.done += 1;
  if (step.op === '50') order.weighed ??= weigh(world.seed, order);
  if (step.order_state === undefined) pushRoute(world, order, step);
  else pushState(world, order, step);
  if (step.op === '50') tellFees(world, order);
  schedule(world, order);
};

const schedule = (world: SfWorld, order: SfOrder): void => {
  const next = order.steps[order.done];
  if (next !== undefined && order.cancelled_at === undefined) world.agenda.put(next.at, order);
};

/**
 * Makes a step happen now, in a second in which no other step happens. The clock moves forward to
 * that time.
 */
export const stepNow = (world: SfWorld, order: SfOrder, step: Omit<Step, 'at'>, at?: number) => {
  const last = happened(order).at(-1)?.at ?? 0;
  const now = Math.floor(world.clock.now() / second) * second;
  const told = { ...step, at: at ?? Math.max(now, last + second) };
  order.steps.splice(order.done, 0, told);
  order.done += 1;
  if (told.at > world.clock.now()) world.clock.moveTo(told.at);
  if (told.op === '50') order.weighed ??= weigh(world.seed, order);
  if (told.order_state === undefined) pushRoute(world, order, told);
  else pushState(world, order, told);
  if (told.op === '50') tellFees(world, order);
  world.save(order);
};

export const createSfWorld = ({ partners, ...parts }: Parts): SfWorld => {
  const waybills = new Map<string, SfOrder>();
  const numbers = new Map<string, SfOrder>();
  const orders: SfOrder[] = [];
  const changed = new Set<SfOrder>();
  const turnedAway = new Set<string>();
  let next = parts.firstNumber;
  const key = (partner: string, orderId: string): string => `${partner}\u0000${orderId}`;
  const file = (order: SfOrder): void => {
    const known = waybills.get(order.waybill);
    if (known === undefined) orders.push(order);
    else orders[orders.indexOf(known)] = order;
    for (const number of [order.waybill, ...order.children]) {
      waybills.set(number, order);
      next = Math.max(next, Number(number.slice(3)) + 1);
    }
    if (order.return_of === undefined) numbers.set(key(order.partner, order.order_id), order);
  };
  const world: SfWorld = {
    ...parts,
    partners: new Map(partners.map((partner) => [partner.partner_id, { ...partner }])),
    orders,
    agenda: createAgenda<SfOrder>(
      parts.clock,
      (order, at) => {
        changed.add(order);
        runStep(world, order, at);
      },
      () => {
        parts.append([...changed].map((o) => ({ k: 'order', o })));
        changed.clear();
      },
    ),
    byWaybill: (number) => waybills.get(number),
    byOrderId: (partner, orderId) => numbers.get(key(partner, orderId)),
    turnedAway,
    turnAway: (partner, orderId) => {
      const n = key(partner, orderId);
      turnedAway.add(n);
      parts.append([{ k: 'turned_away', n }]);
    },
    isTurnedAway: (partner, orderId) => turnedAway.has(key(partner, orderId)),
    takeWaybill: () => {
      next += 1;
      return `SF7${String(next - 1).padStart(12, '0')}`;
    },
    save: (order) => {
      file(order);
      parts.append([{ k: 'order', o: order }]);
      schedule(world, order);
      world.agenda.catchUp();
    },
    savePartner: (partner) => {
      world.partners.set(partner.partner_id, partner);
      parts.append([{ k: 'partner', p: partner }]);
    },
    take: (record) => {
      if (record.k === 'partner') world.partners.set(record.p.partner_id, record.p);
      else if (record.k === 'turned_away') turnedAway.add(record.n);
      else file(record.o);
    },
  };
  return world;
};

/**
 * Continues after a restart: restores the records, and puts the next step of each parcel on the
 * agenda.
 */
export const resumeSf = (world: SfWorld, records: Iterable<SfRecord>): void => {
  for (const record of records) world.take(record);
  for (const order of world.orders) schedule(world, order);
};

/** Yields the smallest number of journal records that restore all data of the simulated SF. */
export function* sfSnapshot(world: SfWorld): Generator<SfRecord> {
  for (const p of world.partners.values()) yield { k: 'partner', p };
  for (const o of world.orders) yield { k: 'order', o };
  for (const n of world.turnedAway) yield { k: 'turned_away', n };
}

/** Returns the latest simulated time at which anything happened to a parcel. */
export const latestSfInstant = (world: SfWorld): number =>
  Math.max(0, ...world.orders.map((order) => happened(order).at(-1)?.at ?? 0));
