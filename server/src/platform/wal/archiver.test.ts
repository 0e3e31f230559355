import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { archiveFolder, givenUp, startArchiver } from './archiver.ts';
import { answerIn, archiveCommand, restoreCommand } from './exchange.ts';
import type { Answer } from './exchange.ts';
import { archivedHeads } from './heads-copy.ts';
import { openWalFile, segmentBytes } from './wal-files.ts';
import { writeSettings } from '#platform/embedded/cluster.ts';
import { silentLog } from '#platform/log.ts';

const name = '000000010000000000000007';
let folder: string;
let cluster: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archiver-'));
  cluster = join(folder, 'data', 'postgres');
  mkdirSync(join(cluster, 'pg_wal', 'archive_status'), { recursive: true });
  writeFileSync(join(cluster, 'pg_wal', name), 'the log');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a shell command in the way PostgreSQL runs it; resolves with its exit code. */
const asked = (command: string, path = `pg_wal/${name}`): Promise<number | null> =>
  new Promise((resolve) => {
    const text = command.replaceAll('%f', name).replaceAll('%p', path);
    spawn('/bin/sh', ['-c', text], { cwd: cluster }).on('exit', resolve);
  });

const archiverWith = (limits: Parameters<typeof startArchiver>[2]) => {
  const config = {
    walDir: join(folder, 'archive'),
    dataDir: join(folder, 'data'),
    walSeconds: 60,
    backupKey: null,
    headsFile: join(folder, 'heads.jsonl'),
  };
  return startArchiver(config, silentLog(), limits).then((archiver) => ({
    ...archiver,
    stored: async () => join((await archiveFolder(config))!, name),
  }));
};

it('archiving the same log segment twice succeeds; if another segment with the same name comes, a new archive is started', async () => {
  const archiver = await archiverWith({});
  expect(await asked(archiveCommand)).toBe(0);
  const file = await archiver.stored();
  expect((await openWalFile(file, null)).toString()).toBe('the log');
  expect(await asked(archiveCommand)).toBe(0);
  writeFileSync(join(cluster, 'pg_wal', name), 'another log');
  expect(await asked(archiveCommand)).toBe(0);
  await archiver.stop();
  expect((await openWalFile(file, null)).toString()).toBe('the log');
  const other = await archiver.stored();
  expect(other).not.toBe(file);
  expect((await openWalFile(other, null)).toString()).toBe('another log');
  expect(readdirSync(join(cluster, 'waystation_wal'))).toEqual(['archive']);
});

it('if the folder of the log archive is missing, log files wait up to a limit, and then the oldest part of the log is dropped', async () => {
  const archiver = await archiverWith({ mostBytes: 2 * segmentBytes });
  expect(await asked(archiveCommand)).toBe(0);
  const file = await archiver.stored();
  renameSync(join(folder, 'archive'), join(folder, 'away'));
  const waits = (count: number): void => {
    for (let at = 0; at < count; at++)
      writeFileSync(join(cluster, 'pg_wal', 'archive_status', `${at}.ready`), '');
  };
  waits(2);
  expect(await asked(archiveCommand)).toBe(1);
  waits(3);
  expect(await asked(archiveCommand)).toBe(0);
  expect(existsSync(file)).toBe(false);
  await archiver.stop();
});

it('after “backup --remove” has removed the archive, a new archive begins; if only its folder is missing, archiving waits for the folder', async () => {
  mkdirSync(join(cluster, 'global'));
  writeFileSync(join(cluster, 'global', 'pg_control'), Buffer.from('0807060504030201', 'hex'));
  const archiver = await archiverWith({});
  expect(await asked(archiveCommand)).toBe(0);
  const before = dirname(await archiver.stored());
  expect(readFileSync(join(before, 'system-identifier'), 'utf8')).toBe('72623859790382856\n');
  rmSync(before, { recursive: true });
  expect(await asked(archiveCommand)).toBe(1);
  writeFileSync(`${before}.removed`, '');
  expect(await asked(archiveCommand)).toBe(0);
  await archiver.stop();
  expect(dirname(await archiver.stored())).not.toBe(before);
});

it('the heads file is archived in pieces beside the database log; a file with another beginning is archived separately', async () => {
  const archiver = await archiverWith({});
  const file = join(folder, 'heads.jsonl');
  const written = ['first', 'other'].map((word) => `${word} line `.repeat(30));
  const kept = async (): Promise<string[]> => {
    expect(await asked(archiveCommand)).toBe(0);
    const into = join(folder, 'into');
    const texts: string[] = [];
    for (const write of await archivedHeads(dirname(await archiver.stored()), null)) {
      await write(into);
      texts.push(readFileSync(into, 'utf8'));
    }
    return texts.toSorted();
  };
  expect(await kept()).toEqual([]);
  writeFileSync(file, written[0]!);
  expect(await kept()).toEqual([written[0]]);
  appendFileSync(file, 'more');
  expect(await kept()).toEqual([`${written[0]}more`]);
  writeFileSync(file, written[1]!);
  expect(await kept()).toEqual([`${written[0]}more`, written[1]]);
  await archiver.stop();
});

