import { openOutcomeReasons } from '@waystation/contract/parcels/express-outcome.ts';
import { mostBodyShown, mostOutcomeCalls } from '@waystation/contract/parcels/order-outcome.ts';
import type { OutcomeEvent } from '@waystation/contract/parcels/order-outcome.ts';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder, ReaderWork } from '#platform/db/db.ts';

/** One attempt to order a parcel, from its beginning to the beginning of the next attempt. */
export interface Window {
  express_id: number;
  attempt: number;
  outcome_id: number;
  /** True if texts of a person were erased; free texts are then left out. */
  erased: boolean;
  from: Date;
  until: Date | null;
  /**
   * The last carrier call before the attempt was settled; null if the attempt is still open or had
   * no call.
   */
  last_call: number | null;
  settled_at: Date | null;
}

type Of<Kind extends OutcomeEvent['kind']> = Extract<OutcomeEvent, { kind: Kind }>;
/** An event as it is read from its row: without kind and source, and with its time as a date. */
type Read<Kind extends OutcomeEvent['kind']> = Omit<
  Of<Kind>,
  'kind' | 'source' | 'row_id' | 'at'
> & { id: number; at: Date };

const event = <Kind extends OutcomeEvent['kind']>(
  kind: Kind,
  source: string,
  { id, at, ...rest }: Read<Kind>,
): OutcomeEvent =>
  ({ kind, source, row_id: id, at: at.toISOString(), ...rest }) as unknown as OutcomeEvent;

/** The limit of rows that are shown for each kind of event except carrier calls. */
const mostRows = 100;

const within = (at: RawBuilder<unknown>, { from, until }: Window): RawBuilder<boolean> =>
  until === null
    ? sql<boolean>`${at} >= ${from}`
    : sql<boolean>`${at} >= ${from} and ${at} < ${until}`;

const body = (column: 'request' | 'answer'): RawBuilder<unknown> => {
  const value = sql.ref(`c.${column}`);
  return sql`case when octet_length(${value}::text) <= ${mostBodyShown} then ${value} end
      as ${sql.ref(column)},
    case when octet_length(${value}::text) > ${mostBodyShown} then 1 else 0 end
      as ${sql.ref(`${column}_cut`)}`;
};

/** The first and the last carrier calls of the attempt, without calls made after it was settled. */
const callsOf = async (
  work: ReaderWork,
  window: Window,
): Promise<{ events: OutcomeEvent[]; left_out: number }> => {
  const { express_id, last_call, settled_at } = window;
  const ends =
    last_call !== null
      ? sql<boolean>`c.id <= ${last_call}`
      : sql<boolean>`(${settled_at}::timestamptz is null or c.at <= ${settled_at})`;
  // The first attempt includes every earlier call, because calls have the time of the database and
  // attempts that of the process. These times may differ.
  const begins =
    window.attempt === 1
      ? sql<boolean>`true`
      : sql<boolean>`c.at >= ${window.from}::timestamptz - interval '1 minute'`;
  const of = sql`c.express_id = ${express_id} and ${ends} and ${begins}
    and (${window.until}::timestamptz is null or c.at < ${window.until})`;
  const { rows } = await sql<Read<'call'> & { made: number }>`
    select n.made, c.id, c.at, c.operation, c.outcome, c.code, c.trace_id, c.ms, c.sent,
      case when c.called_by like 'account:%' then '' else c.called_by end as job,
      a.nickname as account_name, ${body('request')}, ${body('answer')}
    from (select count(*) as made from carrier_calls c where ${of}) n
      cross join carrier_calls c
      left join accounts a on c.called_by = 'account:' || a.id
    where c.id = any(array(
      (select c.id from carrier_calls c where ${of} order by c.id
        limit ${sql.lit(mostOutcomeCalls.first)})
      union (select c.id from carrier_calls c where ${of} order by c.id desc
        limit ${sql.lit(mostOutcomeCalls.last)})))
    order by c.id`.execute(work.tx);
  return {
    events: rows.map(({ made: _made, ...row }) => event('call', 'carrier_calls', row)),
    left_out: Math.max((rows[0]?.made ?? 0) - rows.length, 0),
  };
};

