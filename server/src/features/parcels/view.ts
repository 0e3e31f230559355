import { maskPhone } from '@waystation/contract/phone.ts';
import type { Express } from '@waystation/contract/express.ts';
import { choosableClaims, waitingReason } from '#domain/express/express-reads.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { ListedColumn } from './list-columns.ts';

/** The names beside a parcel's ids. */
interface Names {
  station_name: string;
  /** Of its station. */
  allow_print: 0 | 1;
  user_nickname: string;
  promise_name: string;
  cancel_nickname: string | null;
  print_nickname: string | null;
  project_name: string | null;
  voucher_name: string | null;
  /** Of its carrier account; null while that answers. */
  carrier_down_since: Date | null;
}

/** A parcel's row with what joins bring. */
export type JoinedExpress = ExpressRow & Names;
/** What a list needs of it. */
export type ListedExpress = Pick<ExpressRow, ListedColumn> & Names;

/** Selects the names beside the ids of parcels `e`; stands with `nameJoins`. */
export const nameColumns = sql`s.name as station_name, s.allow_print, coalesce(a.nickname, '') as user_nickname, coalesce(p.promise_name, e.promise_id) as promise_name,
  ca.nickname as cancel_nickname, pa.nickname as print_nickname, pj.name as project_name, v.name as voucher_name,
  m.down_since as carrier_down_since`;

export const nameJoins = sql`join stations s on s.id = e.station_id left join accounts a on a.id = e.user_id
  left join accounts ca on ca.id = e.cancel_uid left join accounts pa on pa.id = e.print_uid
  left join projects pj on pj.id = e.project_id left join vouchers v on v.id = e.voucher_id
  left join merchants m on m.id = e.merchant_id and m.status = 1
  left join promises p on (p.provider, p.promise_id) = (e.provider, e.promise_id)`;

const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString());

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
  'first_sent_at',
  'confirm_tries',
  'confirm_asked_at',
  'waybill_claims',
  'carrier_down_since',
]);

/** Phones are whole for those of the parcel's own station, masked for everybody else, super and admin too (requirements §6). */
export const seesPhones = (actor: Actor, station_id: number): boolean => actor.station_id === station_id;

/** The parcel as this actor may see it: cost for super and admin only, phones of other stations masked, times as text. */
export const viewOf = (actor: Actor, row: ListedExpress): Express => {
  const shown = seesPhones(actor, row.station_id);
  const office = actor.role === 'super' || actor.role === 'admin';
  const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name))) as unknown as Express;
  return {
    ...fields,
    ...waitingReason(row),
    ...(office && { jd_amount: row.jd_amount, customer_code: row.customer_code }),
    ...(office && { waybill_claims: choosableClaims(row).map(({ delivery_id, source }) => ({ delivery_id, source })) }),
    sender_phone: shown ? row.sender_phone : maskPhone(row.sender_phone),
    receive_phone: shown ? row.receive_phone : maskPhone(row.receive_phone),
    phones_shown: shown ? 1 : 0,
    canceling: row.cancel_requested_at === null ? 0 : 1,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    canceled_at: iso(row.canceled_at),
    printed_at: iso(row.printed_at),
    ordered_at: iso(row.ordered_at),
    picked_up_at: iso(row.picked_up_at),
    signed_at: iso(row.signed_at),
    last_event_at: iso(row.last_event_at),
    charged_at: iso(row.charged_at),
  };
};
