import { present } from '@waystation/contract/base/present.ts';
import { safeSum } from '#domain/carriers/port.ts';
import type {
  ActualFee,
  CarrierFee,
  Coverage,
  FeeService,
  Measured,
  PushedFee,
} from '#domain/carriers/port.ts';
import {
  fenOf,
  fieldsOf,
  gramsOf,
  isFields,
  listOf,
  textOf,
  unwrapJson,
  wholeOf,
} from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { instantOf } from '#domain/carriers/wall-clock.ts';
import { waybillOf } from './parse-order.ts';

/** Names of the confirmed fee types; other types get the carrier's own names. */
const feeTypes: Readonly<Record<string, { name: string; service: FeeService }>> = {
  '1': { name: '运费', service: 'carriage' },
  '3': { name: '保价费', service: 'insurance' },
};
const kinds: Partial<Record<FeeService, CarrierFee['kind']>> = {
  carriage: 'freight',
  insurance: 'insurance',
};

/** The largest number of fees in one answer; a real answer has only a few. */
const mostFees = 50;
const mostUnreadable = 5;

interface FeeRow {
  code: string;
  name: string;
  amount: number;
}

/**
 * Reads a fee from a waybill's answer or from a push; returns the text of the row if it cannot be
 * read.
 */
const feeRowOf = (row: unknown): FeeRow | string => {
  const fields = fieldsOf(row);
  const code = textOf(fields['type'] ?? fields['feeTypeCode'], 40);
  const value = fields['value'] ?? fields['feeAmt'];
  const amount = fenOf(value);
  if (code === '' || amount === null)
    return `${code} ${textOf(value ?? '–', 40)}`.trim().slice(0, 80) || '–';
  return { code, name: textOf(fields['name'], 100), amount };
};

/** True for a row without an amount, which is a fee that SF has not priced yet. */
const isUnpriced = (row: unknown): boolean =>
  isFields(row) && (row['value'] ?? row['feeAmt'] ?? null) === null;

const feesOf = (rows: readonly FeeRow[]): CarrierFee[] => {
  const fees = new Map<string, CarrierFee>();
  for (const { code, name, amount } of rows) {
    const known = Object.hasOwn(feeTypes, code) ? present(feeTypes[code]) : null;
    const service = known?.service ?? 'unknown';
    const found = fees.get(code);
    if (found) found.amount = safeSum(found.amount, amount);
    else
      fees.set(code, {
        code,
        name: name || (known?.name ?? `费用 ${code}`),
        kind: kinds[service] ?? 'surcharge',
        service,
        amount,
      });
  }
  return [...fees.values()];
};

const feeOf = (list: unknown, info: Fields): ActualFee | null => {
  const rows = listOf(unwrapJson(list)).filter((row) => !isUnpriced(row));
  if (rows.length === 0) return null;
  const read = rows.slice(0, mostFees).map(feeRowOf);
  const readable = read.filter((row): row is FeeRow => typeof row !== 'string');
  const unreadable = [
    ...read.filter((row): row is string => typeof row === 'string').slice(0, mostUnreadable),
    ...(rows.length > mostFees ? [`+${rows.length - mostFees}`] : []),
  ];
  return {
    jd_amount: readable.reduce((sum, { amount }) => safeSum(sum, amount), 0),
    estimate_amount: null,
    jd_cal_weight: gramsOf(info['meterageWeightQty']),
    fees: feesOf(readable),
    unreadable,
  };
};

const infoOf = (data: unknown): Fields => fieldsOf(unwrapJson(fieldsOf(data)['waybillInfo']));

/** The charges of a waybill; null if SF has none yet. */
export const actualFeeOf = (data: unknown): ActualFee | null =>
  isFields(data) ? feeOf(data['waybillFeeList'], infoOf(data)) : null;

/** The weight that SF measured, as `jd_weight`; null if SF has not weighed the parcel yet. */
export const measuredOf = (data: unknown): Measured | null => {
  if (!isFields(data)) return null;
  const info = infoOf(data);
  return {
    jd_weight: gramsOf(info['realWeightQty']) ?? gramsOf(info['meterageWeightQty']),
    jd_volume: null,
    package_count: wholeOf(info['quantity'], 1),
    order_id: textOf(info['orderNo'] ?? info['orderId'], 64),
    unreadable: [],
  };
};

