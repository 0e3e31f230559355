import { argon2Sync, randomBytes } from 'node:crypto';
import { createApp } from '#app.ts';
import type { Config } from '#config.ts';
import { buildNetwork } from '#features/demo/network.ts';
import type { DemoNetwork } from '#features/demo/network.ts';
import { systemClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { appRole, copyTemplate, ensureTemplate, templateDatabase } from './cluster.ts';
import type { TestDatabase } from './cluster.ts';

/**
 * Returns a hash with the format of `hashPassword` that can be checked almost immediately. With
 * real hashes, a thousand logins of tests would take half a minute.
 */
export const quickHash = (password: string): string => {
  const nonce = randomBytes(16);
  const profile = { parallelism: 1, tagLength: 32, memory: 8, passes: 1 };
  const hash = argon2Sync('argon2id', { message: password.normalize('NFKC'), nonce, ...profile });
  return ['argon2id', 8, 1, 1, nonce.toString('base64url'), hash.toString('base64url')].join('$');
};

/**
 * The id of this run of the tests. The network templates of a run are dropped at its end
 * (global-setup.ts).
 */
const run = (process.env['WAYSTATION_TEST_RUN'] ??= `${process.pid}_${Date.now()}`);

/**
 * Copies the example network into a separate database. The network was set up a day before `clock`.
 * With the real clock, it was set up a day before the first copy of this run. `settings` contains
 * the secret key of all tests.
 */
export const copyNetwork = async (
  settings: Config,
  clock: Clock,
): Promise<{ database: TestDatabase; network: DemoNetwork }> => {
  const since = new Date(clock.now().getTime() - 86_400_000);
  const name = `network_${run}_${clock === systemClock ? 'now' : since.getTime()}`;
  const from = await templateDatabase();
  const network = await ensureTemplate(
    name,
    async (owner) => {
      const app = createApp(settings, { ...owner, user: appRole.name }, silentLog(), clock);
      const built = await app.db.tx(systemScope('test network'), async (work) => {
        const made = await buildNetwork(app, work, since);
        // Clerks may export in this network, because tests check the content of an export for each
        // role. The tests of accounts check that clerks may not export by default.
        await sql`update accounts set may_export = 1,
          password_hash = case when password_hash = (select password_hash from accounts
            where id = ${made.office}) then ${quickHash(settings.demoPassword)}
          else password_hash end`.execute(work.tx);
        return made;
      });
      await app.close();
      return built;
    },
    { from },
  );
  return { database: await copyTemplate(name), network };
};
