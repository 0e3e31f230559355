import type { Provider } from '@waystation/contract/network/provider.ts';
import {
  carrierCancelProblem,
  carrierCancelProblems,
} from '@waystation/contract/parcels/carrier-cancel.ts';
import { isLive, stateAllows, stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls as expressCalls } from '@waystation/contract/parcels/express-calls.schema.ts';
import { cancelReasonLength } from '@waystation/contract/base/limits.ts';
import { mostTracked } from '@waystation/contract/shell/bulk.ts';
import type { PreviewedAction, previewBulk } from '@waystation/contract/shell/bulk.ts';
import type { trackExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { queueTrace } from '#domain/express/express.ts';
import { isUndecided } from '#domain/express/express-reads.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import { chosenIds, namesOfParcels } from '#domain/user-jobs/user-jobs.ts';
import type { BulkAction, BulkList, HandedItem, Outcome } from '#domain/user-jobs/user-jobs.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { counts } from './counts.ts';
import { isOpenException } from './filters.ts';
import { cancelInTx, handleInTx, orderInTx, retryInTx } from './expresses.ts';
import { obstacle } from './labels.ts';
import { list } from './list.ts';
import { openOutcomesOf } from './open-outcomes.ts';
import { walk } from './walk.ts';

interface Previewed {
  provider: Provider;
  picked_up: boolean;
  state_code: StateCode;
  state_txt: string;
  delivery_id: string | null;
  intercepting: 0 | 1;
  canceling: boolean;
  need_retry: 0 | 1;
  undecided: boolean;
  allow_print: 0 | 1;
  /** The number of the parcel's sides (sender and recipient) whose person was erased. */
  erased: number;
  /** True if the parcel has an exception that nobody has handled. */
  isOpen: boolean;
}

/**
 * The reason why a parcel cannot be tracked; null if a carrier has it and is expected to report on
 * it.
 */
const trackObstacle = ({
  state_code,
  state_txt,
  delivery_id,
}: Pick<Previewed, 'state_code' | 'state_txt' | 'delivery_id'>): Reason | null => {
  if (delivery_id === null) return { code: 'no_waybill_yet' };
  return isLive(state_code) ? null : { code: 'state_forbids', params: { state: state_txt } };
};

/**
 * The reason why a parcel cannot be requested back, for example because no carrier transports it;
 * null if there is none.
 */
const interceptObstacle = ({
  provider,
  picked_up,
  state_code,
  state_txt,
  intercepting,
  canceling,
}: Pick<
  Previewed,
  'provider' | 'picked_up' | 'state_code' | 'state_txt' | 'intercepting' | 'canceling'
>): Reason | null => {
  if (
    !isLive(state_code) ||
    state_code === stateCode.awaitingPickup ||
    !stateAllows(state_code, 'cancel')
  )
    return { code: 'cannot_intercept', params: { state: state_txt } };
  const code = carrierCancelProblem({ provider, state_code, picked_up });
  if (code !== null) return { code };
  return intercepting === 1 || canceling ? { code: 'already_intercepting' } : null;
};

/** The reason why a parcel cannot be ordered, or ordered again; null if it can. */
const orderObstacle =
  (action: 'retry' | 'order') =>
  ({ state_code, state_txt, erased }: Previewed): Reason | null => {
    if (!stateAllows(state_code, action))
      return { code: 'state_forbids', params: { state: state_txt } };
    return erased > 0 ? { code: 'parcel_erased' } : null;
  };

/** The reason why an action would skip a parcel in its state. The action itself checks again. */
const obstacles: Readonly<Record<PreviewedAction, (row: Previewed) => Reason | null>> = {
  cancel: ({ provider, picked_up, state_code, state_txt, intercepting, canceling }) => {
    if (!stateAllows(state_code, 'cancel'))
      return { code: 'cannot_cancel', params: { state: state_txt } };
    const code = carrierCancelProblem({ provider, state_code, picked_up });
    if (code !== null) return { code };
    return intercepting === 1 || canceling ? { code: 'already_intercepting' } : null;
  },
  retry: orderObstacle('retry'),
  order: orderObstacle('order'),
  track: trackObstacle,
  intercept: interceptObstacle,
  handle: ({ isOpen }) => (isOpen ? null : { code: 'no_exception' }),
  print: obstacle,
  export: () => null,
};

/** A group of chosen parcels that are equal in everything that the actions check. */
interface PreviewedGroup extends Previewed {
  count: number;
  printed: number;
  post_amount: number;
}

const groupsOf = async (work: ReaderWork, ids: readonly number[]): Promise<PreviewedGroup[]> => {
  const { rows } = await sql<PreviewedGroup>`select provider, picked_up, state_code, state_txt, case
      when delivery_id is null then null else '' end as delivery_id, intercepting, need_retry,
      canceling, undecided, allow_print, erased, "isOpen", count(*) as count,
        count(*) filter (where print_count > 0) as printed,
        sum(post_amount)::bigint as post_amount
    from (select e.provider, e.picked_up_at is not null as picked_up, e.state_code, e.state_txt, e.delivery_id, e.intercepting, e.need_retry,
      e.cancel_requested_at is not null as canceling, ${isUndecided} as undecided,
        s.allow_print, e.erased, ${isOpenException} as "isOpen", e.print_count, e.post_amount
      from expresses e join stations s on s.id = e.station_id
      where e.id = any(${ids}::bigint[])
        and ${scopeCondition(work, 'e.station_id', 'e.user_id')}) x
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`.execute(work.tx);
  return rows;
};

const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

const source = listSource(expressCalls.listExpresses, list, counts, walk);

/** Previews an action on the chosen parcels: every one of them is counted. */
export const preview = async (
  app: App,
  actor: Actor,
  { action, ...chosen }: ParsedOf<typeof previewBulk>,
  request: RequestContext,
): Promise<OutputOf<typeof previewBulk>> => {
  const ids = await chosenIds(app, { actor, request }, source, chosen);
  const { groups, open_outcomes } = await app.db.tx(callerOf(actor, request), async (work) => ({
    groups: await groupsOf(work, ids),
    open_outcomes: action === 'cancel' ? await openOutcomesOf(work, ids) : [],
  }));
  if (groups.length === 0) return fail('not_found');
  const judged = groups.map((group) => ({ ...group, reason: obstacles[action](group) }));
  const ready = judged.filter(({ reason }) => reason === null);
  const skipped = new Map<string, { reason: Reason; count: number }>();
  const skip = (reason: Reason, count: number): void => {
    const key = JSON.stringify(reason);
    skipped.set(key, { reason, count: (skipped.get(key)?.count ?? 0) + count });
  };
  for (const { reason, count } of judged) if (reason) skip(reason, count);
  const unseen = ids.length - sumOf(judged, ({ count }) => count);
  if (unseen > 0) skip({ code: 'not_found' }, unseen);
  return {
    total: ids.length,
    ready: sumOf(ready, ({ count }) => count),
    post_amount: sumOf(ready, ({ post_amount }) => post_amount),
    printed: sumOf(ready, ({ printed }) => printed),
    open_outcomes,
    skipped: [...skipped.values()].toSorted((a, b) => b.count - a.count),
  };
};

interface Reached {
  id: number;
  state_code: StateCode;
  intercepting: 0 | 1;
  canceling: boolean;
  polled_at: Date | null;
  state_reason: Reason | null;
  state_remark: string;
}

/** The reason given by this product, else the carrier's own text, else `otherwise`. */
const whyOf = ({ state_reason, state_remark }: Reached, otherwise: Reason): Reason =>
  state_reason ??
  (state_remark === '' ? otherwise : { code: 'carrier_refused', params: { text: state_remark } });

const ok = { result: 'ok', reason: null } as const;

/** Makes the function that reads the results of parcels that were sent to their carrier. */
const outcomesBy =
  (
    outcomeOf: (row: Reached, item: HandedItem, late: boolean) => Outcome,
  ): NonNullable<BulkAction<App>['outcomes']> =>
  async (work, items, late) => {
    const { rows } = await sql<Reached>`select id, state_code, intercepting,
      cancel_requested_at is not null as canceling, polled_at, state_reason, state_remark
      from expresses
        where id = any(${items.map(({ subject_id }) => subject_id)}::bigint[])`.execute(work.tx);
    const found = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      items.map((item) => [
        item.subject_id,
        outcomeOf(present(found.get(item.subject_id)), item, late),
      ]),
    );
  };

