import type { closeAlert } from '@waystation/contract/alert.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { App } from '#app.ts';
import { independentApprovers, setupDays } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const officeAccounts = async (tx: Tx): Promise<number> => {
  const row = await oneRow(tx, sql<{ n: number }>`select count(*) as n from accounts where role in ('super', 'admin') and status = 1`);
  return row.n;
};

/** Whose doing the alert tells of does not close it, while there is anybody else in the office; nor who was set up by the same person, while somebody is independent. */
const requireAnother = async (tx: Tx, by: number, actor: Actor, at: Date): Promise<void> => {
  if (by === actor.account_id) {
    if ((await officeAccounts(tx)) > 1) fail('alert_own');
    return;
  }
  const independent = await independentApprovers(tx, { account_id: by, at });
  if (independent.length > 0 && !independent.includes(actor.account_id)) fail('alert_tied', { days: setupDays });
};

export const close = (app: App, actor: Actor, { id, reason = '' }: ParsedOf<typeof closeAlert>, request: RequestContext): Promise<{ id: number }> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const row = await tx.selectFrom('alerts').select(['code', 'station_id', 'account_id', 'closed_at']).where('id', '=', id).forUpdate().executeTakeFirst();
    const alert = row ?? fail('not_found');
    if (alert.closed_at === null) {
      if (alert.account_id !== null) await requireAnother(tx, alert.account_id, actor, app.clock.now());
      await tx.updateTable('alerts').set({ closed_at: app.clock.now() }).where('id', '=', id).execute();
      await recordAudit(tx, actor, request, {
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
