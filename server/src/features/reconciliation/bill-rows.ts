import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { calls } from '@waystation/contract/money/reconciliation.schema.ts';
import type { App } from '#app.ts';
import { acceptLine, disputeLine } from '#domain/reconciliation/reconciliation.ts';
import type { Decided } from '#domain/reconciliation/reconciliation.ts';
import { startBulk } from '#domain/user-jobs/user-jobs.ts';
import type { BulkAction, BulkList } from '#domain/user-jobs/user-jobs.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { lines } from './reconciliations.ts';

/**
 * Decides about a line of a bill. The audit entry of an accepted weight belongs to its parcel,
 * because the parcel's station pays for it. All other lines concern only the administrators and the
 * carrier.
 */
const decide =
  (
    action: 'accept_bill' | 'dispute_bill',
    act: (
      work: Work,
      id: number,
      decision: { by: number; at: Date; note: string },
    ) => Promise<Decided>,
  ): BulkAction<App>['run'] =>
  async (app, work, id, { reason }) => {
    const line = await act(work, id, {
      by: work.actor.account_id,
      at: app.clock.now(),
      note: reason,
    });
    const ofParcel = action === 'accept_bill' && line.effect_amount !== null;
    await recordAudit(work, {
      action,
      subject: ofParcel ? 'expresses' : 'reconciliations',
      subject_id: ofParcel ? line.express_id : line.reconciliation_id,
      station_id: ofParcel ? line.station_id : null,
      changes: ofParcel
        ? { effect_amount: [null, line.effect_amount] }
        : {
            bucket: [null, line.bucket],
            ...(line.delivery_id !== null && { delivery_id: [null, line.delivery_id] as const }),
          },
      ...(!ofParcel && { reason }),
    });
  };

/**
 * Bulk actions on the lines of bills. Each line is changed, with its result, under the lock of its
 * own bill.
 */
export const billRows: BulkList<App> = {
  endpoint: calls.acceptBillRows,
  ownRoutes: true,
  source: listSource(calls.listBillRows, lines),
  nameOf: (_scope, id) => sql<string>`(select coalesce(r.delivery_id, '#' || r.no)
    from reconciliation_rows r where r.id = ${id})`,
  actions: {
    accept: { run: decide('accept_bill', acceptLine), skips: ['bill_row_decided'] },
    dispute: {
      run: decide('dispute_bill', disputeLine),
      needsReason: true,
      skips: ['bill_row_decided'],
    },
  },
};

type Chosen = ParsedOf<typeof calls.acceptBillRows>;

/** Fails if the bill is not matched, or if a line does not belong to it. */
const checkBill = (app: App, actor: Actor, { id, ids }: Chosen): Promise<void> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { rows } = await sql<
      RowOf<'reconciliations', 'status'> & { known: number }
    >`select c.status,
      (select count(*) from reconciliation_rows r
        where r.reconciliation_id = c.id and r.bucket is not null
          and r.id = any(${ids ?? []}::bigint[])) as known
      from reconciliations c where c.id = ${id}`.execute(work.tx);
    const bill = rows[0] ?? fail('not_found');
    if (bill.status !== 'ready' && bill.status !== 'settled') fail('bill_status');
    if (ids && bill.known !== new Set(ids).size) fail('not_found');
  });

const start =
  (action: 'accept' | 'dispute') =>
  async (
    app: App,
    actor: Actor,
    input: Chosen,
    request: RequestContext,
  ): Promise<OutputOf<typeof calls.acceptBillRows>> => {
    await checkBill(app, actor, input);
    const { id, filter, ...rest } = input;
    return startBulk('bill_rows', billRows)(
      app,
      actor,
      { ...rest, action, ...(filter && { filter: { ...filter, id } }) },
      request,
    );
  };

export const accept = start('accept');
export const dispute = start('dispute');
