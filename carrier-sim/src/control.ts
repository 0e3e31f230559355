import { Unreadable, fieldsOf } from './reading.ts';
import { readFault, readFaultMix } from './faults.ts';
import { changedSettings } from './settings.ts';
import { fastest, slowest } from './sim-clock.ts';
import { shownUrl } from './push-queue.ts';
import { listOrders, viewOf, wholeView } from './jdl/order-view.ts';
import { seedOrders } from './jdl/seed-orders.ts';
import { jump, jumpTargets, readFacts, readTold, setFacts, tell } from './jdl/steer.ts';
import { saveApplication } from './jdl/world.ts';
import type { RequestRecord } from './http-edge.ts';
import type { Fault, FaultMix, Faults } from './faults.ts';
import type { PushQueue, PushRecord } from './push-queue.ts';
import type { Recent } from './recent.ts';
import type { Settings, SettingsChange } from './settings.ts';
import type { SimClock } from './sim-clock.ts';
import type { Account, ApplicationInput } from './jdl/accounts.ts';
import type { Order, StepCode, ToldNode } from './jdl/order.ts';
import type { OrderFilter, OrderView } from './jdl/order-view.ts';
import type { Seeded } from './jdl/seed-orders.ts';
import type { Facts } from './jdl/steer.ts';
import type { World } from './jdl/world.ts';
import type { Agenda } from './agenda.ts';
import type { SfControl } from './sf/sf-control.ts';
import type { SfOrder } from './sf/sf-order.ts';

export type ClockState = { now: string; speed: number; paused: boolean; next_at: string | null };
type Numbered<T> = T & { number: number };

/**
 * The control functions of the simulator. The HTTP control API offers the same functions under the
 * same names. Invalid input throws Unreadable.
 */
export type Control = {
  health(): {
    ok: true;
    clock: ClockState;
    orders: number;
    waiting_steps: number;
    pending_pushes: number;
    requests: number;
  };
  clock(): ClockState;
  setClock(change: {
    speed?: number | undefined;
    paused?: boolean | undefined;
    now?: string | number | undefined;
  }): ClockState;
  /** Immediately moves the simulated clock forward by this number of milliseconds. */
  advance(ms: number): ClockState & { happened: number };
  orders(filter?: OrderFilter): { orders: OrderView[]; next_after: number | null };
  /** One parcel with contacts, fees, trace and plan; throws Unreadable for an unknown waybill. */
  order(waybill: string): Record<string, unknown>;
  seed(orders: readonly unknown[], taken?: readonly unknown[]): Seeded;
  jump(waybill: string, to: StepCode): OrderView;
  setFacts(waybill: string, facts: Facts): OrderView;
  tell(waybill: string, node: ToldNode & { at?: number | string }): OrderView;
  faults(): { queue: Fault[]; mix: FaultMix | null };
  addFault(fault: { kind: string } & Partial<Omit<Fault, 'kind'>>): void;
  mixFaults(
    mix: { seed?: string; paths?: string[]; rates: Record<string, number>; ms?: number } | null,
  ): void;
  clearFaults(): void;
  requests(after?: number, limit?: number): Numbered<RequestRecord>[];
  pushes(after?: number, limit?: number): Numbered<PushRecord>[];
  /**
   * Waits until every message is accepted or abandoned, or `withinMs` is over. Resolves with the
   * number of messages that still wait.
   */
  settle(withinMs?: number): Promise<{ pending: number }>;
  settings(): Settings;
  change(change: SettingsChange): Settings;
  applications(): Record<string, unknown>[];
  addApplication(input: ApplicationInput): void;
  setCallback(change: { customer_code?: string | undefined; url: string | null }): void;
  /** Makes all tokens of the account expire now. */
  expireTokens(customerCode: string): void;
  /** Returns a code for the token call, as the authorisation page returns it. */
  issueCode(customerCode: string): { code: string };
  /** The control functions of the second carrier, SF Express. */
  sf: SfControl;
};

export type ControlParts = {
  world: World;
  sf: { agenda: Agenda<SfOrder>; control: SfControl };
  clock: SimClock;
  faults: Faults;
  pushes: PushQueue;
  requestLog: Recent<RequestRecord>;
  pushLog: Recent<PushRecord>;
  settings(): Settings;
  keepSettings(settings: Settings): void;
  keepClock(): void;
};

const longestAdvance = 400 * 86_400_000;

/** Runs everything that is due at every carrier, and returns how much was run. */
const catchUp = ({ world, sf }: ControlParts): number =>
  world.agenda.catchUp() + sf.agenda.catchUp();

const clockState = ({ clock, world, sf }: ControlParts): ClockState => {
  const { sim, speed, paused } = clock.mark();
  const dues = [world.agenda.nextAt(), sf.agenda.nextAt()].filter((at) => at !== null);
  const next = dues.length === 0 ? null : Math.min(...dues);
  return {
    now: new Date(sim).toISOString(),
    speed,
    paused,
    next_at: next === null ? null : new Date(next).toISOString(),
  };
};

const moveTo = (parts: ControlParts, at: number): void => {
  const now = parts.clock.now();
  if (at < now)
    throw new Unreadable(
      'now',
      'must not be in the past: the simulated time does not run backwards',
    );
  if (at > now + longestAdvance) throw new Unreadable('now', 'must be at most 400 days ahead');
  parts.clock.moveTo(at);
};

const setClock = (parts: ControlParts, change: unknown): ClockState => {
  const fields = fieldsOf(change, '');
  const speed = fields.maybeNumber('speed', slowest, fastest);
  const paused = fields.maybeFlag('paused');
  const now = fields.maybeInstant('now');
  catchUp(parts);
  if (now !== undefined) moveTo(parts, now);
  parts.clock.change({
    ...(speed === undefined ? {} : { speed }),
    ...(paused === undefined ? {} : { paused }),
  });
  catchUp(parts);
  parts.keepClock();
  return clockState(parts);
};