/** A fee in a push, with its version; null if it has no waybill number or no version. */
export const pushedFeeOf = (row: unknown): PushedFee | null => {
  if (!isFields(row)) return null;
  const delivery_id = waybillOf(row['waybillNo']);
  const version = wholeOf(row['versionNo']);
  const fee = feeOf(row['feeList'], row);
  if (delivery_id === '' || version === null || fee === null) return null;
  return { delivery_id, order_id: textOf(row['orderNo'], 64), version, fee };
};

/** The end of a promised time range, which SF writes as `start,end`. */
const promisedAt = (value: unknown): Date | null =>
  instantOf(textOf(value, 100).split(',').at(-1)?.trim());

const productOf = (row: unknown): Coverage['products'][number] => {
  const fields = fieldsOf(row);
  return {
    promise_id: textOf(fields['businessType'], 40),
    promise_name: textOf(fields['businessTypeDesc'], 100),
    amount: fenOf(fields['fee']),
    delivery_promise_at: promisedAt(fields['deliverTime']),
    max_weight: null,
  };
};

/**
 * The coverage and price in SF's answer. A place is served if the product `promiseId` is offered
 * or, if `promiseId` is empty, any product.
 */
export const coverageOf = (data: unknown, promiseId: string): Coverage | null => {
  if (!isFields(data)) return null;
  const products = listOf(unwrapJson(data['deliverTmDto']))
    .map(productOf)
    .filter(({ promise_id }) => promise_id !== '');
  const chosen = products.find(({ promise_id }) => promise_id === promiseId);
  return {
    served: promiseId === '' ? products.length > 0 : chosen !== undefined,
    start_station_name: '',
    end_station_name: '',
    products,
    pickup_windows: [],
    estimate: chosen?.amount == null ? null : { amount: chosen.amount, cal_weight: null, fees: [] },
  };
};

const dayForm = /^(\d{4})-?(\d{2})-?(\d{2})/;
const timeForm = /^(?:(\d{4}-?\d{2}-?\d{2})[ T]?)?(\d{1,2}):?(\d{2})(?::?(\d{2}))?(?:\.\d+)?$/;
const dayMs = 86_400_000;

/**
 * The start or end of a pickup window: a complete timestamp, or the time of a day, with or without
 * separators. 24:00 is the end of the day. Null for any other text.
 */
const endOf = (serviceDate: unknown, value: unknown): Date | null => {
  const [, dated, hours = '', minutes = '', seconds = '00'] =
    timeForm.exec(textOf(value, 40)) ?? [];
  const day = (dated ?? textOf(serviceDate, 40)).replace(dayForm, '$1-$2-$3').slice(0, 10);
  if (hours === '24' && Number(minutes) + Number(seconds) === 0) {
    const midnight = instantOf(`${day} 00:00`);
    return midnight && new Date(midnight.getTime() + dayMs);
  }
  return instantOf(`${day} ${hours.padStart(2, '0')}:${minutes}:${seconds}`);
};

/** The pickup windows of SF, without rows that cannot be read. Undefined if no row can be read. */
export const windowsOf = (data: unknown): Coverage['pickup_windows'] | undefined => {
  const rows = unwrapJson(data);
  if (!Array.isArray(rows)) return undefined;
  const windows = rows.flatMap((row) => {
    const { serviceDate, startTime, endTime } = fieldsOf(row);
    const [starts_at, ends_at] = [endOf(serviceDate, startTime), endOf(serviceDate, endTime)];
    return starts_at && ends_at ? [{ starts_at, ends_at }] : [];
  });
  return rows.length > 0 && windows.length === 0 ? undefined : windows;
};

const suspendedWords = /暂停|停发|停收|停派|管控|疫情|不可抗力/;
const outOfAreaWords =
  /超出(?:服务|收派)?范围|超范围|不在(?:服务|收派)范围|不可(?:收派|到达)|未开通|无法(?:派送|收派|揽收)/;

/**
 * The reason why SF does not serve the sender's or the recipient's place. It is decided by the
 * words of SF's text.
 */
export const refusedCoverage = (text: string): 'out_of_area' | 'suspended' | 'refused' => {
  if (suspendedWords.test(text)) return 'suspended';
  return outOfAreaWords.test(text) ? 'out_of_area' : 'refused';
};
