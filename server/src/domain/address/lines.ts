/**
 * Divides the lines of a pasted text between people: each person has the lines with one phone, one
 * name and one place.
 */
import { firstOf, lastOf, present } from '@waystation/contract/base/present.ts';
import { isOffice, nameScore } from './names.ts';
import { readRecord } from './record.ts';
import type { Span } from './phone-groups.ts';
import { phoneGroups } from './phone-groups.ts';
import type { Marked } from './pieces.ts';
import { part } from './pieces.ts';

export interface LineCut {
  /** The range of the lines of each person, in order. */
  spans: Span[];
  /**
   * True if no other assignment of lines to people is as good, and every person has one phone, one
   * name and one place.
   */
  isClear: boolean;
}

interface Line {
  start: number;
  end: number;
  phones: number;
  names: number;
  places: number;
  /**
   * True if the line has a street or a house but no place name, so that it continues the line
   * before it.
   */
  isDetail: boolean;
  /** True if the line has words that are neither a name nor part of an address. */
  isUnclear: boolean;
  /** True if an empty line is before this line. */
  isApart: boolean;
}

/** The largest number of lines for one person. */
const mostLinesOfOne = 10;
const mostLines = 2_000;

/** The lowest score with which a text of four characters counts as a nickname. */
const leastOfName = 22;

const isDetailText = /[\d路街巷弄号楼栋幢座室层村组镇乡里苑园厦场]/;

const readLine = (marked: Marked, start: number, end: number): Omit<Line, 'isApart'> | null => {
  const own = part(marked, start, end);
  const found = readRecord(own);
  const phones = phoneGroups(own).length;
  // A line such as a remark or a greeting does not show where the text of a person ends.
  if (found === null)
    return phones > 0
      ? { start, end, phones, names: 0, places: 0, isDetail: false, isUnclear: false }
      : null;
  const places = found.city !== '' || found.county !== '' || found.province !== '' ? 1 : 0;
  const isWord = found.name === '' && places === 0 && phones === 0 && found.phone === '';
  const isDetail =
    isWord && (own.labels.some(({ kind }) => kind !== 'name') || isDetailText.test(found.address));
  const isName =
    isWord && !isDetail && (nameScore(found.address) >= leastOfName || isOffice(found.address));
  return {
    start,
    end,
    phones: phones || Number(found.phone !== ''),
    names: found.name !== '' || isName ? 1 : 0,
    places,
    isDetail,
    isUnclear: isWord && !isDetail && !isName,
  };
};

/** The lines that have content; `isApart` marks a line after an empty line. */
const linesOf = (marked: Marked): Line[] => {
  const { plain } = marked.text;
  const lines: Line[] = [];
  let isApart = false;
  for (let start = 0; start < plain.length;) {
    const next = plain.indexOf('\n', start);
    const end = next < 0 ? plain.length : next + 1;
    if (!/[\p{Letter}\d]/u.test(plain.slice(start, end))) isApart = isApart || lines.length > 0;
    else {
      const line = readLine(marked, start, end);
      if (line) {
        lines.push({ ...line, isApart });
        isApart = false;
      }
    }
    start = end;
  }
  return lines;
};

/**
 * The score for assigning the lines from `from` to `to` to one person; null if they cannot belong
 * to one person. `isWhole` is true if no score can be higher.
 */
const rated = (
  lines: readonly Line[],
  from: number,
  to: number,
): { score: number; isWhole: boolean } | null => {
  let [phones, names, places, wrong] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const line = lines[at]!;
    phones += line.phones;
    names += line.names;
    places += line.places;
    if (
      line.isDetail &&
      (at === from || !(present(lines[at - 1]).places || present(lines[at - 1]).isDetail))
    )
      wrong += 1;
    if (line.isUnclear) wrong += 2;
    if (at > from && line.isApart) wrong += 2;
  }
  // A second phone directly beside the first one may belong to the same person.
  if (
    phones === 0 ||
    phones > 2 ||
    (phones === 2 && lines.slice(from, to).some((line) => line.phones === 2))
  )
    return null;
  const off = Math.abs(names - 1) + Math.abs(places - 1) + (phones - 1);
  return { score: -3 * off - wrong, isWhole: off === 0 && wrong === 0 };
};

interface Best {
  score: number;
  /** The best score of any other way to divide the lines. */
  other: number;
  from: number;
  isWhole: boolean;
}

const noOther = Number.NEGATIVE_INFINITY;
/** The score that is lost if a headline or closing line is left out; a second name costs more. */
const leftOut = 1;
const canBeLeftOut = (line: Line): boolean => line.phones === 0 && line.places === 0;

const better = (known: Best | null, next: Best): Best => {
  if (!known) return next;
  const [first, second] = known.score >= next.score ? [known, next] : [next, known];
  return { ...first, other: Math.max(first.other, second.other, second.score) };
};

/**
 * For each line, the best way to divide the lines before it between people; null if there is none.
 */
const waysOf = (lines: readonly Line[]): (Best | null)[] => {
  const best: (Best | null)[] = [{ score: 0, other: noOther, from: 0, isWhole: true }];
  for (let to = 1; to <= lines.length; to += 1) {
    let chosen: Best | null =
      to === 1 && canBeLeftOut(firstOf(lines))
        ? { score: -leftOut, other: noOther, from: 0, isWhole: true }
        : null;
    for (let from = Math.max(0, to - mostLinesOfOne); from < to; from += 1) {
      const before = best[from];
      const own = before && rated(lines, from, to);
      if (own)
        chosen = better(chosen, {
          score: before.score + own.score,
          other: before.other + own.score,
          from,
          isWhole: before.isWhole && own.isWhole,
        });
    }
    best.push(chosen);
  }
  return best;
};

/**
 * The best way to divide the lines between people so that each person has one phone; null if there
 * is none.
 */
export const cutByLines = (marked: Marked): LineCut | null => {
  const lines = linesOf(marked);
  if (
    lines.length < 2 ||
    lines.length > mostLines ||
    lines.filter(({ phones }) => phones > 0).length < 2
  )
    return null;
  const best = waysOf(lines);
  let last = best[lines.length] ?? null;
  let end = lines.length;
  const shorter = canBeLeftOut(lastOf(lines)) ? best[lines.length - 1] : null;
  if (shorter && (!last || shorter.score - leftOut > last.score)) {
    last = { ...shorter, other: Math.max(shorter.other - leftOut, last?.score ?? noOther) };
    end -= 1;
  }
  if (!last) return null;
  const spans: Span[] = [];
  for (let to = end; to > 0; to = present(best[to]).from)
    spans.unshift({
      start: present(lines[present(best[to]).from]).start,
      end: present(lines[to - 1]).end,
    });
  const people = spans.filter(({ start, end: to }) =>
    lines.some((line) => line.phones > 0 && line.start >= start && line.end <= to),
  );
  return {
    spans: people,
    isClear: last.other === noOther || (last.isWhole && last.other < last.score),
  };
};
