import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import {
  mostPrinterPrints,
  mostPrinters,
  printerDays,
  unreportedMinutes,
} from '@waystation/contract/parcels/print.ts';
import type { PrintDriver, printerFigures } from '@waystation/contract/parcels/print.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessDay, dayStart, daysBefore } from '#platform/clock.ts';
import { all, equal, filterConditions } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

interface DayRow {
  driver: PrintDriver;
  printer: string;
  day: string;
  total: number;
  reprints: number;
  failed: number;
  unreported: number;
}
type Sums = Pick<DayRow, 'total' | 'reprints' | 'failed' | 'unreported'>;

const none: Sums = { total: 0, reprints: 0, failed: 0, unreported: 0 };
const add = (sums: Sums, { total, reprints, failed, unreported }: Sums): Sums => ({
  total: sums.total + total,
  reprints: sums.reprints + reprints,
  failed: sums.failed + failed,
  unreported: sums.unreported + unreported,
});

/**
 * Returns how often each printer failed on each day, from the newest prints of fourteen days. The
 * read is therefore limited on a busy network.
 */
export const figures = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof printerFigures>,
): Promise<OutputOf<typeof printerFigures>> => {
  const caller = callerOf(actor);
  const now = app.clock.now();
  const days = Array.from({ length: printerDays }, (_, no) =>
    businessDay(daysBefore(now, printerDays - 1 - no)),
  );
  const unreported = new Date(now.getTime() - unreportedMinutes * 60_000);
  const conditions = [
    scopeCondition(caller, 'r.station_id'),
    sql<boolean>`r.created_at >= ${dayStart(firstOf(days))}`,
    ...filterConditions(filters, { station_id: equal }),
  ];
  return app.db.tx(caller, async (work) => {
    const { rows, counted_from } = await oneRow(
      work,
      sql<{ rows: DayRow[]; counted_from: Date | null }>`
        with read as materialized (select r.created_at, r.driver, r.printer, r.print_count,
          r.result from prints r where ${all(conditions)}
            order by r.created_at desc limit ${mostPrinterPrints}),
          counted as (select driver, printer,
            (created_at at time zone 'Asia/Shanghai')::date::text as day,
            count(*)::int as total,
            (count(*) filter (where print_count > 1))::int as reprints,
            (count(*) filter (where result = 'failed'))::int as failed,
              (count(*) filter (where result = 'queued'
              and created_at < ${unreported}))::int as unreported
            from read group by 1, 2, 3)
        select coalesce((select json_agg(counted) from counted), '[]') as rows,
          (select min(created_at) from read
            having count(*) = ${mostPrinterPrints}) as counted_from`,
    );
    const printers = [
      ...Map.groupBy(rows, ({ driver, printer }) => `${driver}:${printer}`).values(),
    ].map((group) => {
      const { total, reprints, failed } = group.reduce(add, none);
      const byDay = new Map(
        group.map((row) => [row.day, { total: row.total, failed: row.failed }]),
      );
      return {
        driver: firstOf(group).driver,
        printer: firstOf(group).printer,
        total,
        reprints,
        failed,
        by_day: days.map((day) => byDay.get(day) ?? null),
      };
    });
    return {
      days,
      today: rows.filter(({ day }) => day === days.at(-1)).reduce(add, none),
      printers: printers
        .toSorted((a, b) => b.total - a.total || a.printer.localeCompare(b.printer))
        .slice(0, mostPrinters),
      counted_from: counted_from === null ? null : counted_from.toISOString(),
    };
  });
};
