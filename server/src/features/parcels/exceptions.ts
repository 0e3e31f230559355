import { exceptionKinds } from '@waystation/contract/express-exceptions.ts';
import type { ExceptionKind } from '@waystation/contract/express-exceptions.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { countExceptions } from '@waystation/contract/express-calls.ts';
import type { App } from '#app.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';
import { isOpenException } from './filters.ts';

/** More of a kind are not counted. */
const mostCounted = 10_000;

/** How many open exceptions there are of each kind: reads those alone, by their indexes. */
export const counts = (app: App, actor: Actor, filters: ParsedOf<typeof countExceptions>): Promise<OutputOf<typeof countExceptions>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const conditions = [scopeCondition(scope, 'e.station_id', 'e.user_id'), isOpenException, ...filterConditions(filters, { station_id: equalIn('e') })];
    const { rows } = await sql<{ exception: ExceptionKind; n: number }>`
      select k.exception, c.n from unnest(${exceptionKinds}::text[]) k (exception) cross join lateral (
        select count(*) as n from (select from expresses e where e.exception = k.exception and ${all(conditions)} limit ${mostCounted}) x) c`.execute(tx);
    const counts = Object.fromEntries(rows.map(({ exception, n }) => [exception, n])) as Record<ExceptionKind, number>;
    return { counts, unmoved_hours: await readSetting(tx, 'unmoved_hours') };
  });
};
