import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { statementIn, topUp } from '#domain/ledger/ledger.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { within } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { once } from '#platform/idempotency.ts';

/** Tops a station up once, however often the request is repeated. */
export const topUpOne = (
  app: App,
  actor: Actor,
  { id, amount, description = '' }: ParsedOf<typeof calls.topUpStation>,
  request: RequestContext,
): Promise<Statement> => {
  const scope = scopeOf(actor);
  const endpoint = `POST /api/arco/stations/${id}/top-ups`;
  return once({
    db: app.db,
    scope,
    actor,
    request,
    endpoint,
    effect: async (tx) => {
      const { rows } = await sql`select 1 from stations where id = ${id} and ${within(scope, 'id')}`.execute(tx);
      if (!rows[0]) fail('not_found');
      const statement_id = await topUp(tx, {
        station_id: id,
        amount,
        description,
        cause: `top_up:${actor.account_id}:${id}:${request.idempotency_key}`,
        at: app.clock.now(),
        by: actor.account_id,
      });
      const { balance } = await statementIn(tx, scope, statement_id);
      await recordAudit(tx, actor, request, {
        action: 'top_up',
        subject: 'stations',
        subject_id: id,
        station_id: id,
        changes: { money: [balance! - amount, balance] },
        reason: description,
      });
      return statement_id;
    },
    answer: (statement_id) => app.db.tx(scope, (tx) => statementIn(tx, scope, statement_id)),
  });
};