const advance = (parts: ControlParts, ms: number): ClockState & { happened: number } => {
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > longestAdvance)
    throw new Unreadable('ms', 'must be a whole number of milliseconds up to 400 days');
  catchUp(parts);
  parts.clock.moveTo(parts.clock.now() + ms);
  const happened = catchUp(parts);
  parts.keepClock();
  return { ...clockState(parts), happened };
};

const ownerOf = (world: World, customerCode: string): { appKey: string; account: Account } => {
  for (const { app_key: appKey, accounts } of world.accounts.all()) {
    const account = accounts.find((candidate) => candidate.customer_codes.includes(customerCode));
    if (account !== undefined) return { appKey, account };
  }
  throw new Unreadable('customer_code', 'belongs to no application');
};

const checkCallback = (url: string | null): void => {
  if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw new Unreadable('url', 'must be an http address or null');
};

const setCallback = (world: World, customerCode: string | undefined, url: string | null): void => {
  checkCallback(url);
  for (const application of world.accounts.all()) {
    for (const account of application.accounts) {
      if (customerCode === undefined) account.callback_url = url;
      else if (!account.customer_codes.includes(customerCode)) continue;
      else if (url === null) delete account.callbacks[customerCode];
      else account.callbacks[customerCode] = url;
      saveApplication(world, application.app_key);
    }
  }
};

const shownApplications = (world: World): Record<string, unknown>[] =>
  world.accounts.all().map(({ app_key, partner, accounts }) => ({
    app_key,
    partner,
    accounts: accounts.map((account) => ({
      seller_id: account.seller_id,
      customer_codes: account.customer_codes,
      access_expires_at: new Date(account.access_expires_at).toISOString(),
      callback_url: account.callback_url === null ? null : shownUrl(account.callback_url),
      callbacks: Object.fromEntries(
        Object.entries(account.callbacks).map(([code, url]) => [code, shownUrl(url)]),
      ),
    })),
  }));

type OrderControl = Pick<Control, 'orders' | 'order' | 'seed' | 'jump' | 'setFacts' | 'tell'>;

const orderControl = ({ world }: ControlParts): OrderControl => {
  const found = (waybill: string): Order => {
    world.agenda.catchUp();
    const order = world.book.byWaybill(waybill);
    if (order === undefined) throw new Unreadable('waybill_code', 'is not known');
    return order;
  };
  return {
    orders: (filter = {}) => {
      world.agenda.catchUp();
      return listOrders(world, filter);
    },
    order: (waybill) => wholeView(world, found(waybill)),
    seed: (orders, taken) => seedOrders(world, orders, taken),
    jump: (waybill, to) => {
      if (!jumpTargets.includes(to))
        throw new Unreadable('to', `must be one of ${jumpTargets.join(', ')}`);
      jump(world, found(waybill), to);
      return viewOf(world, found(waybill));
    },
    setFacts: (waybill, facts) => {
      setFacts(world, found(waybill), readFacts(fieldsOf(facts, '')));
      return viewOf(world, found(waybill));
    },
    tell: (waybill, input) => {
      const { node, at } = readTold(fieldsOf(input, ''));
      tell(world, found(waybill), node, at);
      return viewOf(world, found(waybill));
    },
  };
};

type AccountControl = Pick<
  Control,
  'applications' | 'addApplication' | 'setCallback' | 'expireTokens' | 'issueCode'
>;

const accountControl = ({ world }: ControlParts): AccountControl => ({
  applications: () => shownApplications(world),
  addApplication: (input) => {
    for (const account of input.accounts) checkCallback(account.callback_url ?? null);
    world.accounts.add(input);
    saveApplication(world, input.app_key);
  },
  setCallback: ({ customer_code, url }) => setCallback(world, customer_code, url),
  expireTokens: (customerCode) => {
    const { appKey, account } = ownerOf(world, customerCode);
    account.access_expires_at = world.realNow();
    saveApplication(world, appKey);
  },
  issueCode: (customerCode) => {
    const { appKey, account } = ownerOf(world, customerCode);
    return { code: world.accounts.issueCode(appKey, account.seller_id) };
  },
});

export const createControl = (parts: ControlParts): Control => {
  const { world, faults, pushes, requestLog, pushLog } = parts;
  return {
    ...orderControl(parts),
    ...accountControl(parts),
    sf: parts.sf.control,
    health: () => ({
      ok: true,
      clock: clockState(parts),
      orders: world.book.all().length,
      waiting_steps: world.agenda.size() + parts.sf.agenda.size(),
      pending_pushes: pushes.pending(),
      requests: requestLog.count(),
    }),
    clock: () => clockState(parts),
    setClock: (change) => setClock(parts, change),
    advance: (ms) => advance(parts, ms),
    faults: () => ({ queue: faults.list(), mix: faults.mix() }),
    addFault: (fault) => faults.add(readFault(fault)),
    mixFaults: (mix) => faults.setMix(mix === null ? null : readFaultMix(mix)),
    clearFaults: () => faults.clear(),
    requests: (after = 0, limit = 1000) => requestLog.after(after, limit),
    pushes: (after = 0, limit = 1000) => pushLog.after(after, limit),
    settle: async (withinMs = 10_000) => ({ pending: await pushes.settle(withinMs) }),
    settings: parts.settings,
    change: (change) => {
      parts.keepSettings(changedSettings(parts.settings(), change));
      return parts.settings();
    },
  };
};
