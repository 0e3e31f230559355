import { bulkLimit } from '@waystation/contract/base/bulk-endpoint.ts';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { JobResult } from '@waystation/contract/shell/jobs.ts';
import { present } from '@waystation/contract/base/present.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RawBuilder, ReaderWork, UserWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import type { Failure } from '#platform/fail.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { ListContext } from '#platform/http/list-limits.ts';
import { selectRows, waitedFor, walkPages } from '#platform/http/list-walk.ts';
import type { ListSource } from '#platform/http/list-walk.ts';
import { queueJob } from './store.ts';
import { addItems } from './items.ts';
import type { HandedItem } from './items.ts';

/** The result of a row after the job has processed it; null as long as it is unknown. */
export type Outcome = { result: JobResult; reason: Reason | null } | null;

export type BulkValues = Readonly<Record<string, number | null>>;
export type ShownValues = Readonly<Record<string, number | string | null>>;
export interface BulkParams {
  reason: string;
  values: BulkValues;
}

/**
 * An action that changes one row in the caller's transaction, with the same rules and audit row as
 * the row's own route.
 */
export interface BulkAction<App> {
  run(app: App, work: UserWork, id: number, params: BulkParams): Promise<unknown>;
  /** Throws if the values are invalid; only for an action that has values. */
  checkValues?(values: BulkValues): void;
  /**
   * The present values of the rows, and the new values of the action, as they are displayed. The
   * keys are the names of the action's values.
   */
  showValues?(
    work: ReaderWork,
    ids: readonly number[],
    values: BulkValues,
  ): Promise<{ before: ReadonlyMap<number, ShownValues>; after: ShownValues }>;
  /**
   * The codes of refusals that mean that the row needs no change. Any other refusal is a failure.
   */
  skips?: readonly string[];
  needsReason?: boolean;
  /** The largest number of characters of a reason, if this action allows more than usual. */
  reasonLength?: number;
  /** The largest number of rows of one action, if it is lower than `bulkLimit`. */
  most?: number;
  /**
   * Returns the results of these rows, if the action sends a request to the carrier and the
   * carrier's answer is the result. `late` is true if the answer is not awaited any more.
   */
  outcomes?(
    work: Work,
    items: readonly HandedItem[],
    late: boolean,
  ): Promise<ReadonlyMap<number, Outcome>>;
}

/** A list with bulk actions. */
export interface BulkList<App> {
  endpoint: CheckedEndpoint;
  source: ListSource<App>;
  /** SQL for the name of the row with this id; null if the row is outside the scope. */
  nameOf(scope: Scope, id: RawBuilder<number>): RawBuilder<string | null>;
  actions: Readonly<Record<string, BulkAction<App>>>;
  /** True if the feature has separate routes that start its jobs after more checks. */
  ownRoutes?: true;
}

type Switch<App> = (
  app: App,
  work: UserWork,
  input: { id: number; status: 0 | 1 },
) => Promise<unknown>;

/**
 * The bulk actions that enable and disable rows. Each row is changed with `set`, the same function
 * that changes one row. A row that already has the status is skipped. `station` is the column with
 * the station of a row.
 */
export const switches = <App>(
  set: Switch<App>,
  table: string,
  station?: string,
): BulkList<App>['actions'] => {
  const to = (status: 0 | 1, already: 'already_enabled' | 'already_disabled'): BulkAction<App> => ({
    run: async (app, work, id) => {
      const scoped = station === undefined ? sql`true` : scopeCondition(work, `r.${station}`);
      const { rows } = await sql`select 1 from ${sql.table(table)} r where r.id = ${id}
        and r.status = ${status} and ${scoped}`.execute(work.tx);
      if (rows.length > 0) fail(already);
      return set(app, work, { id, status });
    },
    skips: [already],
  });
  return { enable: to(1, 'already_enabled'), disable: to(0, 'already_disabled') };
};

/**
 * The reason why a row was refused: the reason of its first invalid field, or else the code of the
 * failure itself.
 */
export const refusalOf = (failure: Failure): Reason =>
  Object.values(failure.details.fields ?? {})[0] ?? { code: failure.code, params: failure.params };

interface Input {
  action: string;
  ids?: number[] | undefined;
  filter?: Record<string, unknown> | undefined;
  expected?: number | undefined;
  reason?: string | undefined;
  values?: BulkValues | undefined;
}

/**
 * The ids of the rows that the filter matches now. Fails if `expected`, the number of rows that the
 * caller saw, is different.
 */
