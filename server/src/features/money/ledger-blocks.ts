import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { unblockStation } from '@waystation/contract/money/statement.ts';
import type { App } from '#app.ts';
import { queueRelease } from '#domain/express/express.ts';
import { unblock } from '#domain/ledger/ledger.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/**
 * Resumes the payments of a station whose ledger check failed, after an administrator has examined
 * the cause. The finding stays in the history of checks. The next failed check suspends the station
 * again.
 */
export const unblockOne = (
  app: App,
  actor: Actor,
  { id, reason }: ParsedOf<typeof unblockStation>,
  request: RequestContext,
): Promise<{ cleared: 0 | 1 }> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const { rows } = await sql`select 1 from stations where id = ${id}
      and ${scopeCondition(work, 'id')}`.execute(work.tx);
    if (!rows[0]) fail('not_found');
    const cleared = await unblock(work, {
      station_id: id,
      by: actor.account_id,
      note: reason,
      at: app.clock.now(),
    });
    // The pauses between attempts to release the parcels on hold became long while the station was
    // blocked, so an attempt is queued now.
    if (cleared) await queueRelease(work, id);
    await recordAudit(work, {
      action: 'unblock',
      subject: 'stations',
      subject_id: id,
      station_id: id,
      reason,
    });
    return { cleared: cleared ? 1 : 0 };
  });
};
