import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstMissing, oldFiles, openWalFile, readArchive, storeWalFile } from './wal-files.ts';
import type { BaseFacts } from './wal-files.ts';

let folder: string;
let source: string;
const key = Buffer.alloc(32, 1);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wal-files-'));
  source = join(folder, 'source');
});
afterAll(() => rmSync(folder, { recursive: true }));

const segment = (end: string): string => `00000001000000${end}`;

it('firstMissing returns the first log file that is missing after a base copy, even if the next log file has a new prefix (02…FF, 03…00)', () => {
  const whole = ['02000000FE', '02000000FF', '0300000000', '0300000001'].map(segment);
  expect(firstMissing(whole, segment('02000000FE'))).toBeNull();
  expect(firstMissing(whole.toSpliced(2, 1), segment('02000000FE'))).toBe(segment('0300000000'));
  expect(firstMissing(whole.slice(1), segment('02000000FE'))).toBe(segment('02000000FE'));
  expect(firstMissing(whole.toSpliced(0, 2), segment('0300000000'))).toBeNull();
  expect(firstMissing([], segment('02000000FE'))).toBeNull();
});

it('storing a log file twice in the archive changes nothing, and other content under the same name is refused', async () => {
  const name = segment('0200000001');
  for (const sealing of [null, key]) {
    const into = mkdtempSync(join(folder, 'archive-'));
    writeFileSync(source, 'the log');
    // Simulates that a process was killed while it wrote the file.
    writeFileSync(join(into, `${name}.part`), 'half');
    await storeWalFile(source, into, name, sealing);
    const stored = readFileSync(join(into, name));
    await storeWalFile(source, into, name, sealing);
    expect(readdirSync(into)).toEqual([name]);
    expect(readFileSync(join(into, name))).toEqual(stored);
    expect((await openWalFile(join(into, name), sealing)).toString()).toBe('the log');
    writeFileSync(source, 'another log');
    await expect(storeWalFile(source, into, name, sealing)).rejects.toThrow(
      'two databases archive into one folder',
    );
    expect(readFileSync(join(into, name))).toEqual(stored);
  }
});

it('an archived file of the database log is not opened if it was changed, cut off or encrypted with another key', async () => {
  const name = segment('0200000002');
  writeFileSync(source, 'the log');
  await storeWalFile(source, folder, name, key);
  const stored = readFileSync(join(folder, name));
  const opened = (bytes: Buffer, sealing: Buffer): Promise<Buffer> => {
    const copies = mkdtempSync(join(folder, 'copies-'));
    writeFileSync(join(copies, name), bytes);
    return openWalFile(join(copies, name), sealing);
  };
  const changed = Buffer.from(stored);
  changed[stored.length - 1]! ^= 1;
  await expect(opened(changed, key)).rejects.toThrow('altered');
  await expect(opened(stored.subarray(0, -3), key)).rejects.toThrow('cut off');
  await expect(opened(stored, Buffer.alloc(32, 2))).rejects.toThrow('The key is not the one');
});

it('a log file stored under the name of another log file is not opened', async () => {
  const [name, other] = [segment('0200000003'), segment('0200000004')];
  writeFileSync(source, 'the log');
  for (const [sealing, sentence] of [
    [key, 'The key is not the one'],
    [null, 'altered'],
  ] as const) {
    const into = mkdtempSync(join(folder, 'archive-'));
    await storeWalFile(source, into, name, sealing);
    renameSync(join(into, name), join(into, other));
    await expect(openWalFile(join(into, other), sealing)).rejects.toThrow(sentence);
  }
});

const base = (day: number, from: string): BaseFacts => ({
  format: 1,
  name: `base-202611${day}T000000Z`,
  product: '1',
  postgres: '18.1',
  at: `2026-11-${day}T00:00:00.000Z`,
  from: segment(from),
  to: segment(from),
  secret_key: '',
  encrypted: false,
  files_bytes: 1,
  bytes: 1,
});

it('an old file of the log archive is removed only if no moment within the retention period needs it for a restore', () => {
  const bases = [base(10, '0200000001'), base(20, '0200000003'), base(28, '0200000005')];
  const segments = ['0200000001', '0200000002', '0200000003', '0200000005'].map(segment);
  const old = (day: number, kept = bases): string[] =>
    oldFiles({ folder, bases: kept, segments }, new Date(`2026-11-${day}T12:00:00Z`));
  expect(old(19)).toEqual([]);
  expect(old(22)).toEqual([
    'base-20261110T000000Z.json',
    'base-20261110T000000Z',
    ...segments.slice(0, 2),
  ]);
  expect(old(29, bases.slice(0, 1))).toEqual([]);
  expect(old(29, [])).toEqual([]);
});

it('a base copy is ignored if its file is missing, or if its JSON file describes another copy or cannot be parsed', async () => {
  const into = mkdtempSync(join(folder, 'archive-'));
  const write = (name: string, text: string): void => writeFileSync(join(into, name), text);
  const [good, alone, other] = [base(10, '0200000001'), base(11, '02'), base(12, '0200000001')];
  write(`${good.name}.json`, JSON.stringify(good));
  write(good.name, 'x');
  write(`${alone.name}.json`, JSON.stringify(alone));
  write(`${other.name}.json`, JSON.stringify(good));
  write(other.name, 'x');
  write('base-20261113T000000Z.json', '{');
  write('base-20261113T000000Z', 'x');
  write(segment('0200000001'), 'x');
  expect(await readArchive(into)).toEqual({
    folder: into,
    bases: [good],
    segments: [segment('0200000001')],
  });
});
