import type { closeAlert } from '@waystation/contract/alert.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const close = (app: App, actor: Actor, { id, reason = '' }: ParsedOf<typeof closeAlert>, request: RequestContext): Promise<{ id: number }> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const { rows } = await sql<{ code: string; station_id: number | null; closed_at: Date | null }>`
      select code, station_id, closed_at from alerts where id = ${id} for update`.execute(tx);
    const alert = rows[0] ?? fail('not_found');
    if (alert.closed_at === null) {
      await sql`update alerts set closed_at = ${app.clock.now()} where id = ${id}`.execute(tx);
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