const lostOf = async (work: ReaderWork, { outcome_id }: Window): Promise<OutcomeEvent[]> => {
  const { rows } = await sql<Read<'lost'>>`select o.id, l.at from order_outcomes o
    cross join unnest(o.lost_at) l (at) where o.id = ${outcome_id}`.execute(work.tx);
  return rows.map((row) => event('lost', 'order_outcomes', row));
};

const moneyOf = async (work: ReaderWork, window: Window): Promise<OutcomeEvent[]> => {
  const { rows } = await sql<Read<'money'>>`select t.id, t.created_at as at, t.type, t.amount,
      t.freeze_amount, a.nickname as account_name
    from statements t join ledger_transfers l on l.id = t.transfer_id
      left join accounts a on a.id = l.account_id
    where t.express_id = ${window.express_id} and l.attempt = ${window.attempt}
      and t.freeze_amount <> 0 order by t.id limit ${mostRows}`.execute(work.tx);
  return rows.map((row) => event('money', 'statements', row));
};

const movesOf = async (work: ReaderWork, window: Window): Promise<OutcomeEvent[]> => {
  const { express_id, settled_at } = window;
  const { rows } = await sql<Read<'move'>>`select m.id, m.at, m.from_code, m.to_code, m.cause,
      a.nickname as account_name
    from express_moves m left join accounts a on a.id = m.account_id
    where m.express_id = ${express_id} and ${within(sql`m.at`, window)}
      and (${settled_at}::timestamptz is null or m.at <= ${settled_at})
      order by m.id limit ${mostRows}`.execute(work.tx);
  return rows.map((row) => event('move', 'express_moves', row));
};

const outcomeAlerts = [
  'waybill_taken',
  'waybill_conflict',
  'order_ended_in_writing',
  'order_stored_in_writing',
  'carrier_knows_unordered',
  ...openOutcomeReasons,
];

const alertsOf = async (work: ReaderWork, window: Window): Promise<OutcomeEvent[]> => {
  const { rows } = await sql<Omit<Read<'alert'>, 'closed'> & { closed_at: Date | null }>`
    select id, code, ${window.erased ? sql`params - 'text'` : sql`params`} as params, at, closed_at
    from alerts
    where express_id = ${window.express_id} and code = any(${outcomeAlerts}::text[])
      and ${within(sql`at`, window)} order by id limit ${mostRows}`.execute(work.tx);
  return rows.flatMap(({ closed_at, ...row }) => [
    event('alert', 'alerts', { ...row, closed: 0 }),
    ...(closed_at === null ? [] : [event('alert', 'alerts', { ...row, at: closed_at, closed: 1 })]),
  ]);
};

const decisions = ['confirm_order', 'end_order', 'choose_waybill'];

const decisionsOf = async (work: ReaderWork, window: Window): Promise<OutcomeEvent[]> => {
  const { rows } = await sql<Read<'decision'>>`select l.id, l.at, l.action,
      coalesce(a.nickname, l.account_name) as account_name,
      l.changes #>> '{delivery_id,1}' as delivery_id, ${window.erased ? sql`null` : sql`l.changes #>> '{reference,1}'`} as reference
    from audit_log l left join accounts a on a.id = l.account_id
    where l.subject = 'expresses' and l.subject_id = ${window.express_id}
      and l.action = any(${decisions}::text[]) and ${within(sql`l.at`, window)}
      order by l.id limit ${mostRows}`.execute(work.tx);
  return rows.map((row) => event('decision', 'audit_log', row));
};

/** Returns everything that is stored about an attempt, in order of time. */
export const eventsOf = async (
  work: ReaderWork,
  window: Window,
): Promise<{ events: OutcomeEvent[]; left_out: number }> => {
  const [called, ...others] = await Promise.all([
    callsOf(work, window),
    lostOf(work, window),
    moneyOf(work, window),
    movesOf(work, window),
    alertsOf(work, window),
    decisionsOf(work, window),
  ]);
  const events = [...others.flat(), ...called.events].toSorted((a, b) =>
    a.at === b.at ? 0 : a.at < b.at ? -1 : 1,
  );
  return { events, left_out: called.left_out };
};