const idsOf = async <App extends ListContext>(
  app: App,
  actor: Actor,
  source: ListSource<App>,
  { filter, expected }: { filter: Record<string, unknown>; expected: number | undefined },
): Promise<number[]> => {
  const selection = await selectRows(app, actor, source, { filters: filter, most: bulkLimit });
  if (selection.total_is_capped === 1) fail('selection_too_large', { limit: bulkLimit });
  if (expected !== undefined && selection.total !== expected)
    fail('selection_changed', { expected, found: selection.total });
  if (selection.ids) return [...selection.ids];
  const ids: number[] = [];
  for await (const rows of walkPages(app, actor, source, {
    filters: filter,
    selection,
    fields: new Set(['id']),
  }))
    for (const { id } of rows) ids.push(id as number);
  return ids.length === selection.total
    ? ids
    : fail('selection_changed', { expected: selection.total, found: ids.length });
};

/**
 * The ids of the chosen rows, or of the rows that match the filter now. Each id occurs only once.
 * The limits of the list apply.
 */
export const chosenIds = async <App extends ListContext>(
  app: App,
  { actor, request }: { actor: Actor; request: RequestContext },
  source: ListSource<App>,
  { ids, filter, expected }: Pick<Input, 'ids' | 'filter' | 'expected'>,
): Promise<number[]> => {
  if (ids === undefined && filter === undefined) failFields({ ids: { code: 'required' } });
  if (ids !== undefined && filter !== undefined) failFields({ filter: { code: 'invalid' } });
  const wanted = [
    ...new Set(
      ids ?? (await idsOf(app, actor, waitedFor(source, request), { filter: filter!, expected })),
    ),
  ];
  return wanted.length > 0 ? wanted : fail('selection_empty');
};

/**
 * Returns the values of an action. Fails if an action with values gets none, or an action without
 * values gets some.
 */
export const checkValues = (
  action: Pick<BulkAction<never>, 'checkValues'>,
  values: BulkValues | undefined,
): BulkValues => {
  if (action.checkValues && values === undefined) failFields({ values: { code: 'required' } });
  if (!action.checkValues && values !== undefined) failFields({ values: { code: 'invalid' } });
  if (values !== undefined) action.checkValues?.(values);
  return values ?? {};
};

const checkInput = (
  action: Pick<BulkAction<never>, 'needsReason' | 'reasonLength'>,
  { ids, filter, expected, reason }: Input,
): void => {
  const fields: Record<string, Reason> = {};
  if (ids === undefined && filter === undefined) fields['ids'] = { code: 'required' };
  if (ids !== undefined && filter !== undefined) fields['filter'] = { code: 'invalid' };
  if (filter !== undefined && expected === undefined) fields['expected'] = { code: 'required' };
  if (action.needsReason && !reason) fields['reason'] = { code: 'required' };
  const most = action.reasonLength;
  if (most !== undefined && (reason ?? '').length > most)
    fields['reason'] = { code: 'too_long', params: { max: most } };
  if (Object.keys(fields).length > 0) failFields(fields);
};

/**
 * Starts a job that changes many rows of a list. Each row is changed in a separate step, with the
 * rights that the user has at the time of that step.
 */
export const startBulk =
  <App extends ListContext>(list: string, { source, nameOf, actions }: BulkList<App>) =>
  async (
    app: App,
    actor: Actor,
    body: unknown,
    request: RequestContext,
  ): Promise<{ job_id: number; total: number }> => {
    const input = body as Input;
    const action = present(actions[input.action]);
    checkInput(action, input);
    const values = checkValues(action, input.values);
    const caller = callerOf(actor, request);
    const wanted = await chosenIds(app, { actor, request }, source, input);
    if (action.most !== undefined && wanted.length > action.most)
      fail('selection_too_large', { limit: action.most });
    return app.db.tx(caller, async (work) => {
      const reason = input.reason ?? '';
      const job_id = await queueJob(work, {
        list,
        action: input.action,
        params: { reason, values },
        total: wanted.length,
      });
      if ((await addItems(work, job_id, wanted, (id) => nameOf(caller.scope, id))) === 0)
        fail('not_found');
      await recordAudit(work, {
        action: `bulk_${input.action}`,
        subject: list,
        subject_id: null,
        station_id: actor.station_id,
        changes: {
          job_id: [null, job_id],
          rows: [null, wanted.length],
          ...Object.fromEntries(
            Object.entries(values).map(([name, value]) => [name, [null, value] as const]),
          ),
        },
        reason,
      });
      return { job_id, total: wanted.length };
    });
  };
