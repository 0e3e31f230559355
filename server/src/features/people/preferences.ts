import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { writePreference } from '@waystation/contract/people/preferences.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { mostPreferences } from '@waystation/contract/base/limits.ts';
import { callerOf, jsonText, sql } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

export const read = (app: App, actor: Actor): Promise<{ values: Record<string, unknown> }> =>
  app.db.tx(callerOf(actor), async (work) => {
    const rows = await work.tx
      .selectFrom('preferences')
      .select(['name', 'value'])
      .where('account_id', '=', actor.account_id)
      .execute();
    return { values: Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
  });

export const write = (
  app: App,
  actor: Actor,
  { name, value }: ParsedOf<typeof writePreference>,
): Promise<Record<string, never>> =>
  app.db.tx(callerOf(actor), async (work) => {
    if (value === null || value === undefined) {
      await work.tx
        .deleteFrom('preferences')
        .where('account_id', '=', actor.account_id)
        .where('name', '=', name)
        .execute();
      return {};
    }
    const { rows } = await sql`insert into preferences (account_id, name, value)
      select ${actor.account_id}, ${name}, ${jsonText(value)}::jsonb
      where (select count(*) from preferences
        where account_id = ${actor.account_id}) < ${mostPreferences}
        or exists (select 1 from preferences where account_id = ${actor.account_id}
        and name = ${name})
      on conflict (account_id, name) do update set value = excluded.value, updated_at = now()
        returning name`.execute(work.tx);
    return rows.length > 0 ? {} : fail('too_many_preferences', { limit: mostPreferences });
  });
