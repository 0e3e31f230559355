import type { Text } from './text.ts';

/**
 * A list number with its sign: `1.`, `2、`, `(3)`, `No.4`, `第5单：`, `6#`, `七、`. The sign may be
 * missing if a name and a phone are on the same line.
 */
const figure = '(?:\\d{1,3}|[一二三四五六七八九十]{1,3})';
const marked = new RegExp(
  `(?:第${figure}[单票件个位条]?|no\\.?[^\\S\\n]?\\d{1,3}|[([]${figure}[)\\]]|${figure}(?=[.,):])|\\d{1,3}#)[.,):;]?`,
);
/**
 * Units that follow the number of a house but not of a person in a list, so that `88 号` is kept.
 */
const houseUnit = '号栋幢座楼层单室弄巷组队期区街路米';
const name = `\\p{Script=Han}[\\p{Script=Han}·]{1,7}`;

/** Patterns of list numbers; the first group is the text before the number. */
const patterns = [
  new RegExp(
    `^([^\\S\\n]*)${marked.source}(?=[^\\S\\n]*(?:(?![${houseUnit}])[\\p{Script=Han}a-z[(]|(?:\\+?86[- ]?)?1[3-9]\\d[- ]?\\d{4}))`,
    'gimu',
  ),
  new RegExp(
    `^([^\\S\\n]*)\\d{1,3}(?=[^\\S\\n]+(?![${houseUnit}])\\p{Script=Han}[^\\n]*\\d{7})`,
    'gmu',
  ),
  new RegExp(`([^\\S\\n;])${marked.source}(?=[^\\S\\n]*${name}[\\s,]{0,3}\\d{7})`, 'giu'),
];

/**
 * Replaces the numbers of a pasted list with separators. The length of the text does not change.
 */
export const withoutListNumbers = ({ plain, shown }: Text): Text => {
  const blanks: { start: number; end: number }[] = [];
  let looked = plain;
  for (const pattern of patterns)
    looked = looked.replace(pattern, (found: string, before: string, at: number) => {
      blanks.push({ start: at + before.length, end: at + found.length });
      return before + ';'.padEnd(found.length - before.length);
    });
  let kept = '';
  let from = 0;
  for (const { start, end } of blanks.toSorted((a, b) => a.start - b.start)) {
    kept += shown.slice(from, start) + ' '.repeat(end - start);
    from = end;
  }
  return { plain: looked, shown: kept + shown.slice(from) };
};
