import { maskPhone } from '@waystation/contract/parcels/phone.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { choosableClaims, waitingReason } from '#domain/express/express-reads.ts';
import type { ExpressRow, OnHoldNeeds } from '#domain/express/express-reads.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder } from '#platform/db/db.ts';

/** Columns of other tables that are read with a parcel, mostly the names that belong to its ids. */
interface Names {
  station_name: string;
  /** 1 if the parcel's station may print labels. */
  allow_print: 0 | 1;
  user_nickname: string;
  promise_name: string;
  cancel_nickname: string | null;
  print_nickname: string | null;
  project_name: string | null;
  voucher_name: string | null;
  /** The time when the outage of the parcel's carrier account began; null if there is none. */
  carrier_down_since: Date | null;
  /** The money that a parcel on hold needs, if its station pays in advance; else null. */
  on_hold_needs: OnHoldNeeds | null;
}

/** A parcel's row with joined names. */
export type JoinedExpress = ExpressRow & Names;
/** A parcel's row with only some of its columns. */
export type PartOfExpress = Pick<ExpressRow, 'station_id'> & Partial<JoinedExpress>;

const joins = {
  s: sql`join stations s on s.id = e.station_id`,
  a: sql`left join accounts a on a.id = e.user_id`,
  ca: sql`left join accounts ca on ca.id = e.cancel_uid`,
  pa: sql`left join accounts pa on pa.id = e.print_uid`,
  pj: sql`left join projects pj on pj.id = e.project_id`,
  v: sql`left join vouchers v on v.id = e.voucher_id`,
  m: sql`left join merchants m on m.id = e.merchant_id and m.status = 1`,
  p: sql`left join promises p on (p.provider, p.promise_id) = (e.provider, e.promise_id)`,
} as const;

/** The source of each joined name: its SQL expression and the alias of its join. */
const nameSources = {
  station_name: ['s.name', 's'],
  allow_print: ['s.allow_print', 's'],
  user_nickname: [`coalesce(a.nickname, '')`, 'a'],
  promise_name: ['coalesce(p.promise_name, e.promise_id)', 'p'],
  cancel_nickname: ['ca.nickname', 'ca'],
  print_nickname: ['pa.nickname', 'pa'],
  project_name: ['pj.name', 'pj'],
  voucher_name: ['v.name', 'v'],
  carrier_down_since: ['m.down_since', 'm'],
  on_hold_needs: [
    'case when e.state_code = 10 then on_hold_needs(e.station_id, e.created_at, e.id) end',
    's',
  ],
} as const satisfies Record<keyof Names, readonly [string, keyof typeof joins]>;

const space = sql` `;

export const isNamed = (field: string): field is keyof Names => Object.hasOwn(nameSources, field);

/** The columns and joins for those `fields` of parcels `e` that come from other tables. */
export const namesOf = (
  fields: readonly string[],
): { columns: RawBuilder<unknown>[]; joins: RawBuilder<unknown> } => {
  const wanted = fields.filter(isNamed);
  const aliases = new Set(wanted.map((field) => nameSources[field][1]));
  return {
    columns: wanted.map((field) => sql.raw(`${nameSources[field][0]} as ${field}`)),
    joins: sql.join(
      [...aliases].map((alias) => joins[alias]),
      space,
    ),
  };
};

const allNames = namesOf(Object.keys(nameSources));
/** Selects the names that belong to the ids of parcels `e`. The query must join `nameJoins`. */
export const nameColumns = sql.join(allNames.columns);
export const nameJoins = allNames.joins;

const hidden = new Set([
  'customer_code',
  'jd_amount',
  'terms',
  'price_lines',
  'surcharges',
  'shares',
  'order_request',
  'order_tries',
  'order_sought_at',
  'carrier_order_code',
  'merchant_id',
  'attempt',
  'fact_no',
  'polled_at',
  'jd_volume',
  'voucher_no',
  'cancel_requested_at',
  'cancel_reason',
  'handled_uid',
  'first_sent_at',
  'confirm_tries',
  'confirm_asked_at',
  'waybill_claims',
  'carrier_down_since',
  'on_hold_needs',
  'sort_value',
  'package_ids',
  'fee_version',
  'fee_digest',
]);

/**
 * Only users of the parcel's own station see whole phones; phones are masked for all others, super
 * and admin included (requirements §6).
 */
export const seesPhones = (actor: Actor, station_id: number): boolean =>
  actor.station_id === station_id;

/** True for the roles that see a parcel's costs and choose between its waybills. */
export const isOffice = (actor: Actor): boolean => actor.role === 'super' || actor.role === 'admin';

interface ViewOf {
  (actor: Actor, row: JoinedExpress): Express;
  (actor: Actor, row: PartOfExpress): Partial<Express>;
}

/**
 * A parcel as this actor may see it. Only super and admin see the cost, phones of other stations
 * are masked, and times are texts. A row with some columns gives only the fields that depend on
 * them.
 */
export const viewOf = ((actor: Actor, row: PartOfExpress): Partial<Express> => {
  // Copying all fields at once takes half the time of copying them one by one.
  const fields: Record<string, unknown> = { ...row };
  for (const name in fields) {
    const value = fields[name];
    if (hidden.has(name)) fields[name] = undefined;
    else if (value instanceof Date) fields[name] = value.toISOString();
  }
  const shown = seesPhones(actor, row.station_id);
  fields['phones_shown'] = shown ? 1 : 0;
  if (!shown && row.sender_phone !== undefined)
    fields['sender_phone'] = maskPhone(row.sender_phone);
  if (!shown && row.receive_phone !== undefined)
    fields['receive_phone'] = maskPhone(row.receive_phone);
  if (row.cancel_requested_at !== undefined)
    fields['canceling'] = row.cancel_requested_at === null ? 0 : 1;
  const whole = row as JoinedExpress;
  if (row.carrier_down_since !== undefined && row.on_hold_needs !== undefined)
    Object.assign(fields, waitingReason(whole));
  if (!isOffice(actor)) return fields;
  if (row.jd_amount !== undefined) fields['jd_amount'] = row.jd_amount;
  if (row.customer_code !== undefined) fields['customer_code'] = row.customer_code;
  if (row.waybill_claims !== undefined)
    fields['waybill_claims'] = choosableClaims(whole).map(({ delivery_id, source }) => ({
      delivery_id,
      source,
    }));
  return fields;
}) as ViewOf;
