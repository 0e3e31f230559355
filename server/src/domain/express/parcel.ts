import { offeredProviders } from '@waystation/contract/network/provider.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';
import { placeOf } from '#domain/address/address.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { failFields } from '#platform/fail.ts';
import { readSetting } from '#platform/settings.ts';
import { isWindowShaped } from './pickup-window.ts';
import type { ExpressRow } from './row.ts';

const defaults = {
  sender_id: null,
  receive_id: null,
  thr_order_id: '',
  sender_name: '',
  sender_phone: '',
  sender_province: '',
  sender_city: '',
  sender_county: '',
  sender_address: '',
  receive_name: '',
  receive_phone: '',
  receive_province: '',
  receive_city: '',
  receive_county: '',
  receive_address: '',
  package_count: 1,
  guarantee_value_amount: 0,
  trans_type: 1,
  goods_type: 1,
  goods: '',
  promise_id: '',
  remark: '',
  description: '',
  weight: 0,
  length: 0,
  width: 0,
  height: 0,
  pickup_from: null,
  pickup_until: null,
} satisfies Partial<ExpressRow>;

/** The fields of a parcel that users enter, checked and in their standard form. */
export type ParcelFields = Pick<ExpressRow, keyof typeof defaults>;

export type ParcelInput = { [K in keyof ParcelFields]?: ParcelFields[K] | undefined };

const names = Object.keys(defaults) as (keyof ParcelFields)[];

/** Only the fields that were entered, for a draft or an edit. */
export const enteredFields = (input: ParcelInput): Partial<ParcelFields> =>
  Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );

/**
 * Checks that every stored parcel, even a draft, has no masked phone and only contacts of its own
 * station. Fails with all invalid fields together.
 */
export const checkEntered = async (
  work: Work,
  station_id: number,
  input: ParcelInput,
): Promise<void> => {
  const problems: Record<string, Reason> = {};
  for (const name of ['sender_phone', 'receive_phone'] as const) {
    const read = readPhone(input[name] ?? '');
    if (!read.ok && read.code === 'phone_masked') problems[name] = { code: read.code };
  }
  const contacts = (['sender_id', 'receive_id'] as const).filter((name) => input[name] != null);
  checkWindowShape(problems, input);
  if (contacts.length > 0) {
    const { rows } = await sql<
      RowOf<'contacts', 'id'>
    >`select id from contacts where station_id = ${station_id}
      and id = any(${contacts.map((name) => input[name])}::bigint[])`.execute(work.tx);
    for (const name of contacts)
      if (!rows.some(({ id }) => id === input[name])) problems[name] = { code: 'not_found' };
  }
  if (Object.keys(problems).length > 0) failFields(problems);
};

export const fieldsOf = (express: ExpressRow): ParcelFields =>
  Object.fromEntries(names.map((name) => [name, express[name]])) as ParcelFields;

/**
 * The whole parcel after an edit, to be checked. If the edit contains only one end of the pickup
 * window, the other end is missing in the result.
 */
export const editedFields = (express: ExpressRow, changes: ParcelInput): ParcelInput => {
  const { pickup_from, pickup_until } = changes;
  const isWindow = pickup_from !== undefined || pickup_until !== undefined;
  return { ...fieldsOf(express), ...changes, ...(isWindow && { pickup_from, pickup_until }) };
};

/** True if a stored field has this value. Two times are equal if they are the same instant. */
export const isSameField = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;

/** Reports a pickup window of which only one end was entered. */
const checkWindowShape = (
  problems: Record<string, Reason>,
  { pickup_from, pickup_until }: ParcelInput,
): void => {
  const isNone =
    (pickup_from === undefined && pickup_until === undefined) ||
    (pickup_from === null && pickup_until === null);
  if (!isNone && !(pickup_from && pickup_until && isWindowShaped(pickup_from, pickup_until)))
    problems['pickup_from'] = { code: 'invalid' };
};

