import type { TextRow } from '#domain/workbook/workbook.ts';
import { partOf } from './person-titles.ts';
import { readTitle } from './title-roles.ts';

const prefixes = { recipient: '收件', customer: '', sender: '寄件' } as const;

/** What a title of a group puts before those below it; '' where it names nobody, or more than a group. */
const prefixOf = (upper: string): string => {
  const { role, rest, word, main } = readTitle(upper);
  const part = partOf(rest, { isOwned: role !== null, title: main })?.part;
  if (role === null || role === 'unclear' || (rest !== '' && part !== 'name' && part !== 'text')) return '';
  return role === 'other' ? word : prefixes[role];
};

/** Titles that a sender has as well as a recipient. */
const isOfEither = (title: string): boolean => {
  const { role, rest, main } = readTitle(title);
  return role === null && partOf(rest, { isOwned: false, title: main }) !== null;
};

/**
 * The titles of a row together with those above it: of a title that is merged over both rows the upper one has the text, and it says whose name, phone or
 * address the columns below are.
 */
export const titlesAt = (rows: readonly TextRow[], at: number): TextRow => {
  const head = rows[at] ?? [];
  const above = rows[at - 1] ?? [];
  // A single text above is the name of the sheet.
  if (above.filter((cell) => cell !== '').length < 2) return head;
  let prefix = '';
  return Array.from({ length: Math.max(head.length, above.length) }, (_, column) => {
    const [own, upper] = [(head[column] ?? '').trim(), (above[column] ?? '').trim()];
    if (upper !== '') prefix = prefixOf(upper);
    return own === '' ? upper : prefix !== '' && isOfEither(own) ? prefix + own : own;
  });
};
