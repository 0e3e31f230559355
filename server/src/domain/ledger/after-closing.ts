import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { mostLateLines } from '@waystation/contract/money/reconciliation.ts';
import type { periodChanges } from '@waystation/contract/money/reconciliation.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

type Changes = OutputOf<typeof periodChanges>;

const nothing: Changes = {
  closed_at: null,
  late: [],
  capped: 0,
  confirmed: 0,
  bills: 0,
  disputed: 0,
};

/**
 * The types of statements that may follow the charge of a parcel. All are in the index
 * `statements_rare_all`.
 */
const followUps = ['reweigh', 'surcharge', 'refund', 'payout', 'reversal'];

/** The changes of a month since it was closed, for administrators. */
export const changesSince = async (work: Work, period: string): Promise<Changes> => {
  const { rows: closings } = await sql<{ closed_at: Date; last: number }>`
    select closed_at, last_transfer_id as last from periods
    where period = ${period} and status = 'closed'`.execute(work.tx);
  const closing = closings[0];
  if (!closing) return nothing;
  const { rows } = await sql<Changes['late'][number] & { seen: number }>`
    select t.type, l.seen, l.lines, l.stations, l.amount
    from unnest(${followUps}::text[]) with ordinality t (type, place) cross join lateral (
      select count(*) as seen, count(*) filter (where a.about) as lines,
        count(distinct a.station_id) filter (where a.about) as stations,
        coalesce(sum(a.amount) filter (where a.about), 0)::bigint as amount
      from (select s.station_id, s.amount, s.period > ${period} and exists (select 1
          from statements c where c.express_id = s.express_id and c.type = 'charge'
            and c.period = ${period}) as about
        from (select s.station_id, s.amount, s.period, s.express_id from statements s
          where s.type in ('top_up', 'withdrawal', 'release', 'reweigh', 'surcharge', 'refund',
            'payout', 'adjustment', 'reversal') and s.type = t.type
            and s.transfer_id > ${closing.last}
          order by s.transfer_id, s.id limit ${mostLateLines}) s) a) l
    order by t.place`.execute(work.tx);
  const since = await oneRow(
    work,
    sql<Pick<Changes, 'confirmed' | 'bills' | 'disputed'>>`select
      (select count(*) from statement_confirmations c where c.period = ${period}
        and c.at > ${closing.closed_at}) as confirmed,
      (select count(*) from reconciliations b where b.period = ${period}
        and b.status not in ('failed', 'discarded')
        and b.created_at > ${closing.closed_at}) as bills,
      (select count(*) from reconciliations b join reconciliation_rows r
        on r.reconciliation_id = b.id where b.period = ${period} and b.status <> 'discarded'
          and r.decision = 'disputed') as disputed`,
  );
  return {
    closed_at: closing.closed_at.toISOString(),
    late: rows.filter(({ lines }) => lines > 0).map(({ seen: _seen, ...row }) => row),
    capped: rows.some(({ seen }) => seen >= mostLateLines) ? 1 : 0,
    ...since,
  };
};
