import { draw } from './draw.ts';
import { fieldsOf, Unreadable } from './reading.ts';
import type { Subject } from './carrier.ts';

/**
 * The kinds of faults of one request. A fault with `before` stores nothing; one with `after` stores
 * the order and loses only the response.
 */
export const faultKinds = [
  'refuse',
  'gateway',
  'drop_before',
  'drop_after',
  'error_before',
  'error_after',
  'slow_before',
  'slow_after',
  'garbage_before',
  'garbage_after',
  'cut_after',
  'doubled',
  'renumbered',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Fault = {
  kind: FaultKind;
  /** The path of the requests that get the fault; `*` for all paths. */
  path: string;
  /** The number of further requests that get the fault. */
  times: number;
  order_id?: string;
  waybill_code?: string;
  /**
   * The code of the fault's response. `refuse`: the business code, 1 by default. `gateway`: the
   * gateway code, 2 by default (too many requests). `error_…`: the HTTP status, 500 by default.
   */
  code?: number;
  sub_code?: string;
  message?: string;
  /** The delay of a fault `slow_…` in real milliseconds; 5000 by default. */
  ms?: number;
};

/**
 * A mix of random faults. The fault of a request depends only on the seed, the path, the order
 * number and the number of its attempts.
 */
export type FaultMix = {
  seed: string;
  paths: string[];
  rates: Partial<Record<FaultKind, number>>;
  ms?: number;
};

export type Faults = {
  /** Returns the fault for this request and counts it as used; undefined for none. */
  take(path: string, subject: Subject): Fault | undefined;
  add(fault: Fault): void;
  list(): Fault[];
  clear(): void;
  mix(): FaultMix | null;
  setMix(mix: FaultMix | null): void;
};

const aliases: Record<string, FaultKind> = {
  slow: 'slow_after',
  garbage: 'garbage_after',
  drop: 'drop_after',
  error: 'error_after',
};

const readKind = (name: string, field: string): FaultKind => {
  const kind = aliases[name] ?? faultKinds.find((known) => known === name);
  if (kind === undefined) throw new Unreadable(field, `must be one of ${faultKinds.join(', ')}`);
  return kind;
};

/** Reads a fault from JSON; throws Unreadable. */
export const readFault = (value: unknown): Fault => {
  const fields = fieldsOf(value, '');
  const kind = readKind(fields.text('kind', 1, 40), 'kind');
  const code = fields.maybeWhole('code', -2_147_483_648, 2_147_483_647);
  if (kind.startsWith('error_') && code !== undefined && (code < 400 || code > 599)) {
    throw new Unreadable('code', 'must be an HTTP status from 400 to 599');
  }
  const orderId = fields.maybeText('order_id', 50);
  const waybillCode = fields.maybeText('waybill_code', 50);
  const subCode = fields.maybeText('sub_code', 50);
  const message = fields.maybeText('message', 200);
  const ms = fields.maybeWhole('ms', 0, 600_000);
  return {
    kind,
    path: fields.maybeText('path', 200) ?? '*',
    times: fields.maybeWhole('times', 1, 1_000_000_000) ?? 1,
    ...(orderId === undefined ? {} : { order_id: orderId }),
    ...(waybillCode === undefined ? {} : { waybill_code: waybillCode }),
    ...(code === undefined ? {} : { code }),
    ...(subCode === undefined ? {} : { sub_code: subCode }),
    ...(message === undefined ? {} : { message }),
    ...(ms === undefined ? {} : { ms }),
  };
};

/**
 * Reads a mix of faults from JSON. Throws Unreadable if it is invalid or the sum of its rates is
 * above 1.
 */
export const readFaultMix = (value: unknown): FaultMix => {
  const fields = fieldsOf(value, '');
  const rateFields = fields.inside('rates');
  const rates: Partial<Record<FaultKind, number>> = {};
  for (const name of rateFields.names()) {
    const kind = readKind(name, `rates.${name}`);
    rates[kind] = (rates[kind] ?? 0) + rateFields.number(name, 0, 1);
  }
  const sum = Object.values(rates).reduce((total, rate) => total + rate, 0);
  if (sum > 1 + 1e-9) throw new Unreadable('rates', 'must not sum to more than 1');
  const paths = fields.raw('paths');
  if (
    paths !== undefined &&
    !(Array.isArray(paths) && paths.every((path) => typeof path === 'string'))
  ) {
    throw new Unreadable('paths', 'must be a list of paths');
  }
  const ms = fields.maybeWhole('ms', 0, 600_000);
  return {
    seed: fields.maybeText('seed', 100) ?? '1',
    paths: paths ?? ['*'],
    rates,
    ...(ms === undefined ? {} : { ms }),
  };
};

const remembered = 100_000;

export const createFaults = (): Faults => {
  let queue: Fault[] = [];
  let mix: FaultMix | null = null;
  const tries = new Map<string, number>();

  const meets = (fault: Fault, path: string, subject: Subject): boolean =>
    (fault.path === '*' || fault.path === path) &&
    (fault.order_id === undefined || fault.order_id === subject.order_id) &&
    (fault.waybill_code === undefined || fault.waybill_code === subject.waybill_code);

  const byChance = (path: string, subject: Subject): Fault | undefined => {
    if (mix === null || !(mix.paths.includes('*') || mix.paths.includes(path))) return undefined;
    const key = `${path} ${subject.order_id ?? subject.waybill_code ?? ''}`;
    const attempt = (tries.get(key) ?? 0) + 1;
    if (tries.size >= remembered) tries.clear();
    tries.set(key, attempt);
    let left = draw(mix.seed, key, attempt);
    for (const kind of faultKinds) {
      left -= mix.rates[kind] ?? 0;
      if (left < 0)
        return { kind, path, times: 1, ...(mix.ms === undefined ? {} : { ms: mix.ms }) };
    }
    return undefined;
  };
  return {
    take: (path, subject) => {
      const fault = queue.find((candidate) => meets(candidate, path, subject));
      if (fault === undefined) return byChance(path, subject);
      fault.times -= 1;
      if (fault.times <= 0) queue = queue.filter((candidate) => candidate !== fault);
      return { ...fault };
    },
    add: (fault) => {
      queue.push({ ...fault });
    },
    list: () => queue.map((fault) => ({ ...fault })),
    clear: () => {
      queue = [];
      mix = null;
      tries.clear();
    },
    mix: () => mix,
    setMix: (next) => {
      mix = next;
      tries.clear();
    },
  };
};
