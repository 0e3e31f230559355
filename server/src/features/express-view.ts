import { maskPhone } from '@waystation/contract/phone.ts';
import type { Express } from '@waystation/contract/express.ts';
import type { ExpressRow } from '#domain/express/express.ts';
import type { Actor } from '#platform/auth/actor.ts';

/** A parcel's row with what joins bring. */
export type JoinedExpress = ExpressRow & { station_name: string; user_nickname: string; promise_name: string };

const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString());

const hidden = new Set([
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
]);

/** Phones are whole for those of the parcel's own station, masked for everybody else, super and admin too (requirements §6). */
export const seesPhones = (actor: Actor, station_id: number): boolean => actor.station_id === station_id;

/** The parcel as this actor may see it: cost for the office alone, phones masked outside one's own station, times as text. */
export const viewOf = (actor: Actor, row: JoinedExpress): Express => {
  const shown = seesPhones(actor, row.station_id);
  const office = actor.role === 'super' || actor.role === 'admin';
  const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name))) as unknown as Express;
  return {
    ...fields,
    ...(office && { jd_amount: row.jd_amount }),
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
