import { fieldsOf, isObject, Unreadable } from './reading.ts';

/**
 * The behaviour of the simulated carriers; every value may be changed while they run. Rates are
 * between 0 and 1, and `_ms` values are real milliseconds.
 */
export type Settings = {
  /**
   * The response to a repeated order number: the existing waybill with sub-code 0_0001, or a
   * business error.
   */
  repeat_mode: 'existing' | 'error';
  /**
   * The business error that `repeat_mode` "error" returns. The platform's own error is not
   * published.
   */
  repeat_error: { code: number; sub_code: string | null; message: string; with_waybill: boolean };
  envelope: 'plain' | 'wrapped';
  /**
   * The type of the OAuth token response: a JSON object, or a JSON string that contains this object
   * as JSON.
   */
  oauth_body: 'object' | 'text';
  refresh_mode: 'same' | 'renew';
  names: 'strict' | 'any';
  hide_name: 0 | 1;
  hide_phone: 0 | 1;
  /** The price that the contract pays, in basis points of the list price. */
  contract_rate: number;
  /** The range of the measured weight, in basis points of the declared weight. */
  weigh_from: number;
  weigh_to: number;
  rates: {
    pickup_ended: number;
    refused: number;
    relabelled: number;
    redelivered: number;
    corrected: number;
    intercept_fails: number;
    packaging: number;
  };
  push: {
    on: boolean;
    late_ms: number;
    repeat_rate: number;
    shuffle_rate: number;
    /** The maximum delay, in milliseconds, of a message that is sent after the next message. */
    hold_ms: number;
    retry_first_ms: number;
    retry_most_ms: number;
    retry_times: number;
    timeout_ms: number;
  };
  /** The delay, in milliseconds, of a response to an order with the keyword 慢应答. */
  slow_ms: number;
  /** The second carrier, SF Express. */
  sf: {
    /** The response to a repeated order number: the first order, or error 8016. */
    repeat: 'first' | 'error';
    /** How many times each message is pushed. SF itself pushes a message four times on average. */
    push_copies: number;
    /** True if pushes of a fee are followed by pushes of earlier versions with other amounts. */
    contradict_fees: boolean;
    /** True if a search returns another waybill than the create call did. */
    contradict_search: boolean;
    /**
     * The format of the ends of pickup windows: full timestamps, as in the carrier's example, or
     * times of day.
     */
    window_times: 'whole' | 'of_day';
    /**
     * Real milliseconds until an access token expires (`token_ms`), and until a label file's token
     * expires (`file_ms`).
     */
    token_ms: number;
    file_ms: number;
  };
};

export const quietRates: Settings['rates'] = {
  pickup_ended: 0,
  refused: 0,
  relabelled: 0,
  redelivered: 0,
  corrected: 0,
  intercept_fails: 0,
  packaging: 0,
};

/** The rates of faults on ordinary days of a carrier. */
export const demoRates: Settings['rates'] = {
  pickup_ended: 0.008,
  refused: 0.012,
  relabelled: 0.006,
  redelivered: 0.03,
  corrected: 0.03,
  intercept_fails: 0.1,
  packaging: 0.03,
};

export const defaultSettings: Settings = {
  repeat_mode: 'existing',
  repeat_error: { code: 1, sub_code: '0_0001', message: '商家订单号重复', with_waybill: false },
  envelope: 'plain',
  oauth_body: 'object',
  refresh_mode: 'same',
  names: 'strict',
  hide_name: 1,
  hide_phone: 1,
  contract_rate: 4800,
  weigh_from: 9000,
  weigh_to: 13000,
  rates: quietRates,
  push: {
    on: true,
    late_ms: 0,
    repeat_rate: 0,
    shuffle_rate: 0,
    hold_ms: 60_000,
    retry_first_ms: 500,
    retry_most_ms: 60_000,
    retry_times: 30,
    timeout_ms: 10_000,
  },
  slow_ms: 6000,
  sf: {
    repeat: 'first',
    push_copies: 1,
    contradict_fees: false,
    contradict_search: false,
    window_times: 'whole',
    token_ms: 7_200_000,
    file_ms: 86_400_000,
  },
};

type Check = (value: unknown) => string | null;
const oneOf =
  (...allowed: readonly (string | number | boolean)[]): Check =>
  (value) =>
    allowed.includes(value as string) ? null : `must be one of ${allowed.join(', ')}`;
const between =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? null
      : `must be a number between ${least} and ${most}`;
const text: Check = (value) =>
  typeof value === 'string' && value.length <= 200
    ? null
    : 'must be a text of at most 200 characters';
const textOrNull: Check = (value) => (value === null ? null : text(value));
const share = between(0, 1);
const wait = between(0, 86_400_000);
const yesNo = oneOf(true, false);

type Checks = { [name: string]: Check | Checks };
const checks: Checks = {
  repeat_mode: oneOf('existing', 'error'),
  repeat_error: {
    code: between(-2_147_483_648, 2_147_483_647),
    sub_code: textOrNull,
    message: text,
    with_waybill: yesNo,
  },
  envelope: oneOf('plain', 'wrapped'),
  oauth_body: oneOf('object', 'text'),
  refresh_mode: oneOf('same', 'renew'),
  names: oneOf('strict', 'any'),
  hide_name: oneOf(0, 1),
  hide_phone: oneOf(0, 1),
  contract_rate: between(0, 100_000),
  weigh_from: between(1, 100_000),
  weigh_to: between(1, 100_000),
  rates: Object.fromEntries(Object.keys(quietRates).map((name) => [name, share])),
  push: {
    on: yesNo,
    late_ms: wait,
    repeat_rate: share,
    shuffle_rate: share,
    hold_ms: wait,
    retry_first_ms: between(1, 86_400_000),
    retry_most_ms: between(1, 86_400_000),
    retry_times: between(1, 100_000),
    timeout_ms: between(1, 600_000),
  },
  slow_ms: between(0, 600_000),
  sf: {
    repeat: oneOf('first', 'error'),
    push_copies: between(1, 20),
    contradict_fees: yesNo,
    contradict_search: yesNo,
    window_times: oneOf('whole', 'of_day'),
    token_ms: wait,
    file_ms: wait,
  },
};

/** A change of settings. Any setting may be left out, also within a nested group. */
export type SettingsChange = {
  [Name in keyof Settings]?: Settings[Name] extends object
    ? Partial<Settings[Name]>
    : Settings[Name];
};

const merged = (
  base: object,
  change: unknown,
  rules: Checks,
  path: string,
): Record<string, unknown> => {
  const fields = fieldsOf(change, path);
  const result: Record<string, unknown> = { ...base };
  for (const name of fields.names()) {
    const rule = rules[name];
    const at = path === '' ? name : `${path}.${name}`;
    if (rule === undefined) throw new Unreadable(at, 'is not a setting');
    const value = fields.raw(name);
    if (value === undefined) continue;
    if (typeof rule === 'function') {
      const wrong = rule(value);
      if (wrong !== null) throw new Unreadable(at, wrong);
      result[name] = value;
    } else {
      const group = result[name];
      result[name] = merged(isObject(group) ? group : {}, value, rule, at);
    }
  }
  return result;
};

/**
 * Returns the settings with a change applied. Throws Unreadable with the name of the first invalid
 * value.
 */
export const changedSettings = (base: Settings, change: unknown): Settings => {
  const result = merged(base, change, checks, '') as Settings;
  if (result.weigh_from > result.weigh_to)
    throw new Unreadable('weigh_from', 'must not be above weigh_to');
  return result;
};