/**
 * The weight limit of a parcel in grams. It is a network setting, because requirements §9 states
 * none.
 */
export const maxWeight = (work: Work): Promise<number> => readSetting(work, 'max_weight');

const goodsOf = async (
  work: Work,
  name: string,
): Promise<RowOf<'cargos', 'type' | 'banned' | 'banned_reason'> | undefined> => {
  const rows = await rowsAtOnce(
    work,
    sql<
      RowOf<'cargos', 'type' | 'banned' | 'banned_reason'>
    >`select type, banned, banned_reason from cargos where name = ${name} and status = 1
      order by banned, array_position(${[...offeredProviders]}::text[], provider) limit 1`,
  );
  return rows[0];
};

/**
 * Returns the whole parcel, ready to be priced and ordered; fails with all its invalid fields.
 * Phones and divisions are in their standard form. The goods are enabled or equal `currentGoods`. A
 * phone with `*` is refused, because it comes from a masked response.
 */
export const checkedParcel = async (
  work: Work,
  input: ParcelInput,
  currentGoods?: string,
): Promise<ParcelFields> => {
  const fields: ParcelFields = { ...defaults, ...(enteredFields(input) as ParcelFields) };
  const problems: Record<string, Reason> = {};
  checkWindowShape(problems, input);
  for (const side of ['sender', 'receive'] as const) {
    checkText(problems, fields, `${side}_name`);
    checkText(problems, fields, `${side}_address`);
    const read = readPhone(fields[`${side}_phone`]);
    if (read.ok) fields[`${side}_phone`] = phoneText(read.phone);
    else
      problems[`${side}_phone`] = { code: fields[`${side}_phone`] === '' ? 'required' : read.code };
    const place = placeOf(
      fields[`${side}_province`],
      fields[`${side}_city`],
      fields[`${side}_county`],
    );
    if ('problem' in place) problems[`${side}_${place.field}`] = place.problem;
    else {
      const address = `${fields[`${side}_address`]}`;
      // In a city without counties, a town in the county field is moved to the address.
      const within = place.town && !address.startsWith(place.town) ? place.town + address : address;
      Object.assign(fields, {
        [`${side}_province`]: place.province,
        [`${side}_city`]: place.city,
        [`${side}_county`]: place.county,
        [`${side}_address`]: within,
      });
    }
  }
  checkText(problems, fields, 'goods');
  checkText(problems, fields, 'promise_id');
  const isChecked = fields.goods !== '' && fields.goods !== currentGoods && !problems['goods'];
  const [kind, limit] = await Promise.all([
    isChecked ? goodsOf(work, fields.goods) : undefined,
    maxWeight(work),
  ]);
  if (kind?.banned)
    problems['goods'] = {
      code: 'cargo_banned',
      params: { goods: fields.goods, text: kind.banned_reason },
    };
  else if (kind) fields.goods_type = kind.type;
  else if (isChecked)
    problems['goods'] = { code: 'goods_not_offered', params: { goods: fields.goods } };
  if (fields.weight < 1) problems['weight'] = { code: 'required' };
  else if (fields.weight > limit)
    problems['weight'] = {
      code: 'over_weight',
      params: { actual_weight: fields.weight, limit_weight: limit },
    };
  checkSizes(problems, fields);
  if (Object.keys(problems).length > 0) failFields(problems);
  return fields;
};

/**
 * A volume needs all three sizes. With two sizes, the carrier would weigh and charge a volume that
 * the price did not include.
 */
const checkSizes = (problems: Record<string, Reason>, fields: ParcelFields): void => {
  const missing = (['length', 'width', 'height'] as const).filter((size) => fields[size] === 0);
  if (missing.length < 3)
    for (const size of missing) problems[size] = { code: 'import_size_missing' };
};

const checkText = (
  problems: Record<string, Reason>,
  fields: ParcelFields,
  name: keyof ParcelFields,
): void => {
  if (String(fields[name]).trim() === '') problems[name] = { code: 'required' };
};
