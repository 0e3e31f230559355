import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/money/reconciliation.ts';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import type { App } from '#app.ts';
import {
  billMonths,
  billOf,
  discardBill,
  disputesFile,
  storeBill,
  listBills,
  listLines,
  lockBill,
  mapBill,
  payBill,
  setBillTolerances,
} from '#domain/reconciliation/reconciliation.ts';
import { fileTypeOf } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { failFields } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';

/**
 * The default limits up to which a difference is tolerated: half a kilogram (the step of weights)
 * in grams, and ten fen.
 */
const defaults = { weight_tolerance: 500, amount_tolerance: 10 };

/** Changes a bill in one transaction with its audit row, and returns the changed bill. */
const change = (
  app: App,
  { actor, request }: { actor: Actor; request: RequestContext },
  { action, id }: { action: string; id: number },
  run: (work: Work) => Promise<{ changes: Changes; reason?: string }>,
): Promise<Reconciliation> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { changes, reason = '' } = await run(work);
    await recordAudit(work, {
      action,
      subject: 'reconciliations',
      subject_id: id,
      changes,
      reason,
    });
    return billOf(work, id);
  });

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listReconciliations>,
): Promise<OutputOf<typeof calls.listReconciliations>> =>
  app.db.tx(callerOf(actor), (work) => listBills(work, filters));

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getReconciliation>,
): Promise<Reconciliation> => app.db.tx(callerOf(actor), (work) => billOf(work, id));

export const lines = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listBillRows>,
): Promise<OutputOf<typeof calls.listBillRows>> =>
  app.db.tx(callerOf(actor), (work) => listLines(work, filters));

export const create = (
  app: App,
  actor: Actor,
  {
    period,
    provider,
    weight_tolerance = defaults.weight_tolerance,
    amount_tolerance = defaults.amount_tolerance,
  }: ParsedOf<typeof calls.createReconciliation>,
  request: RequestContext,
): Promise<Reconciliation> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const file = request.file ?? failFields({ file: { code: 'file_required' } });
    const { rows: merchants } = await sql`select 1 from merchants where provider = ${provider}
      limit 1`.execute(work.tx);
    if (merchants.length === 0)
      failFields({ provider: { code: 'carrier_unsupported', params: { provider } } });
    const months = await billMonths(work, provider, app.clock.now());
    if (period < months.from || period > months.to)
      failFields({ period: { code: 'bill_period_outside', params: months } });
    const kept = { name: file.name, bytes: await file.read() };
    const { id, fresh } = await storeBill(work, {
      period,
      provider,
      weight_tolerance,
      amount_tolerance,
      file: kept,
      by: actor.account_id,
    });
    await recordAudit(work, {
      action: fresh ? 'upload' : 'upload_again',
      subject: 'reconciliations',
      subject_id: id,
      changes: fresh
        ? { period: [null, period], provider: [null, provider], file_name: [null, file.name] }
        : {},
    });
    return billOf(work, id);
  });

export const map = (
  app: App,
  actor: Actor,
  { id, ...values }: ParsedOf<typeof calls.mapReconciliation>,
  request: RequestContext,
): Promise<Reconciliation> =>
  change(app, { actor, request }, { action: 'map_columns', id }, async (work) => {
    const before = await mapBill(work, id, { ...values, by: actor.account_id });
    return {
      changes: {
        mapping: [before.mapping, values.mapping],
        weight_unit: [before.weight_unit, values.weight_unit],
      },
    };
  });

export const tolerate = (
  app: App,
  actor: Actor,
  { id, ...values }: ParsedOf<typeof calls.setTolerances>,
  request: RequestContext,
): Promise<Reconciliation> =>
  change(app, { actor, request }, { action: 'set_tolerances', id }, async (work) => {
    const before = await setBillTolerances(work, id, values);
    return {
      changes: {
        weight_tolerance: [before.weight_tolerance, values.weight_tolerance],
        amount_tolerance: [before.amount_tolerance, values.amount_tolerance],
      },
    };
  });

export const discard = (
  app: App,
  actor: Actor,
  { id, version, reason }: ParsedOf<typeof calls.discardReconciliation>,
  request: RequestContext,
): Promise<Reconciliation> =>
  change(app, { actor, request }, { action: 'discard', id }, async (work) => {
    const before = await discardBill(work, id, version);
    return { changes: { status: [before.status, 'discarded'] }, reason };
  });

export const pay = (
  app: App,
  actor: Actor,
  { id, amount, description = '' }: ParsedOf<typeof calls.payCarrier>,
  request: RequestContext,
): Promise<Reconciliation> => {
  const caller = callerOf(actor, request);
  const endpoint = `POST /api/arco/reconciliations/${id}/payments`;
  return withIdempotencyKey({
    db: app.db,
    caller,
    request,
    endpoint,
    effect: async (work) => {
      const cause = `${endpoint}:${actor.account_id}:${request.idempotency_key}`;
      await payBill(work, id, {
        amount,
        description,
        by: actor.account_id,
        at: app.clock.now(),
        cause,
      });
      await recordAudit(work, {
        action: 'pay_carrier',
        subject: 'reconciliations',
        subject_id: id,
        changes: { amount: [null, amount] },
        reason: description,
      });
      return id;
    },
    answer: (bill_id) => app.db.tx(caller, (work) => billOf(work, bill_id)),
  });
};

export const disputes = (
  app: App,
  actor: Actor,
  { id, language = 'zh' }: ParsedOf<typeof calls.disputedFile>,
): Promise<FileAnswer> =>
  app.db.tx(callerOf(actor), async (work) => {
    const bill = await lockBill(work, id, ['ready', 'settled']);
    const body = await disputesFile(work, bill, language);
    return {
      body,
      type: fileTypeOf.xlsx,
      name: `${language === 'zh' ? '异议' : 'disputes'}-${bill.provider}-${bill.period}-${id}.xlsx`,
    };
  });
