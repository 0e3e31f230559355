import { firstOf } from '@waystation/contract/base/present.ts';
import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';
import type { Effect, Message } from './state.ts';

export type Source = 'order' | 'push' | 'trace' | 'cancel';
/**
 * The maximum number of stored messages of one parcel. It also limits the parcel's messages that
 * are stored but not applied. The oldest are kept; a parcel usually has a few dozen.
 */
const mostMessages = 1_000;

/** The reason why a message is stored but not applied; empty if it is applied. */
export type Refusal = '' | 'early' | 'future' | 'waybill';

/**
 * An endless trace or series of pushes would fill the database. Messages beyond the limit are
 * therefore not stored, and one alert is raised.
 */
const raiseCut = (work: Work, express: ExpressRow, count: number): Promise<void> =>
  raiseAlertOnce(work, {
    code: 'messages_cut',
    params: { order_id: express.order_id, count, max: mostMessages },
    express_id: express.id,
    station_id: express.station_id,
    key: `messages_cut:${express.id}`,
  });

export type StoredMessage = Message & RowOf<'express_messages', 'remark' | 'cancel_reason'>;

interface Stored {
  /** The messages that were not stored before. */
  fresh: CarrierMessage[];
  /**
   * All messages from which the state is calculated, including the new ones; empty if there are
   * none.
   */
  known: StoredMessage[];
}

interface ToStore {
  source: Source;
  messages: readonly CarrierMessage[];
  refused?: Refusal;
}

export const storeMessages = async (
  work: Work,
  express: ExpressRow,
  { source, messages, refused = '' }: ToStore,
): Promise<Stored> => {
  if (messages.length === 0) return { fresh: [], known: [] };
  const rows = messages.map((message) => ({
    express_id: express.id,
    station_id: express.station_id,
    source,
    operation_time: message.operation_time,
    rank: message.rank,
    hash: `\\x${message.hash}`,
    category: message.category,
    state: message.state,
    our_state: message.our_state,
    effect: message.effect,
    title: message.title,
    remark: message.remark,
    operator_name: message.operator_name,
    place: message.place,
    cancel_reason: message.cancel_reason,
    raw: message.raw ?? null,
    refused,
  }));
  // The parcel is locked, so no other transaction adds messages of this parcel while the statement
  // reads and adds some.
  const { rows: answer } = await sql<
    (KnownRow & { added: boolean; cut: number }) | { hash: null; cut: number }
  >`with received as materialized (
      select distinct on (operation_time, rank, hash) express_id, station_id, source,
        operation_time, rank, hash, category, state, our_state, effect,
        title, remark, operator_name, place, cancel_reason, raw, refused
          from jsonb_to_recordset(${jsonText(rows)}::jsonb) as r(express_id bigint,
          station_id bigint, source text,
        operation_time timestamptz, rank int, hash bytea, category text, state text,
          our_state smallint, effect text, title text, remark text, operator_name text,
          place text,
        cancel_reason text, raw jsonb, refused text)
      where not exists (select from express_messages m where m.express_id = ${express.id}
        and m.hash = r.hash and m.refused = r.refused)
      order by operation_time, rank, hash),
    added as (
      insert into express_messages (express_id, station_id, source, operation_time,
        rank, hash, category, state, our_state, effect, title, remark, operator_name, place,
        cancel_reason, raw, refused)
      select express_id, station_id, source, operation_time, rank, hash, category,
        state, our_state, effect, title, remark, operator_name, place, cancel_reason, raw,
        refused
      from received order by operation_time, rank, hash
      limit (select greatest(0, ${mostMessages} - count(*)) from express_messages m
        where m.express_id = ${express.id} and (m.refused = '') = (${refused} = ''))
      on conflict (express_id, hash, refused) do nothing
        returning operation_time, rank, hash, effect, remark, cancel_reason)
    select k.added, k.operation_time, k.rank, k.hash, k.effect, k.remark, k.cancel_reason,
      (select count(*) from received)::int - (select count(*) from added)::int as cut
      from (values (1)) one left join (
      select true as added, operation_time, rank, hash, effect, remark, cancel_reason
        from added
      union all select false, operation_time, rank, hash, effect, remark, cancel_reason
        from express_messages
        where express_id = ${express.id} and refused = '' and ${refused} = ''
          and exists (select from added)) k on true`.execute(work.tx);
  if (firstOf(answer).cut > 0) await raiseCut(work, express, firstOf(answer).cut);
  const found = answer.filter((row) => row.hash !== null);
  const fresh = new Set(found.filter(({ added }) => added).map((row) => row.hash.toString('hex')));
  return {
    fresh: messages.filter((message) => fresh.delete(message.hash)),
    known: found.map(messageOf),
  };
};

type KnownRow = Pick<
  RowOf<'express_messages'>,
  'operation_time' | 'rank' | 'hash' | 'remark' | 'cancel_reason'
> & { effect: Effect };

const messageOf = (row: KnownRow): StoredMessage => ({ ...row, hash: row.hash.toString('hex') });

export const storedMessages = async (work: Work, express_id: number): Promise<StoredMessage[]> =>
  (
    await work.tx
      .selectFrom('express_messages')
      .select(['operation_time', 'rank', 'hash', 'effect', 'remark', 'cancel_reason'])
      .where('express_id', '=', express_id)
      .where('refused', '=', '')
      .$narrowType<{ effect: Effect }>()
      .execute()
  ).map(messageOf);
