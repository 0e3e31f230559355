import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compareHeads,
  openDb,
  silentLog,
  sql,
  systemScope,
  writeHeads,
} from '@waystation/server/testing/product.ts';
import type { Work } from '@waystation/server/testing/product.ts';
import { rehash, rewriteTopUp } from '@waystation/server/testing/rewrite.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';

const scope = systemScope('attack');

/**
 * Calls `run` as a superuser of the database while every trigger and constraint is switched off.
 */
const asSuperuser = async (
  system: TestSystem,
  run: (work: Work) => Promise<void>,
): Promise<void> => {
  const owner = openDb({ connection: system.database.owner, max: 1, log: silentLog() });
  try {
    await owner.tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await run(work);
    });
  } finally {
    await owner.close();
  }
};

const proof = async (system: TestSystem, full: boolean): Promise<boolean> =>
  (
    await system.call<{ ok: boolean }>(
      await system.login('super'),
      'GET',
      `/api/arco/ledger/proof${full ? '?full=1' : ''}`,
    )
  ).data.ok;

/** Counts the heads and lines in the file that do not match the hash chains. */
const unlike = async (system: TestSystem, file: string): Promise<number> => {
  const { astray, broken, heads } = await compareHeads(system.app.db, file);
  if (heads === 0) throw new Error('no heads were written');
  return astray.length + broken.length;
};

export const evidenceAttacks: readonly Attack[] = [
  {
    name: 'a superuser rewrites a top-up with its entries, balances and hashes, and lets the full proof launder it',
    run: async (system, judge) => {
      const { id } = system.station('tianhe');
      await system.topUp('tianhe', 5_000);
      judge(await proof(system, true), 'the books do not hold before the attack');
      await asSuperuser(system, async (work) => {
        await rewriteTopUp(work, id, 1_000);
        await rehash(work, { checkpoints: false });
      });
      for (const full of [false, true, true, false])
        judge(!(await proof(system, full)), `the ${full ? 'full' : 'incremental'} proof holds`);
      await asSuperuser(system, async (work) => {
        await rewriteTopUp(work, id, -1_000);
        await rehash(work, { checkpoints: false });
      });
      judge(await proof(system, true), 'the books do not hold after the attack was taken back');
    },
  },
  {
    name: 'a superuser rewrites the history whole, checkpoints included, below a head that was written outside',
    run: async (system, judge) => {
      const folder = mkdtempSync(join(tmpdir(), 'attack-heads-'));
      const file = join(folder, 'heads.jsonl');
      try {
        const { id } = system.station('pudong');
        await system.topUp('pudong', 5_000);
        await writeHeads(system.app.db, file, new Date());
        judge((await unlike(system, file)) === 0, 'the heads do not hold before the attack');
        await asSuperuser(system, async (work) => {
          await rewriteTopUp(work, id, 1_000);
          await rehash(work, { checkpoints: true });
        });
        judge(
          (await unlike(system, file)) > 0,
          'the heads outside hold against the rewritten history',
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
];
