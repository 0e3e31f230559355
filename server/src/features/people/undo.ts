import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { ErrorCode } from '@waystation/contract/errors.ts';
import type { Role } from '@waystation/contract/roles.ts';
import type { UndoState } from '@waystation/contract/undo.ts';
import type * as calls from '@waystation/contract/undo.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { Failure, fail } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';
import { visibleTo } from './audit.ts';
import { entryColumns, undoPlan } from './undo-plan.ts';
import type { StoredEntry, Target, UndoPlan } from './undo-plan.ts';

/** How changes are made in the caller's transaction, by the functions of their own routes with their rules and audit entries. */
export interface UndoActions {
  /** Enables or disables a row of a list, for those who may do it there. */
  switches: Readonly<
    Record<string, { roles: readonly Role[]; set(app: App, tx: Tx, actor: Actor, id: number, status: 0 | 1, reason: string, origin: Origin): Promise<unknown> }>
  >;
  setPrice(app: App, tx: Tx, actor: Actor, id: number, values: Record<string, unknown>, reason: string, origin: Origin): Promise<unknown>;
  /** Fails where the version cannot be withdrawn. */
  checkWithdrawal(app: App, tx: Tx, id: number, no: number): Promise<void>;
  withdraw(app: App, tx: Tx, actor: Actor, input: { id: number; no: number }, origin: Origin): Promise<void>;
  /** Who may publish, and assign schemes. */
  publishers: readonly Role[];
}

const entryFor = async (tx: Tx, actor: Actor, id: number): Promise<StoredEntry> => {
  const { rows } = await sql<StoredEntry>`select ${entryColumns} from audit_log r where ${all([sql<boolean>`r.id = ${id}`, ...visibleTo(actor)])}`.execute(tx);
  return rows[0] ?? fail('not_found');
};

/** Fails for a role that may not make such a change; whether it may change each row is asked by the row's own rules. */
const checkRole = (actor: Actor, { kind, table }: UndoPlan, { switches, publishers }: UndoActions): void => {
  const roles =
    kind === 'publication' || kind === 'assign' ? publishers : kind === 'station_price' || kind === 'bulk_price' ? null : (switches[table]?.roles ?? []);
  if (roles !== null && !roles.includes(actor.role)) fail('forbidden');
};

const versionOf = ({ fields }: Target): number => fields['no']![1] as number;

/** What only the template's own rules know against it. */
const withdrawalProblem = async (app: App, tx: Tx, { kind, targets }: UndoPlan, actions: UndoActions): Promise<UndoState['reason']> => {
  if (kind !== 'publication') return null;
  try {
    await actions.checkWithdrawal(app, tx, targets[0]!.id, versionOf(targets[0]!));
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code, params: error.params };
  }
};

/** Whether an entry can be undone now, and what speaks against it. Changes nothing. */
export const read =
  (actions: UndoActions) =>
  (app: App, actor: Actor, { id }: ParsedOf<typeof calls.readUndo>): Promise<OutputOf<typeof calls.readUndo>> =>
    app.db.tx(scopeOf(actor), async (tx) => {
      const plan = await undoPlan(tx, scopeOf(actor), await entryFor(tx, actor, id));
      checkRole(actor, plan, actions);
      const { state } = plan;
      const reason = state.reason ?? (await withdrawalProblem(app, tx, plan, actions));
      return { ...state, reason, possible: reason === null ? 1 : 0 };
    });

const setBack = async (
  app: App,
  tx: Tx,
  actor: Actor,
  { kind, table, targets }: UndoPlan,
  reason: string,
  request: Origin,
  actions: UndoActions,
): Promise<void> => {
  for (const target of targets) {
    const { id, fields } = target;
    if (kind === 'publication') await actions.withdraw(app, tx, actor, { id, no: versionOf(target) }, request);
    else if (kind === 'switch' || kind === 'bulk_switch')
      await actions.switches[table]!.set(app, tx, actor, id, fields['status']![0] as 0 | 1, reason, request);
    else {
      const before = Object.fromEntries(Object.entries(fields).map(([field, [value]]) => [field, value ?? null]));
      await actions.setPrice(app, tx, actor, id, before, reason, request);
    }
  }
};

const failOf = ({ reason }: UndoState): void => {
  if (reason !== null) fail(reason.code as ErrorCode, reason.params ?? {});
};

/**
 * Undoes an entry, all of it or nothing, by the rules and with the rights of the changes themselves. What changed a row before this transaction locked it is found
 * by a second look, after the changes: then nothing is kept.
 */
export const undo =
  (actions: UndoActions) =>
  (app: App, actor: Actor, { id, reason = '' }: ParsedOf<typeof calls.undoChange>, request: RequestContext): Promise<OutputOf<typeof calls.undoChange>> =>
    app.db.tx(scopeOf(actor), async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`undo ${id}`}, 14))`.execute(tx);
      const entry = await entryFor(tx, actor, id);
      const plan = await undoPlan(tx, scopeOf(actor), entry);
      checkRole(actor, plan, actions);
      failOf(plan.state);
      await setBack(app, tx, actor, plan, reason, request, actions);
      failOf((await undoPlan(tx, scopeOf(actor), entry, request.request_id)).state);
      await recordAudit(tx, actor, request, {
        action: 'undo',
        subject: entry.subject,
        subject_id: entry.subject_id,
        station_id: entry.station_id,
        changes: { undone: [null, id], rows: [null, plan.targets.length] },
        reason,
      });
      return { rows: plan.targets.length };
    });
