import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import type { UndoState } from '@waystation/contract/shell/undo.ts';
import type * as calls from '@waystation/contract/shell/undo.ts';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all } from '#platform/db/conditions.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork, Work } from '#platform/db/db.ts';
import { Failure, fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { visibleTo } from './audit.ts';
import { entryColumns, undoPlan } from './undo-plan.ts';
import type { StoredEntry, Target, UndoPlan } from './undo-plan.ts';

/** A row of a list, and the status that the undo restores. */
export interface SwitchBack {
  id: number;
  status: 0 | 1;
  reason: string;
}

/** A station, and the terms that the undo restores. */
export interface PriceBack {
  id: number;
  values: Record<string, unknown>;
  reason: string;
}

/**
 * The functions that undo changes in the caller's transaction. They are the functions of the
 * changes' own routes, with the same rules and audit entries.
 */
export interface UndoActions {
  /** The function for each list that enables or disables a row, with the roles that may do so. */
  switches: Readonly<
    Record<
      string,
      {
        roles: readonly Role[];
        set(app: App, work: UserWork, change: SwitchBack): Promise<unknown>;
      }
    >
  >;
  setPrice(app: App, work: UserWork, change: PriceBack): Promise<unknown>;
  /** Fails if the version cannot be withdrawn. */
  checkWithdrawal(app: App, work: Work, id: number, no: number): Promise<void>;
  withdraw(app: App, work: UserWork, input: { id: number; no: number }): Promise<void>;
  /** The roles that may publish templates and assign schemes. */
  publishers: readonly Role[];
}

/** The functions that the features provide. `switches` come from all bulk actions instead. */
export type UndoneByFeatures = Omit<UndoActions, 'switches'>;

const entryFor = async (work: ReaderWork, id: number): Promise<StoredEntry> => {
  const { rows } = await sql<StoredEntry>`select ${entryColumns} from audit_log r
    where ${all([sql<boolean>`r.id = ${id}`, ...visibleTo(work.actor)])}`.execute(work.tx);
  return rows[0] ?? fail('not_found');
};

/**
 * Fails if the actor's role may not make such a change. Each row is then checked by its own rules.
 */
const checkRole = (
  actor: Actor,
  { kind, table }: UndoPlan,
  { switches, publishers }: UndoActions,
): void => {
  const roles =
    kind === 'publication' || kind === 'assign'
      ? publishers
      : kind === 'station_price' || kind === 'bulk_price'
        ? null
        : (switches[table]?.roles ?? []);
  if (roles !== null && !roles.includes(actor.role)) fail('forbidden');
};

const versionOf = ({ fields }: Target): number => present(fields['no'])[1] as number;

/**
 * The reason, by the template's own rules, why a publication cannot be withdrawn; null if there is
 * none.
 */
const withdrawalProblem = async (
  app: App,
  work: Work,
  { kind, targets }: UndoPlan,
  actions: UndoActions,
): Promise<UndoState['reason']> => {
  if (kind !== 'publication') return null;
  try {
    await actions.checkWithdrawal(app, work, firstOf(targets).id, versionOf(firstOf(targets)));
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code, params: error.params };
  }
};

/** Returns whether an entry can be undone now, and the reasons if it cannot. It changes nothing. */
export const read =
  (actions: UndoActions) =>
  (
    app: App,
    actor: Actor,
    { id }: ParsedOf<typeof calls.readUndo>,
  ): Promise<OutputOf<typeof calls.readUndo>> =>
    app.db.tx(callerOf(actor), async (work) => {
      const plan = await undoPlan(work, await entryFor(work, id));
      checkRole(actor, plan, actions);
      const { state } = plan;
      const reason = state.reason ?? (await withdrawalProblem(app, work, plan, actions));
      return { ...state, reason, possible: reason === null ? 1 : 0 };
    });

const setBack = async (
  app: App,
  work: UserWork,
  { kind, table, targets }: UndoPlan,
  { reason, actions }: { reason: string; actions: UndoActions },
): Promise<void> => {
  for (const target of targets) {
    const { id, fields } = target;
    if (kind === 'publication') await actions.withdraw(app, work, { id, no: versionOf(target) });
    else if (kind === 'switch' || kind === 'bulk_switch')
      await present(actions.switches[table]).set(app, work, {
        id,
        status: present(fields['status'])[0] as 0 | 1,
        reason,
      });
    else {
      const values = Object.fromEntries(
        Object.entries(fields).map(([field, [value]]) => [field, value ?? null]),
      );
      await actions.setPrice(app, work, { id, values, reason });
    }
  }
};

const failOf = ({ reason }: UndoState): void => {
  if (reason !== null) fail(reason.code as ErrorCode, reason.params ?? {});
};

/**
 * Undoes an audit entry completely or not at all, with the rules and rights of an ordinary change.
 * A second check after the changes finds what another transaction committed before the rows were
 * locked; everything is then rolled back.
 */
export const undo =
  (actions: UndoActions) =>
  (
    app: App,
    actor: Actor,
    { id, reason = '' }: ParsedOf<typeof calls.undoChange>,
    request: RequestContext,
  ): Promise<OutputOf<typeof calls.undoChange>> =>
    app.db.tx(callerOf(actor, request), async (work) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`undo ${id}`},
        14))`.execute(work.tx);
      const entry = await entryFor(work, id);
      const plan = await undoPlan(work, entry);
      checkRole(actor, plan, actions);
      failOf(plan.state);
      await setBack(app, work, plan, { reason, actions });
      failOf((await undoPlan(work, entry, request.request_id)).state);
      await recordAudit(work, {
        action: 'undo',
        subject: entry.subject,
        subject_id: entry.subject_id,
        station_id: entry.station_id,
        changes: { undone: [null, id], rows: [null, plan.targets.length] },
        reason,
      });
      return { rows: plan.targets.length };
    });
