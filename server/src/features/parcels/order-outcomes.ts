import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';

import type * as calls from '@waystation/contract/parcels/order-outcome.ts';
import type {
  OrderOutcome,
  OutcomeAttempt,
  OutcomeEvent,
} from '@waystation/contract/parcels/order-outcome.ts';
import { searchNumbers } from '@waystation/contract/shell/search.ts';
import type { App } from '#app.ts';
import { expressIn, hasWaybillConflict, nextSendAt } from '#domain/express/express-reads.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { equal, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Listed } from '#platform/db/paging.ts';
import { listRows, namedRows } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { eventsOf } from './outcome-events.ts';
import type { Window } from './outcome-events.ts';

const names =
  'id express_id order_id delivery_id station_id station_name provider attempt state_code since cause maybe_stored is_open settled_at certainty held_amount held_status';

const source = sql`(select o.id, o.express_id, e.order_id, e.delivery_id, o.station_id,
    s.name as station_name, o.provider, o.attempt, e.state_code, o.since, o.cause, o.maybe_stored,
    o.is_open, o.settled_at, o.certainty, h.amount as held_amount, h.status as held_status,
    o.call_id, o.account_id, o.delivery_id as settled_under
  from order_outcomes o join expresses e on e.id = o.express_id
    join stations s on s.id = o.station_id
    left join ledger_holds h on h.express_id = o.express_id and h.attempt = o.attempt)`;

/** The condition for orders with one of the typed order numbers or waybills, each complete. */
const numbered = (q: string): Condition | null => {
  const numbers = searchNumbers(q);
  if (numbers.length === 0) return q.trim() === '' ? null : sql<boolean>`false`;
  return sql<boolean>`(r.order_id = any(${numbers}::text[])
    or r.delivery_id = any(${numbers}::text[]))`;
};

/** Orders whose outcome was ever unknown: open ones first, then the newest. */
export const list = (
  app: App,
  actor: Actor,
  {
    q,
    open,
    provider,
    station_id,
    since_from,
    since_to,
    ...paging
  }: ParsedOf<typeof calls.listOutcomes>,
): Promise<Listed<OrderOutcome>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows<OrderOutcome>(work, namedRows(names, source), {
      conditions: [
        scopeCondition(work, 'r.station_id'),
        ...filterConditions(
          { q, open, provider, station_id, since_from, since_to },
          {
            q: numbered,
            open: (is) => sql<boolean>`r.is_open = ${is}`,
            provider: equal,
            station_id: equal,
            since_from: fromDay(sql.ref('r.since')),
            since_to: untilDay(sql.ref('r.since')),
          },
        ),
      ],
      paging: uncounted(paging),
      sortable: ['-is_open'],
    }),
  );

interface StoredOutcome extends Omit<OrderOutcome, 'since' | 'settled_at'> {
  since: Date;
  settled_at: Date | null;
  call_id: number | null;
  decided_by: string | null;
  began_at: Date | null;
  until_at: Date | null;
  settled_under: string | null;
}

/**
 * The limit of attempts that are shown of an order whose outcome was unknown, the last first. An
 * order has very few.
 */
const mostAttempts = 20;

const attemptsOf = async (work: ReaderWork, id: number): Promise<StoredOutcome[]> => {
  const { rows } = await sql<StoredOutcome>`select r.*, a.nickname as decided_by, b.began_at,
      (select min(m.at) from express_moves m where m.express_id = r.express_id
        and m.to_code = ${stateCode.ordering} and m.at > b.began_at) as until_at
    from ${source} r left join accounts a on a.id = r.account_id
      cross join lateral (select max(m.at) as began_at from express_moves m
        where m.express_id = r.express_id and m.to_code = ${stateCode.ordering}
          and m.at <= r.since + interval '1 second') b
    where r.express_id = ${id} order by r.attempt desc
    limit ${mostAttempts}`.execute(work.tx);
  return rows;
};

/** The transaction that held the money of an attempt, and the transaction that ended the hold. */
const heldOf = (
  { held_amount, held_status }: StoredOutcome,
  events: readonly OutcomeEvent[],
): OutcomeAttempt['held'] => {
  if (held_amount === null || held_status === null) return null;
  const lines = events.filter((event) => event.kind === 'money');
  const first = lines.find(({ freeze_amount }) => freeze_amount > 0);
  const ended =
    held_status === 'open'
      ? undefined
      : lines.findLast(({ freeze_amount, at }) => freeze_amount < 0 && (!first || at >= first.at));
  return {
    // A later change of the parcel may have changed the present amount of the hold.
    amount: first?.freeze_amount ?? held_amount,
    status: held_status,
    since: first?.at ?? null,
    until: ended?.at ?? null,
    held_line: first?.row_id ?? null,
    ended_line: ended?.row_id ?? null,
    ended_type: ended?.type ?? null,
  };
};

const isPaused = async (work: ReaderWork, { merchant_id }: ExpressRow): Promise<boolean> => {
  const { rows } = await sql`select from merchants where id = ${merchant_id}
    and paused_at is not null`.execute(work.tx);
  return rows.length > 0;
};

const attemptOf = async (
  work: ReaderWork,
  express: ExpressRow,
  row: StoredOutcome,
): Promise<OutcomeAttempt> => {
  const { call_id, decided_by, began_at, until_at, settled_under, ...outcome } = row;
  const window: Window = {
    express_id: express.id,
    attempt: row.attempt,
    from: began_at ?? row.since,
    until: until_at,
    outcome_id: row.id,
    erased: express.erased > 0,
    last_call: row.settled_at === null ? null : call_id,
    settled_at: row.settled_at,
  };
  const { events, left_out } = await eventsOf(work, window);
  const isCurrent = row.settled_at === null && express.attempt === row.attempt;
  return {
    outcome: {
      ...outcome,
      since: row.since.toISOString(),
      settled_at: row.settled_at?.toISOString() ?? null,
    },
    call_id,
    settled_under,
    decided_by,
    account_paused: isCurrent && (await isPaused(work, express)) ? 1 : 0,
    next_at: isCurrent ? ((await nextSendAt(work, express.id))?.toISOString() ?? null) : null,
    waits_for_office: isCurrent && (isOutcomeOpen(express) || hasWaybillConflict(express)) ? 1 : 0,
    held: heldOf(row, events),
    calls_left_out: left_out,
    events,
  };
};

/**
 * Returns why the outcome of an order was unknown, and why it is certain now. Each event contains
 * the id of its stored row.
 */
export const ofOrder = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.orderOutcomes>,
): Promise<OutputOf<typeof calls.orderOutcomes>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const express = await expressIn(work, id);
    const rows = await attemptsOf(work, id);
    const attempts: OutcomeAttempt[] = [];
    for (const row of rows) attempts.push(await attemptOf(work, express, row));
    return {
      order_id: express.order_id,
      erased: express.erased > 0 ? 1 : 0,
      call_days: await readSetting(work, 'carrier_call_days'),
      attempts,
    };
  });
