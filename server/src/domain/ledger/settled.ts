import { setTimeout as wait } from 'node:timers/promises';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

const scope = systemScope('postings under way');

const pollMs = 50;
const polls = 600;

/**
 * The newest transfer for which all earlier transfers are committed. Waits for the running
 * postings, and does not block new ones.
 */
export const settledUpTo = async (db: Db): Promise<number> => {
  const { newest, running } = await db.tx(scope, async (work) => {
    const row = await oneRow(
      work,
      sql<{ newest: number }>`select coalesce(max(id), 0) as newest
      from ledger_transfers`,
    );
    // The running postings are read after the newest id, because a posting takes its lock before it
    // gets its id.
    return { newest: row.newest, running: await postingsNow(work) };
  });
  const left = new Set(running);
  for (let n = 1; left.size > 0; n++) {
    if (n === polls) fail('unavailable');
    await wait(pollMs);
    const now = new Set(await db.tx(scope, postingsNow));
    for (const one of left) if (!now.has(one)) left.delete(one);
  }
  return newest;
};

const postingsNow = async (work: Work): Promise<string[]> =>
  (await oneRow(work, sql<{ running: string[] }>`select ledger_postings_now() as running`)).running;
