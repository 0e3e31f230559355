import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { carrierOutages } from '@waystation/contract/network/outage.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/**
 * Outages are visible to every user who can order. The waiting orders are counted within the
 * caller's scope.
 */
export const list = async (app: App, actor: Actor): Promise<OutputOf<typeof carrierOutages>> => {
  const caller = callerOf(actor);
  const isOffice = actor.role === 'super' || actor.role === 'admin';
  return app.db.tx(caller, async (work) => {
    const { rows: down } = await work.asSystem('accounts of a station', (system) =>
      sql<
        RowOf<'merchants', 'id' | 'provider' | 'name'> & { down_since: Date }
      >`select id, provider, name, down_since from merchants where down_since is not null
        and status = 1 order by down_since, id`.execute(system.tx),
    );
    if (down.length === 0) return { items: [] };
    const { rows: waiting } = await sql<{ merchant_id: number; n: number }>`select merchant_id,
      count(*) as n from expresses
      where state_code = 20 and ${scopeCondition(work, 'station_id', 'user_id')}
        group by 1`.execute(work.tx);
    return {
      items: down.map(({ id, provider, name, down_since }) => ({
        merchant_id: isOffice ? id : null,
        provider,
        name: isOffice ? name : null,
        since: down_since.toISOString(),
        waiting: waiting.find(({ merchant_id }) => merchant_id === id)?.n ?? 0,
      })),
    };
  });
};
