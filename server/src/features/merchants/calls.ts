import type {
  Merchant,
  MerchantCall,
  MerchantProof,
} from '@waystation/contract/network/merchant.ts';
import type * as calls from '@waystation/contract/network/merchant.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { App } from '#app.ts';
import type { Answered } from '#domain/carriers/carriers.ts';
import { openAccount, recordCall } from '#domain/carrier-accounts/carrier-accounts.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { daysBefore } from '#platform/clock.ts';
import { equal, filterConditions } from '#platform/db/conditions.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, jsonText, sql } from '#platform/db/db.ts';
import { getRow, listRows, namedRows } from '#platform/db/rows.ts';
import { pruneRows } from '#platform/db/prune.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { readSetting } from '#platform/settings.ts';
import { shown } from './merchants.ts';

const gatewayReasons = {
  signature: 'merchant_test_signature',
  token: 'merchant_test_token',
  throttled: 'merchant_test_throttled',
  other: 'merchant_test_gateway',
} as const;

/**
 * The reason why a connection test failed, with advice on the next checks; null if it succeeded.
 */
export const testReason = (answer: Answered<null>): Reason | null => {
  if (answer.outcome === 'ok') return null;
  if (answer.outcome === 'unknown') return answer.reason;
  const { code, text } = answer;
  if (answer.outcome === 'refused')
    return { code: 'merchant_test_refused', params: { code, text } };
  return { code: gatewayReasons[answer.kind], params: { code, text } };
};

/**
 * Asks the carrier whether the account works, and stores the result. A paused account is tested
 * too, because that shows whether it can be resumed.
 */
export const test = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.testMerchant>,
  request: RequestContext,
): Promise<Merchant> => {
  const caller = callerOf(actor, request);
  await app.db.tx(caller, (work) => getRow(work, namedRows('id', sql`merchants`), id));
  const { carrier, account } = await openAccount(app, id);
  const answer = await carrier.test(account);
  const reason = testReason(answer);
  const proof: MerchantProof = {
    at: app.clock.now().toISOString(),
    ok: reason === null ? 1 : 0,
    ms: answer.call.ms,
    reason,
  };
  return app.db.tx(caller, async (work) => {
    await recordCall(work, id, { express_id: null, answer });
    await work.tx
      .updateTable('merchants')
      .set({ proof: jsonText(proof) })
      .where('id', '=', id)
      .execute();
    await recordAudit(work, {
      action: 'test',
      subject: 'merchants',
      subject_id: id,
      changes: {
        ok: [null, proof.ok],
        ms: [null, proof.ms],
        ...(reason && { reason: [null, reason.code] }),
      },
    });
    return getRow<Merchant>(work, shown, id);
  });
};

/**
 * Returns the stored carrier calls of an account, without secrets and with masked phones
 * (domain/carriers).
 */
export const list = (
  app: App,
  actor: Actor,
  { id, operation, failed, ...paging }: ParsedOf<typeof calls.merchantCalls>,
): Promise<Listed<MerchantCall>> =>
  app.db.tx(callerOf(actor), async (work) => {
    await getRow(work, namedRows('id', sql`merchants`), id);
    const since = daysBefore(app.clock.now(), await readSetting(work, 'carrier_call_days'));
    return listRows<MerchantCall>(
      work,
      namedRows(
        'id merchant_id at operation outcome code trace_id ms express_id order_id request answer',
        sql`(select c.id, c.merchant_id, c.at, c.operation, c.outcome, c.code, c.trace_id,
          c.ms, c.express_id, e.order_id, c.request, c.answer
        from carrier_calls c left join expresses e on e.id = c.express_id
          where c.merchant_id = ${id} and c.at >= ${since})`,
      ),
      {
        conditions: filterConditions(
          { operation, failed },
          {
            operation: equal,
            failed: (is) => sql<boolean>`(r.outcome in ('ok',
        'accepted')) = ${is === 0}`,
          },
        ),
        paging: uncounted(paging),
        sortable: ['-id', 'ms'],
      },
    );
  });

/** Task: removes carrier calls that are older than the setting allows. */
export const tidyCalls = async (app: App): Promise<void> => {
  await pruneRows(app.db, async (work, most) => {
    const before = daysBefore(app.clock.now(), await readSetting(work, 'carrier_call_days'));
    const { numAffectedRows } = await sql`delete from carrier_calls where id in (
      select id from carrier_calls order by id limit ${most}) and at < ${before}`.execute(work.tx);
    return Number(numAffectedRows ?? 0);
  });
};