const cancelled = outcomesBy((row) => {
  if (row.canceling) return null;
  const { state_code } = row;
  if (
    state_code === stateCode.cancelled ||
    state_code === stateCode.returning ||
    state_code === stateCode.returned ||
    row.intercepting === 1
  )
    return ok;
  return { result: 'fail', reason: whyOf(row, { code: 'cancel_failed' }) };
});

const ordered = outcomesBy((row) => {
  if (row.state_code === stateCode.ordering) return null;
  if (row.state_code !== stateCode.failed && row.state_code !== stateCode.onHold) return ok;
  return { result: 'fail', reason: whyOf(row, { code: 'internal' }) };
});

const tracked = outcomesBy(({ polled_at }, { handed_at }, late) => {
  if (polled_at !== null && polled_at >= handed_at) return ok;
  return late ? { result: 'fail', reason: { code: 'carrier_pending' } } : null;
});

/** Queues the request for a parcel's trace, in the caller's transaction. */
const trackInTx = async (work: ReaderWork, id: number): Promise<void> => {
  const express = await expressIn(work, id);
  const reason = trackObstacle(express);
  if (reason) fail(reason.code as 'no_waybill_yet', reason.params);
  await work.asSystem('job of a parcel', (system) => queueTrace(system, id));
};

/**
 * Requests the carrier's trace of one parcel. Requests repeated before the carrier is called count
 * as one.
 */
