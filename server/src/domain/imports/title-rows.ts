import { lastOf } from '@waystation/contract/base/present.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { partOf } from './person-titles.ts';
import { readTitle } from './title-roles.ts';

const prefixes = { recipient: '收件', customer: '', sender: '寄件' } as const;

/**
 * The prefix that the title of a group, `upper`, adds to the titles below it. '' if `upper`
 * contains a customer, two persons or no person, or if `upper` is a column's own title (收件地址).
 */
const prefixOf = (upper: string): string => {
  const { role, rest, word, main } = readTitle(upper);
  const part = partOf(rest, { isOwned: role !== null, title: main })?.part;
  if (role === null || role === 'unclear' || (rest !== '' && part !== 'name' && part !== 'text'))
    return '';
  return role === 'other' ? word : prefixes[role];
};

/** True if both the sender and the recipient may have a column with this title. */
const isOfEither = (title: string): boolean => {
  const { role, rest, main } = readTitle(title);
  return role === null && partOf(rest, { isOwned: false, title: main }) !== null;
};

/**
 * The titles of a row, combined with the titles above. If a title is merged over both rows, its
 * text is in the upper row. The title of a group contains the person to whom the columns below
 * belong.
 */
export const titlesAt = (rows: readonly TextRow[], at: number): TextRow => {
  const head = rows[at] ?? [];
  const above = rows[at - 1] ?? [];
  // A single text in the row above is the name of the sheet.
  if (above.filter((cell) => cell !== '').length < 2) return head;
  let prefix = '';
  return Array.from({ length: Math.max(head.length, above.length) }, (_, column) => {
    const [own, upper] = [(head[column] ?? '').trim(), (above[column] ?? '').trim()];
    if (upper !== '') prefix = prefixOf(upper);
    return own === '' ? upper : prefix !== '' && isOfEither(own) ? prefix + own : own;
  });
};

/** The title of the column of reasons, which is added to the file of rows that were not ordered. */
export const reasonTitle = { zh: '失败原因', en: 'Reason' } as const;

const reasonTitles: readonly string[] = Object.values(reasonTitle);

/**
 * True if the last title of a row is the title for reasons, as in a file of rows that were not
 * ordered.
 */
export const hasReasonColumn = (titles: readonly string[]): boolean =>
  titles.length > 1 && reasonTitles.includes(lastOf(titles));

/**
 * Removes the title of the column of reasons, so that the file is recognised as the same layout
 * when it is uploaded again.
 */
export const columnsOfFile = (titles: readonly string[]): readonly string[] =>
  hasReasonColumn(titles) ? titles.slice(0, -1) : titles;
