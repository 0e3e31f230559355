import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { itDaily, rounds } from '#testing/slices.ts';
import { EmbeddedError, runningEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
import type { EmbeddedPostgres } from './embedded.ts';
import { orphansOf } from './postmaster-file.ts';
import { rotateLog } from './postmaster.ts';
import { ask, askUntilUp, killed, startSupervisor, trialFolder } from './trial.ts';

const log = silentLog();
let trial: ReturnType<typeof trialFolder>;
let running: { stop(): Promise<unknown> }[];

beforeEach(() => {
  trial = trialFolder();
  running = [];
});
afterEach(async () => {
  for (const one of running.toReversed()) await one.stop();
  trial.remove();
});

/**
 * The folder of a cluster that was created once. Starting on a copy of it takes half of the time of
 * a first start.
 */
let made: ReturnType<typeof trialFolder>;
beforeAll(async () => {
  made = trialFolder();
  await (await startEmbeddedPostgres({ dataDir: made.dataDir, log })).stop();
});
afterAll(() => made.remove());
const copyMade = (dataDir: string): void => {
  const place = join(dataDir, 'postgres');
  if (existsSync(place)) return;
  cpSync(join(made.dataDir, 'postgres'), place, { recursive: true });
  chmodSync(place, 0o700);
};

/** Makes the first start on a data directory, which creates the cluster. */
const startFirst = async (): Promise<EmbeddedPostgres> => {
  const up = await startEmbeddedPostgres({ dataDir: trial.dataDir, log });
  running.push(up);
  return up;
};
const start = async (): Promise<EmbeddedPostgres> => {
  copyMade(trial.dataDir);
  return startFirst();
};
const supervise = async () => {
  copyMade(trial.dataDir);
  const supervisor = await startSupervisor(trial.dataDir);
  if (supervisor.report.problem !== undefined) throw new Error(supervisor.report.problem);
  running.push({ stop: () => killed(supervisor.process, 'SIGTERM') });
  return { process: supervisor.process, ...supervisor.report };
};
const cluster = (): string => join(trial.dataDir, 'postgres');
const one = async (up: EmbeddedPostgres, text: string) => (await ask(up.connection, text))[0];
const writeRow = (up: Pick<EmbeddedPostgres, 'connection'>) =>
  ask(up.connection, 'create table kept as select 42 as answer');
const exitOf = (up: EmbeddedPostgres) => new Promise<string>((resolve) => up.onExit(resolve));

describe('the embedded PostgreSQL', () => {
  it('the embedded PostgreSQL keeps committed data after a power failure, allows 130 connections, and listens only on its owner’s socket', async () => {
    const up = await startFirst();
    const settings = await ask(
      up.connection,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'max_connections')`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      max_connections: '130',
    });
    expect(statSync(up.connection.host).mode & 0o777).toBe(0o700);
    expect(statSync(cluster()).mode & 0o777).toBe(0o700);
  });

  it('the embedded PostgreSQL can search for a part of a Chinese text', async () => {
    const up = await start();
    await ask(up.connection, 'create extension pg_trgm');
    expect(
      await one(
        up,
        `select cardinality(show_trgm('北京市朝阳区')) as parts, 'ß' ~ '[[:alpha:]]' as letter`,
      ),
    ).toEqual({ parts: 7, letter: true });
  });

  it('the embedded PostgreSQL keeps written data from one start to the next, and leaves no process and no socket behind', async () => {
    const first = await start();
    await writeRow(first);
    await first.stop();
    await first.stop();
    expect(existsSync(first.connection.host)).toBe(false);
    expect(existsSync(`/proc/${first.pid()}`)).toBe(false);
    expect(await one(await start(), 'select answer from kept')).toEqual({ answer: 42 });
  });

  itDaily(
    'the embedded PostgreSQL starts even if an earlier first start was interrupted',
    async () => {
      mkdirSync(`${cluster()}.new`, { recursive: true });
      writeFileSync(join(`${cluster()}.new`, 'PG_VERSION'), '18\n');
      expect(await one(await startFirst(), 'select 1 as works')).toEqual({ works: 1 });
      expect(readdirSync(trial.dataDir).filter((name) => name.includes('.new'))).toEqual([]);
    },
  );

  it('the embedded PostgreSQL can be stopped while it starts', async () => {
    const ending = new AbortController();
    const starting = startEmbeddedPostgres({ dataDir: trial.dataDir, log, signal: ending.signal });
    ending.abort();
    await expect(starting).rejects.toThrow('The start was aborted');
    expect(await runningEmbeddedPostgres(trial.dataDir)).toBeNull();
    expect(await one(await startFirst(), 'select 1 as works')).toEqual({ works: 1 });
  });

  it('the embedded PostgreSQL accepts extra settings, and a start with changed settings restarts the running server', async () => {
    const left = await supervise();
    await killed(left.process);
    const up = await startEmbeddedPostgres({
      dataDir: trial.dataDir,
      log,
      settings: { work_mem: '5MB' },
    });
    running.push(up);
    expect(up.pid()).not.toBe(left.pid);
    expect(await one(up, 'show work_mem')).toEqual({ work_mem: '5MB' });
  });

  it('other commands find the running embedded PostgreSQL by its data directory', async () => {
    expect(await runningEmbeddedPostgres(trial.dataDir)).toBeNull();
    const up = await start();
    expect(await runningEmbeddedPostgres(trial.dataDir)).toEqual(up.connection);
    await up.stop();
    expect(await runningEmbeddedPostgres(trial.dataDir)).toBeNull();
  });

  it('if the data directory was created by another PostgreSQL version, the embedded PostgreSQL does not start and explains the reason', async () => {
    await (await start()).stop();
    writeFileSync(join(cluster(), 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 17, and this version brings 18/);
  });

  it('the embedded PostgreSQL reports PostgreSQL’s message when it does not start', async () => {
    await (await start()).stop();
    writeFileSync(join(cluster(), 'postgresql.auto.conf'), "shared_buffers = 'plenty'\n");
    const problem = await start().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(EmbeddedError);
    expect((problem as Error).message).toMatch(/did not start \(.*postgres\.log/);
    rmSync(join(cluster(), 'postgresql.auto.conf'));
    expect(await one(await start(), 'select 1 as works')).toEqual({ works: 1 });
  });
});

describe('a second instance', () => {
  it('a second Waystation on the same data directory is refused with the process number of the first one, which continues', async () => {
    const first = await supervise();
    await expect(start()).rejects.toThrow(
      `Another Waystation (process ${first.process.pid}) is running on the data in ${trial.dataDir}: stop it, or start this one with another WAYSTATION_DATA and PORT.`,
    );
    expect(await ask(first.connection, 'select 1 as works')).toEqual([{ works: 1 }]);
  });

  itDaily(
    'two instances of the embedded PostgreSQL with different data directories run simultaneously',
    async () => {
      const first = await start();
      const other = trialFolder();
      const second = await startEmbeddedPostgres({ dataDir: other.dataDir, log });
      running.push({ stop: () => second.stop().then(other.remove) });
      await writeRow(first);
      await expect(one(second, 'select * from kept')).rejects.toThrow('does not exist');
    },
  );
});

describe('the embedded PostgreSQL after a kill', () => {
  it('PostgreSQL restarts after each kill, with every committed row', async () => {
    const up = await start();
    await ask(up.connection, 'create table counted (n int)');
    const kills = rounds(2, 5);
    for (let n = 1; n <= kills; n++) {
      await askUntilUp(up.connection, `insert into counted values (${n})`);
      const ended = exitOf(up);
      const pid = up.pid();
      process.kill(pid, 'SIGKILL');
      expect(await ended).toBe('SIGKILL');
      await expect.poll(() => up.pid()).not.toBe(pid);
    }
    expect(await askUntilUp(up.connection, 'select count(*) as n from counted')).toEqual([
      { n: kills },
    ]);
  });

  itDaily(
    'PostgreSQL restarts after a kill even if a running query keeps one of its processes alive',
    async () => {
      const up = await start();
      const busy = ask(
        up.connection,
        'select count(*) from generate_series(1, 100000000000)',
      ).catch(() => 'broken');
      const isBusy = `select 1 from pg_stat_activity where state = 'active' and query like '%generate_series%' and pid <> pg_backend_pid()`;
      await expect.poll(() => ask(up.connection, isBusy)).toHaveLength(1);
      process.kill(up.pid(), 'SIGKILL');
      expect(
        await askUntilUp(
          up.connection,
          `select count(*) as n from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`,
        ),
      ).toEqual([{ n: 0 }]);
      expect(await busy).toBe('broken');
    },
  );

  it('PostgreSQL continues after its supervisor is killed, and the next start uses the same process', async () => {
    const first = await supervise();
    await writeRow(first);
    await killed(first.process);
    expect(await ask(first.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    const second = await start();
    expect(second.pid()).toBe(first.pid);
    expect(second.connection).toEqual(first.connection);
  });

  itDaily(
    'a PostgreSQL that was taken over from a killed supervisor is restarted if it is killed too',
    async () => {
      const first = await supervise();
      await killed(first.process);
      const second = await start();
      const ended = exitOf(second);
      process.kill(second.pid(), 'SIGKILL');
      await ended;
      expect(await askUntilUp(second.connection, 'select 1 as works')).toEqual([{ works: 1 }]);
      await expect.poll(() => second.pid()).not.toBe(first.pid);
    },
  );

  it('after both the supervisor and PostgreSQL are killed, the next start has all committed data', async () => {
    const first = await supervise();
    await writeRow(first);
    await killed(first.process);
    process.kill(first.pid, 'SIGKILL');
    // The next start may find that the killed server still responds, and then continues with that
    // server.
    const next = await start();
    expect(await askUntilUp(next.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  itDaily(
    'if the supervisor is killed while PostgreSQL stops, the next start waits until PostgreSQL has stopped and starts it again',
    async () => {
      const first = await supervise();
      await writeRow(first);
      await killed(first.process);
      process.kill(first.pid, 'SIGINT');
      // The next start may come before the signal. It then continues with a server that is about to
      // end, and starts a new one afterwards.
      const { connection } = await start();
      expect(await askUntilUp(connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    },
  );

  itDaily(
    'if the folder with its socket is deleted, PostgreSQL is restarted with a new folder',
    async () => {
      const up = await start();
      rmSync(up.connection.host, { recursive: true });
      expect(await askUntilUp(up.connection, 'select 1 as works')).toEqual([{ works: 1 }]);
    },
  );
});

describe.runIf(process.platform === 'linux')('lock files that a killed server left', () => {
  /**
   * Leaves both lock files behind as a crash does, and writes the number of another process of
   * the same account into them.
   */
  const crashed = async (pid: number): Promise<void> => {
    const first = await supervise();
    await writeRow(first);
    await killed(first.process);
    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => orphansOf(cluster())).toEqual([]);
    for (const file of [
      join(cluster(), 'postmaster.pid'),
      join(first.connection.host, '.s.PGSQL.5432.lock'),
    ])
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(pid)));
  };
  /**
   * Starts a command as the account of the cluster, because PostgreSQL ignores processes of other
   * accounts.
   */
  const sameAccount = async (command: string) => {
    await (await start()).stop();
    const { uid, gid } = statSync(cluster());
    const child = spawn('/bin/sh', ['-c', command], {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    running.push({ stop: () => killed(child) });
    return child;
  };

  it('a lock file with the process number of another running program does not prevent the next start', async () => {
    const other = await sameAccount('exec sleep 100');
    await crashed(other.pid ?? 0);
    expect(await one(await start(), 'select answer from kept')).toEqual({ answer: 42 });
    expect(other.exitCode).toBeNull();
  });

  itDaily(
    'a lock file with the process number of a zombie process does not prevent the next start',
    async () => {
      const parent = await sameAccount('sleep 1 & echo $!; exec sleep 100');
      const zombie = Number(
        await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)),
      );
      await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z ');
      await crashed(zombie);
      expect(await one(await start(), 'select answer from kept')).toEqual({ answer: 42 });
    },
  );

  it('a lock file that was cut off by a full disk does not hinder the next start', async () => {
    await (await start()).stop();
    writeFileSync(join(cluster(), 'postmaster.pid'), '');
    expect(await one(await start(), 'select 1 as works')).toEqual({ works: 1 });
  });
});

describe('the log of PostgreSQL', () => {
  it('the log of PostgreSQL is limited to two files of 8 MB, and contains no text of a failing row or statement', async () => {
    const up = await start();
    await ask(up.connection, 'create table phones (phone text primary key)');
    await ask(up.connection, `insert into phones values ('13800000001')`);
    await expect(one(up, `insert into phones values ('13800000001')`)).rejects.toThrow(
      'duplicate key',
    );
    const file = join(trial.dataDir, 'postgres.log');
    expect(readFileSync(file, 'utf8')).toContain('duplicate key');
    expect(readFileSync(file, 'utf8')).not.toContain('13800000001');
    writeFileSync(file, Buffer.alloc(9 * 1024 * 1024, 'x'));
    expect(rotateLog(file)).toBe(0);
    expect(statSync(`${file}.1`).size).toBe(9 * 1024 * 1024);
  });
});
