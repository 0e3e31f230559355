import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { oldArchives, removeArchive } from './old-archives.ts';

const [ownName, oldName] = ['20261120T000000Z-0a1b', '20261101T000000Z-00ff'];
const now = new Date('2026-11-29T12:00:00Z');
const day = 86_400_000;
const segment = '000000010000000000000001';
let folder: string;
let walDir: string;
let old: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'old-archives-'));
  walDir = join(folder, 'archive');
  const exchange = join(folder, 'data', 'postgres', 'waystation_wal');
  mkdirSync(exchange, { recursive: true });
  writeFileSync(join(exchange, 'archive'), `${ownName} none`);
  fill(ownName, 0);
  old = fill(oldName, 8);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a log archive with one base copy, whose files are `days` days old. */
const fill = (name: string, days: number): string => {
  const into = join(walDir, name);
  const base = 'base-20261121T000000Z';
  const files = {
    [segment]: 'x',
    [base]: 'x',
    [`${base}.json`]: JSON.stringify({
      format: 1,
      name: base,
      at: '2026-11-21T00:00:00.000Z',
      from: segment,
      to: segment,
    }),
    'heads-0123456789abcdef-000000000000000': 'x',
    'test-restore.json': JSON.stringify({
      format: 1,
      at: '2026-11-22T00:00:00.000Z',
      problem: null,
      verified_at: '2026-11-22T00:00:00.000Z',
    }),
    'system-identifier': '7301234567890123456\n',
    '000000010000000000000002.part': 'x',
  };
  mkdirSync(into, { recursive: true });
  const at = new Date(now.getTime() - days * day);
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(into, file), text);
    utimesSync(join(into, file), at, at);
  }
  return into;
};

const config = () => ({
  walDir,
  walDays: 7,
  walSeconds: 60,
  dataDir: join(folder, 'data'),
  backupKey: null,
  headsFile: null,
});
const refused = (target: string, sentence: RegExp) =>
  expect(removeArchive(config(), target, now)).rejects.toThrow(sentence);

it('a log archive of an earlier database is reported as old after the retention period, and can be removed completely', async () => {
  expect(await oldArchives(config(), now)).toMatchObject([{ folder: old }]);
  expect(await removeArchive(config(), old, now)).toMatchObject({ files: 7 });
  expect(existsSync(old)).toBe(false);
  expect(readdirSync(walDir)).toEqual([`${oldName}.removed`, ownName]);
  expect(await oldArchives(config(), now)).toEqual([]);
});

it('an old log archive is not reported as old, and its removal is refused, if it was written within the retention period', async () => {
  const at = new Date(now.getTime() - 6 * day);
  utimesSync(join(old, segment), at, at);
  expect(await oldArchives(config(), now)).toEqual([]);
  await refused(old, /was written until 2026-11-23.*Remove it after 2026-11-30T12:00:00\.000Z\.$/);
});

it('the current log archive is never removed, and an old archive is kept until the current archive can be used for a restore', async () => {
  await refused(join(walDir, ownName), /is the archive of this database/);
  rmSync(join(walDir, ownName, segment));
  writeFileSync(join(walDir, ownName, segment.replace(/1$/, '3')), 'x');
  expect(await oldArchives(config(), now)).toEqual([]);
  await refused(old, /is verified yet: make a base copy/);
});

it('a folder is not removed if it is no log archive of this installation, or if it contains another program’s file', async () => {
  await refused(folder, /is no archive in/);
  await refused(join(walDir, '..', 'data'), /is no archive in/);
  await refused(join(walDir, '20260101T000000Z-0000'), /There is no folder/);
  writeFileSync(join(old, 'notes.txt'), 'x');
  await refused(old, /notes\.txt is no file of an archive: nothing is removed/);
  expect(readdirSync(old)).toHaveLength(8);
});

it('a log archive of another or an unknown database is not reported as old, and its removal is refused', async () => {
  for (const text of ['7309999999999999999\n', '']) {
    writeFileSync(join(old, 'system-identifier'), text);
    const at = new Date(now.getTime() - 8 * day);
    utimesSync(join(old, 'system-identifier'), at, at);
    expect(await oldArchives(config(), now)).toEqual([]);
    await refused(old, /does not name this database as its owner/);
  }
});

it('no old log archive is reported or removed before a test restore of this database’s current archive has succeeded', async () => {
  rmSync(join(walDir, ownName, 'test-restore.json'));
  expect(await oldArchives(config(), now)).toEqual([]);
  await refused(old, /No test restore of this database's archive is verified yet/);
});
