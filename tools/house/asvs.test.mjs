import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chapters } from '#asvs/chapters.ts';
import { levels } from '#asvs/ids.ts';
import { countLines, pageText } from '#asvs/page.ts';

const root = join(import.meta.dirname, '..', '..');
const entries = chapters.flatMap(({ id, verdicts }) =>
  Object.entries(verdicts).map(([number, verdict]) => ({ chapter: id, number, verdict })),
);
/** The problems found in all verdicts, each with the number of its requirement. */
const problems = (problemsOf) =>
  entries.flatMap(({ number, verdict }) =>
    problemsOf(verdict).map((problem) => `${number}: ${problem}`),
  );
const isSentence = (text) => /^\p{Lu}.{15,}\.$/u.test(text);

/** The texts of test files by name, in which the titles of tests are searched. */
const texts = new Map();
const textOf = (file) => {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
};

describe('the table of the security standard', () => {
  it('the ASVS table lists each requirement of levels 1 and 2 exactly once, in its chapter, and no other requirement', () => {
    expect(levels.size).toBe(253);
    expect([...levels.values()].filter((level) => level === 1)).toHaveLength(70);
    expect(entries.map(({ number }) => number).toSorted()).toEqual([...levels.keys()].toSorted());
    expect(entries.filter(({ chapter, number }) => chapter !== `V${number.split('.')[0]}`)).toEqual(
      [],
    );
  });

  it('a requirement of ASVS with the verdict “held” refers to at least one file, and only to existing files and tests', () => {
    expect(
      problems((verdict) => {
        if (verdict.state !== 'held') return [];
        const files = Object.entries(verdict.evidence);
        if (files.length === 0) return ['is held by nothing'];
        return files.flatMap(([file, titles]) => {
          if (!existsSync(join(root, file))) return [`${file} does not exist`];
          return titles
            .filter(
              (title) => !["'", '`'].some((mark) => textOf(file).includes(mark + title + mark)),
            )
            .map((title) => `${file} has no test “${title}”`);
        });
      }),
    ).toEqual([]);
  });

  it('each ASVS requirement that is not “held” has a reason; every reason and every note is a full sentence', () => {
    expect(
      problems((verdict) => {
        const why = verdict.state === 'held' ? verdict.note : verdict.reason;
        return (why === '' && verdict.state === 'held') || isSentence(why) ? [] : [`“${why}”`];
      }),
    ).toEqual([]);
  });

  it('verify/asvs.md equals the generated text and contains the counts that the command prints', async () => {
    await expect(pageText()).toMatchFileSnapshot('../../verify/asvs.md');
    const [all, held, , apart, missing] = countLines().at(-1).match(/\d+/g).map(Number);
    expect(all).toBe(253);
    expect(pageText()).toContain(`| All | ${all} | ${held} | `);
    expect(apart + missing + held).toBe(all);
  });
});
