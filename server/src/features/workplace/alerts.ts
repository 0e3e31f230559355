import type { closeAlert } from '@waystation/contract/shell/alert.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { App } from '#app.ts';
import { independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const officeAccounts = async (work: Work): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{ n: number }>`select count(*) as n from accounts
    where role in ('super', 'admin') and status = 1`,
  );
  return row.n;
};

/**
 * Users cannot close an alert about their own act, unless no other administrator exists. Accounts
 * tied to that user by their setup cannot close it either while an independent administrator
 * exists.
 */
const requireAnother = async (work: ReaderWork, by: number, at: Date): Promise<void> => {
  if (by === work.actor.account_id) {
    if ((await officeAccounts(work)) > 1) fail('alert_own');
    return;
  }
  const independent = await independentApprovers(work, { account_id: by, at });
  if (independent.length > 0 && !independent.includes(work.actor.account_id))
    fail('alert_tied', { days: setupDays });
};

export const close = (
  app: App,
  actor: Actor,
  { id, reason = '' }: ParsedOf<typeof closeAlert>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const row = await work.tx
      .selectFrom('alerts')
      .select(['code', 'station_id', 'account_id', 'closed_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    const alert = row ?? fail('not_found');
    if (alert.closed_at === null) {
      if (alert.account_id !== null) await requireAnother(work, alert.account_id, app.clock.now());
      await work.tx
        .updateTable('alerts')
        .set({ closed_at: app.clock.now() })
        .where('id', '=', id)
        .execute();
      await recordAudit(work, {
        action: 'close',
        subject: 'alerts',
        subject_id: id,
        station_id: alert.station_id,
        changes: { code: [alert.code, null] },
        reason,
      });
    }
    return { id };
  });
