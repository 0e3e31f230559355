import type { Statement } from '@waystation/contract/money/statement.ts';
import type { App } from '#app.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import * as ledger from '#domain/ledger/ledger.ts';
import {
  announceRequest,
  executableAt,
  independentApprovers,
} from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { requireSession } from '#platform/auth/no-keys.ts';
import { businessTime } from '#platform/clock.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
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
  /** The method and the path, with the ids in the path. */
  endpoint: string;
  /** Returns the id of the transaction for the response. */
  effect: (work: UserWork, meta: MovementMeta) => Promise<number>;
}

/** Moves money once, however often the request is repeated, and returns the transaction. */
export const moveOnce = ({ app, actor, request, endpoint, effect }: Move): Promise<Statement> => {
  requireSession(actor);
  const caller = callerOf(actor, request);
  return withIdempotencyKey({
    db: app.db,
    caller,
    request,
    endpoint,
    effect: (work) =>
      effect(work, {
        cause: `${endpoint}:${actor.account_id}:${request.idempotency_key}`,
        at: app.clock.now(),
        by: actor.account_id,
      }),
    answer: (statement_id) => app.db.tx(caller, (work) => ledger.statementIn(work, statement_id)),
  });
};

export const requireStation = async (work: Work, id: number): Promise<void> => {
  const { rows } = await sql`select 1 from stations where id = ${id}
    and ${scopeCondition(work, 'id')}`.execute(work.tx);
  if (!rows[0]) fail('not_found');
};

interface Waiting {
  statement_id: number;
  /** The account that requested the movement; null for the system. */
  asked_by: number | null;
  asked_at: Date;
}

/**
 * Notifies all administrators once if nobody is independent enough to decide a request, which can
 * then be executed 24 hours later. It needs a transaction that sees all rows. `by` is the author of
 * the request.
 */
export const announceIfNobodyDecides = async (
  work: Work,
  { statement_id, asked_by, asked_at }: Waiting,
  { at, by }: Pick<MovementMeta, 'at' | 'by'>,
): Promise<void> => {
  const approvers = await independentApprovers(work, { account_id: asked_by, at: asked_at });
  if (approvers.length > 0 || !(await announceRequest(work, { statement_id, account_id: by, at })))
    return;
  const line = await ledger.statementIn(work, statement_id);
  await raiseAlert(work, {
    code: 'request_without_approver',
    params: {
      station: line.station_name,
      request_amount: line.amount,
      time: businessTime(executableAt(at)),
    },
    station_id: line.station_id,
    account_id: by,
    key: `request_without_approver:${statement_id}`,
  });
};

interface Requested {
  statement_id: number;
  station_id: number;
  amount: number;
  description: string;
}

/**
 * Adds an audit entry for a station's own request for money. If nobody may decide the request, it
 * is announced to the administrators.
 */
export const recordRequest = async (
  work: UserWork,
  action: 'request_top_up' | 'request_withdrawal',
  { statement_id, station_id, amount, description }: Requested,
  meta: MovementMeta,
): Promise<void> => {
  await recordAudit(work, {
    action,
    subject: 'stations',
    subject_id: station_id,
    station_id,
    changes: { amount: [null, amount] },
    reason: description,
  });
  await work.asSystem('notice of a request of money', (system) =>
    announceIfNobodyDecides(system, { statement_id, asked_by: meta.by, asked_at: meta.at }, meta),
  );
};