it('if the disk of the log archive is nearly full, part of the database log is dropped only when several log files wait', async () => {
  const archiver = await archiverWith({ leastFreeBytes: Infinity });
  writeFileSync(join(folder, 'archive'), 'no folder');
  const waits = (count: number): void => {
    for (let at = 0; at < count; at++)
      writeFileSync(join(cluster, 'pg_wal', 'archive_status', `${at}.ready`), '');
  };
  const before = givenUp.parts;
  waits(3);
  expect(await asked(archiveCommand)).toBe(1);
  expect(givenUp.parts).toBe(before);
  waits(4);
  expect(await asked(archiveCommand)).toBe(0);
  expect(givenUp.parts).toBe(before + 1);
  await archiver.stop();
});

it('if the folder of the log archive does not respond in time, archiving fails, and above the size limit the oldest waiting part is dropped', async () => {
  const archiver = await archiverWith({ mostBytes: segmentBytes, longestMs: 200 });
  expect(await asked(archiveCommand)).toBe(0);
  const file = await archiver.stored();
  rmSync(file);
  execFileSync('mkfifo', [file]);
  const ready = (at: number): void =>
    writeFileSync(join(cluster, 'pg_wal', 'archive_status', `${at}.ready`), '');
  ready(1);
  expect(await asked(archiveCommand)).toBe(1);
  ready(2);
  expect(await asked(archiveCommand)).toBe(0);
  await archiver.stop();
  // Ends the read that hangs.
  writeFileSync(file, '');
});

it('the archive command does not write through a symbolic link, and does not archive a symbolic link', async () => {
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'of root');
  const exchange = join(cluster, 'waystation_wal');
  mkdirSync(exchange);
  symlinkSync(outside, join(exchange, `${name}.part`));
  const archiver = await archiverWith({});
  expect(await asked(archiveCommand)).toBe(0);
  rmSync(join(cluster, 'pg_wal', name));
  symlinkSync(outside, join(cluster, 'pg_wal', name));
  expect(await asked(archiveCommand)).toBe(1);
  await archiver.stop();
  expect(readFileSync(outside, 'utf8')).toBe('of root');
  symlinkSync(outside, join(cluster, 'waystation.conf.new'));
  await writeSettings(cluster, {}, null);
  expect(readFileSync(outside, 'utf8')).toBe('of root');
});

it('after the secret key has changed, the database log goes to a new archive, so that one key can open all files of an archive', async () => {
  const config = {
    walDir: join(folder, 'archive'),
    dataDir: join(folder, 'data'),
    walSeconds: 60,
    headsFile: null,
  };
  for (const backupKey of [null, Buffer.alloc(32, 1), Buffer.alloc(32, 1)]) {
    const archiver = await startArchiver({ ...config, backupKey }, silentLog());
    expect(await asked(archiveCommand)).toBe(0);
    await archiver.stop();
    const file = join((await archiveFolder({ ...config, backupKey }))!, name);
    expect((await openWalFile(file, backupKey)).toString()).toBe('the log');
  }
  expect(readdirSync(join(folder, 'archive'))).toHaveLength(2);
});

it('if a log segment is archived, the recovery receives it; if it is missing, the log ends; if it is damaged, the recovery fails', async () => {
  const answers = [
    { mark: 'done' as const, bytes: Buffer.from('restored') },
    { mark: 'failed' as const },
    { mark: 'bad' as const },
  ];
  const exchange = answerIn(cluster, 5, async () => answers.shift()!);
  expect(await asked(restoreCommand, 'pg_wal/RECOVERYXLOG')).toBe(0);
  expect(readFileSync(join(cluster, 'pg_wal', 'RECOVERYXLOG'), 'utf8')).toBe('restored');
  expect(await asked(restoreCommand)).toBe(1);
  expect(await asked(restoreCommand)).toBe(200);
  await exchange.stop();
});

it('if no process answers the recovery or the answer cannot be written, the recovery fails and does not treat the log as complete', async () => {
  const soon = restoreCommand.replace('-gt 3000', '-gt 1');
  expect(soon).not.toBe(restoreCommand);
  expect(await asked(soon)).toBe(200);
  let answer: Answer = { mark: 'done', bytes: Buffer.from('restored') };
  const exchange = answerIn(cluster, 5, async () => answer);
  expect(await asked(restoreCommand, 'no-folder/RECOVERYXLOG')).toBe(200);
  const part = join(cluster, 'waystation_wal', `${name}.part`);
  // These bytes cannot be written, which simulates a full disk.
  answer = { mark: 'done', bytes: 1 as unknown as Buffer };
  expect(await asked(restoreCommand)).toBe(200);
  expect(existsSync(part)).toBe(false);
  await exchange.stop();
});

it('if no process answers the archive command of the database in time, the command fails and leaves no file behind', async () => {
  const soon = archiveCommand.replace('-gt 40', '-gt 1');
  expect(soon).not.toBe(archiveCommand);
  expect(await asked(soon)).toBe(1);
  expect(readdirSync(join(cluster, 'waystation_wal'))).toEqual([]);
});
