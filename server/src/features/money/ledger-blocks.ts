import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { unblockStation } from '@waystation/contract/statement.ts';
import type { App } from '#app.ts';
import { queueRelease } from '#domain/express/express.ts';
import { unblock } from '#domain/ledger/ledger.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

/** Somebody has looked at a station whose proof failed. What broke stays in the proof's history; a next proof that fails blocks it again. */
export const unblockOne = (app: App, actor: Actor, { id, reason }: ParsedOf<typeof unblockStation>, request: RequestContext): Promise<{ cleared: 0 | 1 }> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    const { rows } = await sql`select 1 from stations where id = ${id} and ${scopeCondition(scope, 'id')}`.execute(tx);
    if (!rows[0]) fail('not_found');
    const cleared = await unblock(tx, { station_id: id, by: actor.account_id, note: reason, at: app.clock.now() });
    // Its parcels on hold were looked at in vain meanwhile, and ever more rarely.
    if (cleared) await queueRelease(tx, id);
    await recordAudit(tx, actor, request, { action: 'unblock', subject: 'stations', subject_id: id, station_id: id, reason });
    return { cleared: cleared ? 1 : 0 };
  });
};
