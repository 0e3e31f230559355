import { readFileSync } from 'node:fs';
import type { TestImports } from '@waystation/server/testing/import-sheets.ts';
import { rounds, sampled } from '@waystation/server/testing/slices.ts';
import { openTestSystem } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceOf } from '#chance.ts';
import { corpusFolder, manifestFile } from '#corpus/manifest.ts';
import type { Entry } from '#corpus/manifest.ts';
import { bombs } from './bombs.ts';
import { mutantOf } from './mutants.ts';
import { faultOf, openDoor, playFile } from './play.ts';

let system: TestSystem;
let door: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  door = await openDoor(system);
});
afterAll(() => system.close());

// A part of `npm run damage` (docs/testing.md). The time limits of that program are left out,
// because a busy test machine may be slow without a fault.
describe('a file that demands many resources', () => {
  it.each(sampled(bombs, 3).map((bomb) => [bomb.name, bomb] as const))(
    'the file %s is refused with its cause, or read',
    async (_name, bomb) => {
      const { code } = await playFile(door, { ...bomb, bytes: bomb.make() });
      expect(bomb.ends).toContain(code);
    },
  );
});

describe('damaged files', () => {
  const files = (JSON.parse(readFileSync(manifestFile, 'utf8')) as Entry[]).map(({ file }) => ({
    file,
    bytes: readFileSync(new URL(file, corpusFolder)),
  }));

  it('a damaged spreadsheet of the corpus is imported or refused, and never crashes the server', async () => {
    const chance = chanceOf('slice');
    const faults: string[] = [];
    const lane = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left--) {
        const [{ file, bytes }, other] = [chance.pick(files), chance.pick(files)];
        const mutant = mutantOf(bytes, other.bytes, chance);
        const fault = faultOf({
          ...(await playFile(door, { name: file, upload: file, bytes: mutant.bytes })),
          still: 0,
        });
        if (fault !== null) faults.push(`${file} (${mutant.how}): ${fault}`);
      }
    };
    const each = rounds(3, 10);
    await Promise.all([lane(each), lane(each), lane(each), lane(each)]);
    expect(faults).toEqual([]);
  });

  it('the same seed always produces the same damaged file, and another seed produces a different file', () => {
    const [file, other] = [files[0]!.bytes, files[1]!.bytes];
    const made = (seed: string) => mutantOf(file, other, chanceOf(seed)).bytes.toString('base64');
    expect(made('7')).toBe(made('7'));
    expect(made('7')).not.toBe(made('8'));
  });
});
