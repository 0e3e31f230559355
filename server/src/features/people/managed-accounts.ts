import { rolesBelow } from '@waystation/contract/people/account.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/**
 * The actor's own account and the accounts that the actor manages, read within the caller's scope.
 * Keys are read as the system afterwards, because a key may be made by somebody above the reader.
 */
export const accountsOf = async (work: ReaderWork): Promise<number[]> => {
  const { actor } = work;
  const { rows } = await sql<{ id: number }>`select r.id from accounts r
    where r.id = ${actor.account_id} or (${scopeCondition(callerOf(actor), 'r.station_id')}
      and r.role = any(${rolesBelow(actor.role) as string[]}::text[]))`.execute(work.tx);
  return rows.map(({ id }) => id);
};
