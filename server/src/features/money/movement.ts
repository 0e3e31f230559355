import type { Statement } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import { announceRequest, executableAt, independentApprovers } from '#domain/second-person/second-person.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { businessTime } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';

export interface MovementMeta {
  cause: string;
  at: Date;
  by: number;
}

interface Move {
  app: App;
  actor: Actor;
  request: RequestContext;
  /** Method and path with its ids. */
  endpoint: string;
  /** Answers the id of the line that the answer shows. */
  effect: (tx: Tx, scope: Scope, meta: MovementMeta) => Promise<number>;
}

/** Moves money once, however often the request is repeated; answers the billing line. */
export const moveOnce = ({ app, actor, request, endpoint, effect }: Move): Promise<Statement> => {
  const scope = scopeOf(actor);
  return withIdempotencyKey({
    db: app.db,
    scope,
    actor,
    request,
    endpoint,
    effect: (tx) => effect(tx, scope, { cause: `${endpoint}:${actor.account_id}:${request.idempotency_key}`, at: app.clock.now(), by: actor.account_id }),
    answer: (statement_id) => app.db.tx(scope, (tx) => ledger.statementIn(tx, scope, statement_id)),
  });
};

export const requireStation = async (tx: Tx, scope: Scope, id: number): Promise<void> => {
  const { rows } = await sql`select 1 from stations where id = ${id} and ${scopeCondition(scope, 'id')}`.execute(tx);
  if (!rows[0]) fail('not_found');
};

interface Waiting {
  statement_id: number;
  /** Who asked; null: the system. */
  asked_by: number | null;
  asked_at: Date;
}

/**
 * Where nobody is independent enough to decide a request, tells the whole office once that it can be executed 24 hours from now. Needs a transaction that
 * sees all rows. `by` is whose doing it is.
 */
export const announceIfNobodyDecides = async (
  tx: Tx,
  { statement_id, asked_by, asked_at }: Waiting,
  { at, by }: Pick<MovementMeta, 'at' | 'by'>,
): Promise<void> => {
  const approvers = await independentApprovers(tx, { account_id: asked_by, at: asked_at });
  if (approvers.length > 0 || !(await announceRequest(tx, { statement_id, account_id: by, at }))) return;
  const line = await ledger.statementIn(tx, { kind: 'all', why: 'announcement' }, statement_id);
  await raiseAlert(tx, {
    code: 'request_without_approver',
    params: { station: line.station_name, request_amount: line.amount, time: businessTime(executableAt(at)) },
    station_id: line.station_id,
    account_id: by,
    key: `request_without_approver:${statement_id}`,
  });
};
