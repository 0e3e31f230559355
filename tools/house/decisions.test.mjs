import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');
const longest = 240;
const status =
  /^\d{4}-\d{2}-\d{2} · (?:accepted|withdrawn|superseded by \[\d+\]\(\d{4}-[\w-]+\.md\))$/;

/** Returns the problems of a decision page; empty if there are none. */
const problemsOf = (name, text) => {
  const [title, , dated] = text.split('\n');
  const places = ['**Context.** ', '**Decision.** ', '**Consequences.** '].map((label) =>
    text.indexOf(`\n\n${label}`),
  );
  const words = text.split(/\s+/).filter(Boolean).length;
  return [
    /^\d{4}-[a-z0-9-]+\.md$/.test(name) || 'the name is not a number and words',
    title.startsWith(`# ${Number(name.slice(0, 4))}. `) ||
      'the title does not begin with the number',
    status.test(dated ?? '') || 'the third line is not a date and a status',
    places.every((place, index) => place > (places[index - 1] ?? 0)) ||
      'Context, Decision and Consequences do not follow each other',
    words <= longest || `${words} words, at most ${longest}`,
  ].filter((problem) => problem !== true);
};

describe('docs/decisions', () => {
  it.each(pages)('%s has the layout of a decision and at most 240 words', (name) => {
    expect(problemsOf(name, readFileSync(join(folder, name), 'utf8'))).toEqual([]);
  });

  it('each decision page has a different number', () => {
    const numbers = pages.map((name) => name.slice(0, 4));
    expect(numbers.length).toBe(new Set(numbers).size);
    expect(numbers.length).toBeGreaterThan(40);
  });

  it('a decision page is refused if its date or a section is missing, its number is wrong, or it has too many words', () => {
    const page = (dated, more = '') =>
      `# 7. A title\n\n${dated}\n\n**Context.** a\n\n**Decision.** b${more}\n\n**Consequences.** c\n`;
    expect(problemsOf('0007-a-title.md', page('2026-11-22 · accepted'))).toEqual([]);
    expect(
      problemsOf('0007-a-title.md', page('2026-11-22 · superseded by [9](0009-other.md)')),
    ).toEqual([]);
    expect(problemsOf('0007-a-title.md', page('accepted'))).toHaveLength(1);
    expect(problemsOf('0008-a-title.md', page('2026-11-22 · accepted'))).toHaveLength(1);
    expect(problemsOf('0007-a-title.md', page('2026-11-22 · accepted', ' b'.repeat(240)))).toEqual([
      '253 words, at most 240',
    ]);
    expect(
      problemsOf('0007-a-title.md', page('2026-11-22 · accepted').replace('**Decision.**', '')),
    ).toHaveLength(1);
  });
});
