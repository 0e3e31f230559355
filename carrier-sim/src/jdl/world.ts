import { createAgenda } from '#agenda.ts';
import { draw } from '#draw.ts';
import { silentCodes } from './order.ts';
import { pushMessage } from './nodes.ts';
import { applyStep } from './effects.ts';
import { createOrderBook } from './order-book.ts';
import type { Agenda } from '#agenda.ts';
import type { PushQueue, PushRecord } from '#push-queue.ts';
import type { Recent } from '#recent.ts';
import type { Settings } from '#settings.ts';
import type { SimClock } from '#sim-clock.ts';
import type { Accounts, Application } from './accounts.ts';
import type { Order } from './order.ts';
import type { Numbers, OrderBook, Reserved } from './order-book.ts';

/**
 * The journal records of the simulated JD, one per line. `order`: a complete parcel. `done`: the
 * first `n` steps of a parcel have happened, and the messages of the steps in `p` are still to be
 * sent.
 */
export type JdlRecord =
  | { k: 'order'; o: Order }
  | { k: 'done'; w: string; n: number; p?: number[] }
  | { k: 'pushed'; w: string; i: number }
  | { k: 'reserved'; r: Reserved }
  | { k: 'numbers'; n: Numbers }
  | { k: 'application'; a: Application };

export type WorldParts = {
  seed: string;
  clock: SimClock;
  settings(): Settings;
  realNow(): number;
  accounts: Accounts;
  firstNumber: number;
  pushes: PushQueue;
  pushLog: Recent<PushRecord>;
  append(records: readonly JdlRecord[]): void;
};

/** The state of the simulated JD, with its planned steps. */
export type World = WorldParts & {
  book: OrderBook;
  agenda: Agenda<Order>;
  /** Stores a new or changed order, and puts its next step on the agenda. */
  save(order: Order): void;
  /** Stores several orders together. */
  saveAll(orders: readonly Order[]): void;
};

type Batch = { lines: JdlRecord[]; reported: { order: Order; index: number }[] };

const schedule = (world: World, order: Order): void => {
  const next = order.steps[order.done];
  if (next !== undefined) world.agenda.put(next.at, order);
};

const settle = (world: World, order: Order, index: number): void => {
  const left = order.unpushed?.filter((waiting) => waiting !== index) ?? [];
  if (left.length > 0) order.unpushed = left;
  else delete order.unpushed;
  world.append([{ k: 'pushed', w: order.waybill_code, i: index }]);
};

/**
 * Sends the message of a step to the merchant's callback. At random, the message is sent twice, or
 * only after the next message.
 */
export const tellMerchant = (world: World, order: Order, index: number): void => {
  const url = world.accounts.callbackOf(order);
  if (url === null) {
    settle(world, order, index);
    return;
  }
  const { push } = world.settings();
  const key = [
    world.seed,
    order.customer_code,
    order.order_id,
    order.return_of ?? '',
    index,
  ] as const;
  const message = { url, lane: order.waybill_code, body: () => pushMessage(order, index) };
  const behindNext = draw(...key, 'shuffled') < push.shuffle_rate;
  world.pushes.put({ ...message, copy: 1, behindNext, settled: () => settle(world, order, index) });
  if (draw(...key, 'repeated') < push.repeat_rate)
    world.pushes.put({ ...message, copy: 2, behindNext: false, settled: () => {} });
};

const isTold = (world: World, order: Order, index: number): boolean => {
  const step = order.steps[index];
  if (
    !order.subscribed ||
    step === undefined ||
    (silentCodes as readonly string[]).includes(step.code)
  )
    return false;
  const url = world.accounts.callbackOf(order);
  if (url === null) return false;
  if (world.settings().push.on) return true;
  const at = new Date(world.realNow()).toISOString();
  world.pushLog.add({
    at,
    url: '',
    copy: 1,
    attempt: 0,
    status: null,
    outcome: 'not_sent',
    reason: 'pushes are off',
    message: pushMessage(order, index),
  });
  return false;
};

/**
 * Runs the parcel's next step if it is due at exactly `at`. Otherwise the plan was changed after
 * this time was put on the agenda, and nothing is due.
 */
