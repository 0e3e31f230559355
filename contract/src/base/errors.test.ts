import { expect, it } from 'vitest';
import { errors, errorText } from './errors.ts';

it('an English error text uses the singular for a count of one and the plural for every other count', () => {
  expect(errorText('selection_too_large', { limit: 1 }, 'en')).toBe(
    'At most 1 row at once; narrow the filters',
  );
  expect(errorText('selection_too_large', { limit: 10_000 }, 'zh')).toContain('10,000');
  expect(errorText('selection_too_large', { limit: 30 }, 'en')).toBe(
    'At most 30 rows at once; narrow the filters',
  );
  expect(errorText('period_unproved', { count: 1 }, 'en')).toContain('found 1 mismatch;');
  expect(errorText('period_unproved', { count: 0 }, 'en')).toContain('found 0 mismatches;');
});

it('an error text keeps the placeholder of a parameter that was not passed', () => {
  expect(errorText('period_unproved', {}, 'en')).toContain('{count|mismatch|mismatches}');
});

// A number before a noun needs the singular and the plural. One form is enough for units, for a
// code before its noun, and for a number without a noun.
const noNoun =
  /^(?:kg|KB|MB|s|min|is|was|are|at|and|or|of|in|to|with|has|needs|after|cannot|belongs|must|appears|failed|expires|moved)\b/;
it('every English error text with a count before a noun defines the singular and the plural of the noun', () => {
  const missing = Object.entries(errors).filter(([, { en }]) =>
    Array.from(
      en.matchAll(
        /\{(?:count|limit|max|min|numbers|days|attempts|levels|expected|found|pages|seconds|minutes)\} ([a-z]+)/gi,
      ),
    ).some(([, word]) => !noNoun.test(word!)),
  );
  expect(missing.map(([code]) => code)).toEqual([]);
});
