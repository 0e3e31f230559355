import { exceptionKinds } from '@waystation/contract/parcels/express-exceptions.ts';
import type { ExceptionKind } from '@waystation/contract/parcels/express-exceptions.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { countExceptions } from '@waystation/contract/parcels/express-calls.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions } from '#platform/db/conditions.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { isOpenException } from './filters.ts';

/** The number up to which the exceptions of each kind are counted. */
const mostCounted = 10_000;

/** Returns the number of open exceptions of each kind, read only from indexes. */
export const counts = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof countExceptions>,
): Promise<OutputOf<typeof countExceptions>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const conditions = [
      scopeCondition(work, 'e.station_id', 'e.user_id'),
      isOpenException,
      ...filterConditions(filters, { station_id: equalIn('e') }),
    ];
    const { rows } = await sql<{ exception: ExceptionKind; n: number }>`
      select k.exception, c.n from unnest(${exceptionKinds}::text[]) k (exception) cross
        join lateral (
        select count(*) as n from (select from expresses e where e.exception = k.exception
          and ${all(conditions)} limit ${mostCounted}) x) c`.execute(work.tx);
    const counts = Object.fromEntries(rows.map(({ exception, n }) => [exception, n])) as Record<
      ExceptionKind,
      number
    >;
    return { counts, unmoved_hours: await readSetting(work, 'unmoved_hours') };
  });
};