const runStep = (world: World, batch: Batch, order: Order, at: number): void => {
  const index = order.done;
  const step = order.steps[index];
  if (step === undefined || step.at !== at || world.book.byWaybill(order.waybill_code) !== order)
    return;
  order.done += 1;
  const { changed, born } = applyStep(world, order, step);
  if (isTold(world, order, index)) {
    order.unpushed = [...(order.unpushed ?? []), index];
    batch.reported.push({ order, index });
  }
  for (const child of born) {
    world.book.file(child);
    schedule(world, child);
  }
  for (const whole of [...born, ...(changed ? [order] : [])])
    batch.lines.push({ k: 'order', o: structuredClone(whole) });
  if (!changed) {
    const waiting = order.unpushed === undefined ? {} : { p: [...order.unpushed] };
    batch.lines.push({ k: 'done', w: order.waybill_code, n: order.done, ...waiting });
  }
  schedule(world, order);
};

export const createWorld = (parts: WorldParts): World => {
  let batch: Batch = { lines: [], reported: [] };
  const finish = (): void => {
    const { lines, reported } = batch;
    batch = { lines: [], reported: [] };
    parts.append(lines);
    for (const { order, index } of reported) tellMerchant(world, order, index);
  };
  const agenda = createAgenda<Order>(
    parts.clock,
    (order, at) => runStep(world, batch, order, at),
    finish,
  );
  const saveAll = (orders: readonly Order[]): void => {
    for (const order of orders) world.book.file(order);
    parts.append(orders.map((o) => ({ k: 'order', o })));
    for (const order of orders) schedule(world, order);
  };
  const world: World = {
    ...parts,
    book: createOrderBook(parts.firstNumber),
    agenda,
    save: (order) => {
      saveAll([order]);
      agenda.catchUp();
    },
    saveAll,
  };
  return world;
};

/** Writes an application that was created or changed, with its accounts, to the journal. */
export const saveApplication = (world: World, appKey: string): void => {
  const a = world.accounts.markChanged(appKey);
  if (a !== undefined) world.append([{ k: 'application', a }]);
};

const take = (world: World, record: JdlRecord): void => {
  if (record.k === 'order') world.book.file(record.o);
  else if (record.k === 'reserved') world.book.restore({ range: record.r });
  else if (record.k === 'numbers') world.book.restore({ numbers: record.n });
  else if (record.k === 'application') {
    world.accounts.add(record.a);
    world.accounts.markChanged(record.a.app_key);
  } else {
    const order = world.book.byWaybill(record.w);
    if (order === undefined) return;
    const left =
      record.k === 'done'
        ? (record.p ?? [])
        : (order.unpushed ?? []).filter((index) => index !== record.i);
    if (record.k === 'done') order.done = record.n;
    if (left.length > 0) order.unpushed = left;
    else delete order.unpushed;
  }
};

/**
 * Restores the state that an earlier run has written. Then it continues with the planned steps and
 * sends unaccepted messages again.
 */
export const resumeWorld = (world: World, records: Iterable<JdlRecord>): void => {
  for (const record of records) take(world, record);
  for (const order of world.book.all()) {
    schedule(world, order);
    for (const index of order.unpushed ?? []) tellMerchant(world, order, index);
  }
};

/** Yields the smallest number of journal records that restore all data of the simulated JD. */
export function* snapshotOf(world: World): Generator<JdlRecord> {
  yield { k: 'numbers', n: world.book.numbers() };
  for (const a of world.accounts.changed()) yield { k: 'application', a };
  for (const r of world.book.reservations()) yield { k: 'reserved', r };
  for (const o of world.book.all()) yield { k: 'order', o };
}

/**
 * Returns the latest simulated time at which anything happened to a parcel. The clock must not
 * continue before it.
 */
export const latestInstant = (world: World): number => {
  let latest = 0;
  for (const order of world.book.all()) {
    for (let i = 0; i < order.done; i += 1) latest = Math.max(latest, order.steps[i]?.at ?? 0);
  }
  return latest;
};
