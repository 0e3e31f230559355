import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareHeads, openDb, silentLog, sql, systemScope, writeHeads } from '@waystation/server/testing/product.ts';
import type { Tx } from '@waystation/server/testing/product.ts';
import { rehash, rewriteTopUp } from '@waystation/server/testing/rewrite.ts';
import type { Scene } from '@waystation/server/testing/scene.ts';
import type { Attack } from './attack.ts';

const scope = systemScope('attack');

/** As a superuser of the database, with every trigger and constraint off. */
const asSuperuser = async (scene: Scene, work: (tx: Tx) => Promise<void>): Promise<void> => {
  const owner = openDb({ connection: scene.database.owner, max: 1, log: silentLog() });
  try {
    await owner.tx(scope, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await work(tx);
    });
  } finally {
    await owner.close();
  }
};

const proof = async (scene: Scene, full: boolean): Promise<boolean> =>
  (await scene.call<{ ok: boolean }>(await scene.login('super'), 'GET', `/api/arco/ledger/proof${full ? '?full=1' : ''}`)).data.ok;

/** Heads and lines of the file that are not those of the chains. */
const unlike = async (scene: Scene, file: string): Promise<number> => {
  const { astray, broken, heads } = await compareHeads(scene.app.db, file);
  if (heads === 0) throw new Error('no heads were written');
  return astray.length + broken.length;
};

export const evidenceAttacks: readonly Attack[] = [
  {
    name: 'a superuser rewrites a top-up with its entries, balances and hashes, and lets the full proof launder it',
    run: async (scene, judge) => {
      const { id } = scene.station('tianhe');
      await scene.topUp('tianhe', 5_000);
      judge(await proof(scene, true), 'the books do not hold before the attack');
      await asSuperuser(scene, async (tx) => {
        await rewriteTopUp(tx, id, 1_000);
        await rehash(tx, { checkpoints: false });
      });
      for (const full of [false, true, true, false]) judge(!(await proof(scene, full)), `the ${full ? 'full' : 'incremental'} proof holds`);
      await asSuperuser(scene, async (tx) => {
        await rewriteTopUp(tx, id, -1_000);
        await rehash(tx, { checkpoints: false });
      });
      judge(await proof(scene, true), 'the books do not hold after the attack was taken back');
    },
  },
  {
    name: 'a superuser rewrites the history whole, checkpoints included, below a head that was written outside',
    run: async (scene, judge) => {
      const folder = mkdtempSync(join(tmpdir(), 'attack-heads-'));
      const file = join(folder, 'heads.jsonl');
      try {
        const { id } = scene.station('pudong');
        await scene.topUp('pudong', 5_000);
        await writeHeads(scene.app.db, file, new Date());
        judge((await unlike(scene, file)) === 0, 'the heads do not hold before the attack');
        await asSuperuser(scene, async (tx) => {
          await rewriteTopUp(tx, id, 1_000);
          await rehash(tx, { checkpoints: true });
        });
        judge((await unlike(scene, file)) > 0, 'the heads outside hold against the rewritten history');
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
];
