import { join } from 'node:path';
import pg from 'pg';
import { fill } from '@waystation/contract/base/fill.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { settings } from '@waystation/contract/shell/settings.ts';
import type { Health } from '@waystation/contract/shell/health.ts';
import type { App } from '#app.ts';
import { ConfigError } from '#config.ts';
import { assertAppRole } from '#connections.ts';
import type { Connections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';
import { newestHeads } from '#domain/ledger/heads.ts';
import { blockedStations, lastProof } from '#domain/ledger/ledger.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { readSchema } from '#platform/db/migrate.ts';
import { systemScope } from '#platform/db/scope.ts';
import { isDiskFull, readDisks } from '#platform/disks.ts';
import { readSetting } from '#platform/settings.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';
import { keyInForce, otherKey } from '#platform/secrets/secret-keys.ts';
import { oldArchives } from '#platform/wal/old-archives.ts';
import { walState } from '#platform/wal/wal-state.ts';

const scope = systemScope('doctor');

/** One result of a check: `ok`, `look` (worth a look), or `bad` (must be corrected). */
interface Finding {
  level: 'ok' | 'look' | 'bad';
  text: string;
}

const ok = (text: string): Finding => ({ level: 'ok', text });
const look = (text: string): Finding => ({ level: 'look', text });
const bad = (text: string): Finding => ({ level: 'bad', text });

type Check = (app: App, connections: Connections) => Promise<Finding[]>;

/**
 * Returns the port at our end of a connection. If a pooler or a proxy is between this program and
 * PostgreSQL, PostgreSQL sees a different port.
 */
const localPort = (client: pg.Client): number | undefined =>
  (client as unknown as { connection: { stream: { localPort?: number } } }).connection.stream
    .localPort;

/** Checks the server's version and clock, and whether the connection is direct. */
const checkServer = async (who: string, connection: pg.ClientConfig): Promise<Finding[]> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    const before = Date.now();
    await client.connect();
    const { rows } = await client.query<{
      version: string;
      no: number;
      at: Date;
      port: number | null;
      standby: boolean;
    }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as no,
         clock_timestamp() as at, inet_client_port() as port, pg_is_in_recovery() as standby`,
    );
    const { version, no, at, port, standby } = firstOf(rows);
    const off = Math.max(before - at.getTime(), at.getTime() - Date.now());
    const through = port !== null && localPort(client) !== undefined && port !== localPort(client);
    return [
      no >= 150_000
        ? ok(`PostgreSQL ${version} as ${who}.`)
        : bad(`PostgreSQL ${version} is too old: 15 is the oldest that works.`),
      ...(standby ? [bad(`The database of ${who} is a standby, which takes no changes.`)] : []),
      off < 2_000
        ? ok('The clocks of this machine and of the database agree.')
        : bad(
            `The clocks of this machine and of the database differ by ${Math.round(off / 1_000)} s.`,
          ),
      ...(through
        ? [look(`A proxy or pooler is between this machine and PostgreSQL (${who}).`)]
        : []),
    ];
  } catch (error) {
    return [bad(`The database cannot be reached as ${who}: ${(error as Error).message}`)];
  } finally {
    await client.end().catch(() => {});
  }
};

const checkMigrations: Check = async ({ db }) => {
  const { migrations, sql: files } = readSchema(join(import.meta.dirname, '..', '..'));
  const { applied, edition } = await db.tx(scope, (work) =>
    oneRow(
      work,
      sql<{ applied: string[]; edition: number }>`select
        array(select name from schema_migrations) as applied,
        (select coalesce(max(edition), 0) from schema_sql) as edition`,
    ),
  );
  const pending = migrations.filter(({ name }) => !applied.includes(name));
  const newer = applied.filter((name) => !migrations.some((one) => one.name === name));
  if (newer.length > 0)
    return [bad(`The database is of a newer version (${newer[0]}): start that version.`)];
  if (pending.length > 0 || edition < files.edition)
    return [
      look(
        `${fill('{n|migration is|migrations are}', { n: pending.length })} pending, functions of edition ${edition} of ${files.edition}: run "migrate".`,
      ),
    ];
  return [ok(`The database is up to date (edition ${edition}).`)];
};

const checkRole: Check = ({ db }) =>
  assertAppRole(db).then(
    () => [ok('The application role is bound by row-level security and owns no table.')],
    (error: unknown) => {
      if (error instanceof ConfigError) return [bad(error.message)];
      throw error;
    },
  );

const checkKey: Check = async ({ db, config }) => {
  const ours = fingerprintOf(config.secretKey);
  const known = await db.tx(scope, keyInForce);
  if (known === null) return [look(`The secret key is ${ours}; the next start records it.`)];
  return known.fingerprint === ours
    ? [ok(`The secret key is ${ours}, in force since ${known.began_at.toISOString()}.`)]
    : [bad(otherKey(known.fingerprint, ours))];
};

const checkDisks: Check = async ({ config }) =>
  (await readDisks(config)).map((disk) => {
    if (disk.free === null) return bad(`${disk.place} does not answer.`);
    const text = `${disk.place} has ${(disk.free / 1e9).toFixed(1)} GB free.`;
    return isDiskFull(disk) ? bad(text) : ok(text);
  });

const checkHeads: Check = async ({ db, config }) => {
  if (config.headsFile === null)
    return [look('No heads are written (WAYSTATION_HEADS_FILE is off).')];
  const { read, faults } = await newestHeads(db, config.headsFile);
  if (faults.length > 0) return faults.map((fault) => bad(`The heads file ${fault}.`));
  const last = read?.last;
  if (!last) return [look('No head was written yet.')];
  const text = `Heads were last written at ${last.at}.`;
  return [Date.now() - new Date(last.at).getTime() > 3_600_000 ? look(text) : ok(text)];
};

const checkLedger: Check = async ({ db }) => {
  const [proof, blocked] = await db.tx(scope, async (work) => [
    await lastProof(work, { whole: true }),
    await blockedStations(work),
  ]);
  return [
    proof === null
      ? look('The whole ledger was never checked.')
      : (proof.ok ? ok : bad)(
          `The full ledger check of ${proof.at.toISOString()} ${proof.ok ? 'passed' : 'failed'}.`,
        ),
    ...(blocked.length > 0
      ? [bad(`Payments are suspended of ${fill('{n|station|stations}', { n: blocked.length })}.`)]
      : []),
  ];
};

const checkJobs: Check = async ({ db }) => {
  const { failed, late, workers } = await db.tx(scope, (work) =>
    oneRow(
      work,
      sql<{ failed: number; late: number; workers: number }>`select
        count(*) filter (where attempts >= max_attempts)::int as failed,
        count(*) filter (where attempts < max_attempts and locked_at is null
          and run_at < now() - interval '5 minutes')::int as late,
        (select count(*) from worker_heartbeats
          where seen_at > now() - interval '1 minute')::int as workers
        from graphile_worker._private_jobs`,
    ),
  );
  return [
    workers > 0 ? ok(`Workers alive: ${workers}.`) : bad('No worker is alive: jobs wait.'),
    late > 0
      ? bad(`Jobs that have waited for more than 5 minutes: ${late}.`)
      : ok('No job is late.'),
    ...(failed > 0 ? [look(`Jobs that were given up: ${failed}.`)] : []),
  ];
};

const checkBackups: Check = async ({ db, config }) => {
  const { finished, verified, generation, installation } = await db.tx(scope, (work) =>
    oneRow(
      work,
      sql<{
        finished: Date | null;
        verified: Date | null;
        generation: number;
        installation: number;
      }>`select
        (select max(finished_at) from backups) as finished,
        (select max(verified_at) from backups) as verified,
        (select coalesce(max(no), 0) from number_generations) as generation,
        present_installation() as installation`,
    ),
  );
  const days = (at: Date): number => (Date.now() - at.getTime()) / 86_400_000;
  const said = (what: string, at: Date | null, most: number): Finding =>
    at === null
      ? look(`No ${what} is known.`)
      : (days(at) > most ? bad : ok)(`Last ${what}: ${at.toISOString()}.`);
  return [
    said('backup', finished, 1.5),
    said('verified restore', verified, 15),
    ...(config.backupDir === null
      ? [look('No backups are scheduled (WAYSTATION_BACKUP_DIR).')]
      : []),
    ok(`Numbers are of installation ${installation}, generation ${generation}.`),
  ];
};

export const testRestoreFinding = (
  {
    began_at,
    verified_at,
    problem,
  }: Pick<NonNullable<Health['wal']>, 'began_at' | 'verified_at' | 'problem'>,
  now: Date,
): Finding => {
  const since = verified_at ?? began_at;
  if (since === null)
    return look(
      'It is unknown when a test restore was verified: the archive cannot be read, or is empty.',
    );
  const last = verified_at === null ? 'never verified' : `last verified at ${verified_at}`;
  const text = `A test restore of the archive was ${last}`;
  if (problem !== null) return bad(`${text}, and failed since: ${problem}`);
  const isOld = now.getTime() - Date.parse(since) > 15 * 86_400_000;
  return (isOld ? bad : verified_at === null ? look : ok)(`${text}.`);
};

/** Checks the WAL archive of this product or of an external database server. */
const checkWal: Check = async ({ db, config, clock }) => {
  const wal = await db.tx(scope, (work) => walState(work, config, clock.now()));
  if (wal === null)
    return [
      look(
        config.databaseUrl === null
          ? 'The log is not archived (WAYSTATION_WAL_DIR): only backups can be restored.'
          : 'The server does not archive its log (archive_mode): only backups can be restored.',
      ),
    ];
  const text = `The log was last archived at ${wal.archived_at ?? 'no known time'}, with ${fill('{n|failure|failures}', { n: wal.failures })}${wal.failed_at === null ? '' : `, the last at ${wal.failed_at} and since then nothing`}.`;
  return [
    (wal.stopped === 1 ? bad : wal.failed_at === null ? ok : look)(text),
    ...(wal.own === 0
      ? []
      : wal.base_at === null
        ? [look('No base copy can be seen in the log archive.')]
        : wal.from_at === null
          ? [
              look(
                `A part of the log after the base copy of ${wal.base_at} is missing: the next copy is due.`,
              ),
            ]
          : [
              ok(`Moments from ${wal.from_at} on can be restored; last base copy: ${wal.base_at}.`),
            ]),
    ...(wal.own === 0 ? [] : [testRestoreFinding(wal, clock.now())]),
    ...(await oldArchives(config, clock.now())).map(({ folder, last_at }) =>
      look(
        `The archive ${folder} ended at ${last_at.toISOString()}, and no kept day needs it: remove it with "backup --remove ${folder}".`,
      ),
    ),
  ];
};

const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host);

/**
 * Finds administrators without two-factor authentication, and reports whether a setting requires
 * it.
 */
const secondFactorFindings = async (db: Db): Promise<Finding[]> => {
  const { all, bare, duty } = await db.tx(scope, async (work) => ({
    ...(await oneRow(
      work,
      sql<{ all: number; bare: number }>`select count(*)::int as all,
          count(*) filter (where f.confirmed_at is null)::int as bare
        from accounts a left join two_factor_secrets f on f.account_id = a.id
        where a.status = 1 and a.role in ('super', 'admin')`,
    )),
    duty: await readSetting(work, 'second_factor_for'),
  }));
  if (all === 0) return [];
  const rule = `the setting "${settings.second_factor_for.en}" is ${duty}`;
  if (bare === 0)
    return [
      (duty === 'nobody' ? look : ok)(
        `All accounts of super and admin have two-factor authentication; ${rule}.`,
      ),
    ];
  const who = `${bare} of ${fill('{n|account|accounts}', { n: all })} of super and admin`;
  return [look(`${who} ${bare === 1 ? 'is' : 'are'} without two-factor authentication; ${rule}.`)];
};

/**
 * Checks a real installation for HTTP without TLS, and for administrators without two-factor
 * authentication.
 */
const checkDoors: Check = async ({ db, config: { demo, host, trustProxy } }) => {
  if (demo) return [];
  return [
    ...(trustProxy === false && !isLoopback(host)
      ? [
          look(
            `The server speaks plain HTTP on ${host}, and no proxy is trusted: put TLS in front of it (WAYSTATION_HOST, WAYSTATION_TRUST_PROXY).`,
          ),
        ]
      : []),
    ...(await secondFactorFindings(db)),
  ];
};

const checkReplica: Check = async ({ config }) => {
  if (config.readDatabaseUrl === null) return [];
  const client = new pg.Client({
    connectionString: config.readDatabaseUrl,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean; behind: number | null }>(
      `select pg_is_in_recovery() as standby,
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
           else extract(epoch from now() - pg_last_xact_replay_timestamp())::float end as behind`,
    );
    const { standby, behind } = firstOf(rows);
    if (!standby) return [look('The replica is a primary.')];
    const text = `The replica is ${behind === null ? 'behind by an unknown time' : `${behind.toFixed(1)} s behind`}.`;
    return [behind === null || behind * 1_000 > config.readLagMs ? bad(text) : ok(text)];
  } catch (error) {
    return [bad(`The replica cannot be reached: ${(error as Error).message}`)];
  } finally {
    await client.end().catch(() => {});
  }
};

const signs: Record<Finding['level'], string> = { ok: 'ok   ', look: 'look ', bad: 'BAD  ' };

/**
 * `doctor` checks everything that a running installation needs, and changes nothing. The exit code
 * is 1 if a finding is bad.
 */
export const doctorCommand = async (app: App, connections: Connections): Promise<CommandResult> => {
  const found = [
    ok(`Waystation on Node ${process.versions.node}.`),
    ...(await checkServer('the application', connections.app)),
    ...(connections.owner
      ? (await checkServer('the owner', connections.owner)).filter(({ level }) => level !== 'ok')
      : [look('The owner of the database is not known here (DATABASE_URL).')]),
  ];
  const isBad = (): boolean => found.some(({ level }) => level === 'bad');
  const run = async (checks: readonly Check[]): Promise<void> => {
    for (const check of checks) found.push(...(await check(app, connections)));
  };
  if (!isBad()) {
    await run([checkMigrations]);
    const upToDate = found.at(-1)?.level === 'ok';
    await run([checkRole, checkReplica]);
    // These checks read tables that a pending migration may create.
    if (upToDate)
      await run([checkKey, checkDoors, checkJobs, checkLedger, checkHeads, checkBackups, checkWal]);
  }
  await run([checkDisks]);
  return {
    text: found.map(({ level, text }) => `${signs[level]}${text}`).join('\n'),
    code: isBad() ? 1 : 0,
  };
};
