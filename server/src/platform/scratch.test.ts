import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scratchFolder } from './scratch.ts';

let base: string;
let folder: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'scratch-'));
  folder = join(base, `waystation-scratch-${process.getuid!()}`);
});
afterEach(() => rmSync(base, { recursive: true }));

it('the folder for temporary databases is created once, and only its owner may write into it', async () => {
  expect(await scratchFolder(base)).toBe(folder);
  expect(lstatSync(folder).mode & 0o022).toBe(0);
  expect(await scratchFolder(base)).toBe(folder);
});

it('a symbolic link, or a folder in which other users may write, is refused as the folder for temporary databases', async () => {
  const other = join(base, 'other');
  mkdirSync(other);
  symlinkSync(other, folder);
  await expect(scratchFolder(base)).rejects.toThrow(/belongs to another user/);
  rmSync(folder);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  await expect(scratchFolder(base)).rejects.toThrow(/belongs to another user/);
});