export const trackOne = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof trackExpress>,
): Promise<OutputOf<typeof trackExpress>> => {
  await app.db.tx(callerOf(actor), (work) => trackInTx(work, id));
  return {};
};

/** Requests a parcel back from the carrier, in the caller's transaction. */
const interceptInTx = async (
  app: App,
  work: UserWork,
  id: number,
  reason: string,
): Promise<void> => {
  const express = await expressIn(work, id);
  const obstacle = interceptObstacle({
    ...express,
    canceling: express.cancel_requested_at !== null,
    picked_up: express.picked_up_at !== null,
  });
  if (obstacle) fail(obstacle.code as 'cannot_intercept', obstacle.params);
  await cancelInTx(app, work, { id, reason });
};

/** The bulk actions on parcels. */
export const bulkList: BulkList<App> = {
  endpoint: bulkCalls.bulkExpresses,
  source,
  nameOf: namesOfParcels,
  actions: {
    cancel: {
      run: (app, work, id, { reason }) => cancelInTx(app, work, { id, reason }),
      needsReason: true,
      reasonLength: cancelReasonLength,
      skips: [...carrierCancelProblems, 'cannot_cancel', 'already_intercepting'],
      outcomes: cancelled,
    },
    intercept: {
      run: (app, work, id, { reason }) => interceptInTx(app, work, id, reason),
      needsReason: true,
      reasonLength: cancelReasonLength,
      skips: [...carrierCancelProblems, 'cannot_intercept', 'already_intercepting'],
      outcomes: cancelled,
    },
    handle: {
      run: (app, work, id, { reason }) => handleInTx(app, work, { id, note: reason }),
      needsReason: true,
      skips: ['no_exception'],
    },
    retry: {
      run: (app, work, id) => retryInTx(app, work, id),
      skips: ['state_forbids'],
      outcomes: ordered,
    },
    order: {
      run: (app, work, id) => orderInTx(app, work, id),
      skips: ['state_forbids'],
      outcomes: ordered,
    },
    track: {
      run: (_app, work, id) => trackInTx(work, id),
      skips: ['state_forbids', 'no_waybill_yet'],
      most: mostTracked,
      outcomes: tracked,
    },
  },
};
