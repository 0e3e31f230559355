import { firstOf, present } from '@waystation/contract/base/present.ts';
import { findChain } from './chain.ts';
import type { Label } from './labels.ts';
import { cutByLines } from './lines.ts';
import { nameAtEnd, nameScore, trimName } from './names.ts';
import type { Span } from './phone-groups.ts';
import { phoneGroups } from './phone-groups.ts';
import type { Marked } from './pieces.ts';
import { part, piecesOf } from './pieces.ts';

const spansBetween = (cuts: readonly number[], length: number): Span[] => {
  const edges = [0, ...cuts.filter((cut) => cut > 0 && cut < length), length];
  return edges.slice(1).map((end, at) => ({ start: edges[at]!, end }));
};

const cutsAt = (plain: string, separator: RegExp): number[] =>
  Array.from(plain.matchAll(separator), (match) => match.index + match[0].length);

const hasChain = (marked: Marked): boolean => {
  const text = marked.text.plain.slice(0, 400);
  const starts = Array.from(text.matchAll(/[^\s,;|/]+/g), (match) => match.index);
  const chain = findChain(text, starts, () => 0);
  return (
    chain !== null &&
    (chain.city !== null || chain.ambiguous !== '') &&
    (chain.namedLevels >= 2 || chain.score >= 6)
  );
};

const isBlank = (span: Span, plain: string): boolean =>
  !/[\p{Letter}\d]/u.test(plain.slice(span.start, span.end));

/** The number of phone groups in each span; both lists are ordered by position. */
const counts = (spans: readonly Span[], groups: readonly Span[]): number[] => {
  let next = 0;
  return spans.map((span) => {
    let count = 0;
    while (next < groups.length && present(groups[next]).start < span.end) {
      count += 1;
      next += 1;
    }
    return count;
  });
};

/**
 * The spans between `cuts` if there are at least two and each has a phone; otherwise null. A
 * headline at the start needs no phone and is left out.
 */
const accepted = (
  plain: string,
  groups: readonly Span[],
  cuts: readonly number[],
): Span[] | null => {
  const spans = spansBetween(cuts, plain.length).filter((span) => !isBlank(span, plain));
  const held = counts(spans, groups);
  const headline = held[0] === 0 && spans.length > 2 ? 1 : 0;
  const people = spans.slice(headline);
  return people.length >= 2 && held.slice(headline).every((count) => count > 0) ? people : null;
};

/**
 * The positions at which a filled form begins in a text. A form begins wherever its first label is
 * repeated.
 */
const labelCuts = (labels: readonly Label[]): number[] => {
  const first = labels.find((label) => label.kind !== 'number' && label.kind !== 'remark');
  if (!first) return [];
  const again = labels.flatMap((label, at) =>
    label.kind === first.kind && (first.kind !== 'region' || label.word === first.word)
      ? [{ label, at }]
      : [],
  );
  // 收货人 … 收货人电话 …: two labels of the same kind directly after each other do not begin a new person.
  return again
    .slice(1)
    .flatMap(({ label, at }, index) => (at - present(again[index]).at > 1 ? [label.start] : []));
};

const looksLikeName = (text: string): boolean => {
  const { name } = trimName(text);
  return nameScore(name) >= 60 && name.length <= 20;
};

/** The position between two adjacent phones where the text of the first person ends. */
const boundaryIn = (
  marked: Marked,
  gap: Span,
  style: { nameFirst: boolean; addressFirst: boolean },
): number => {
  const { plain } = marked.text;
  const text = plain.slice(gap.start, gap.end);
  if (style.addressFirst) {
    // The address precedes the phone, so text after a phone belongs to the next person. The
    // exception is a name on the same line, if names come last.
    const own = /^[\s,;|/-]*([^\s,;|/]{2,8})(?=[\s,;|/])/.exec(text);
    return own && !style.nameFirst && looksLikeName(own[1]!)
      ? gap.start + own[0].length
      : gap.start;
  }
  if (!style.nameFirst) return gap.end;
  const line = text.trimEnd().lastIndexOf('\n');
  const tail = line >= 0 ? text.slice(line + 1) : '';
  if (tail.trim() && !hasChain(part(marked, gap.start + line + 1, gap.end)))
    return gap.start + line + 1;
  const pieces = Array.from(text.matchAll(/[^\s,;|/]+/g));
  const last = pieces.at(-1);
  if (!last) return gap.end;
  if (pieces.length > 1 && looksLikeName(last[0])) return gap.start + last.index;
  const glued = nameAtEnd(last[0]);
  return glued ? gap.start + last.index + glued.at : gap.end;
};

/**
 * Divides a text that has no separators between people. Each person has one phone, and all people
 * have their parts in the same order as the first person.
 */
const byOrder = (marked: Marked, groups: readonly Span[]): Span[] => {
  const head = part(marked, 0, firstOf(groups).start);
  const addressFirst = hasChain(head);
  const nameFirst = piecesOf(head).some((piece) => piece.labelled || looksLikeName(piece.shown));
  const cuts = groups
    .slice(1)
    .map((group, at) =>
      boundaryIn(
        marked,
        { start: present(groups[at]).end, end: group.start },
        { nameFirst, addressFirst },
      ),
    );
  return spansBetween(cuts, marked.text.plain.length);
};

const separators = [/\n[^\S\n]*\n\s*|\n[^\S\n]*[-=*_]{3,}[^\S\n]*\n/g, /\n/g, /;/g];

/**
 * Divides a form that was filled in several times, without phones, if each filled form contains a
 * place.
 */
const byLabelsAlone = (marked: Marked): Span[] | null => {
  const spans = spansBetween(labelCuts(marked.labels), marked.text.plain.length);
  return spans.length >= 2 && spans.every((span) => hasChain(part(marked, span.start, span.end)))
    ? spans
    : null;
};

const split = (marked: Marked, depth: number): Marked[] => {
  const { plain } = marked.text;
  const groups = phoneGroups(marked);
  const into = (spans: Span[], next: number): Marked[] =>
    spans.flatMap((span) => split(part(marked, span.start, span.end), next));
  if (groups.length < 2) {
    const forms = depth === 0 && marked.labels.length >= 4 ? byLabelsAlone(marked) : null;
    return forms ? into(forms, 1) : [marked];
  }
  const ways: (() => number[])[] = [
    () => labelCuts(marked.labels),
    ...separators.map((separator) => () => cutsAt(plain, separator)),
  ];
  for (let way = depth; way < ways.length; way += 1) {
    const spans = accepted(plain, groups, ways[way]!());
    if (spans) return into(spans, way + 1);
  }
  return byOrder(marked, groups).map((span) => part(marked, span.start, span.end));
};

/** The part of a pasted text that belongs to one person. */
export interface PersonText {
  marked: Marked;
  /**
   * True if the text can be divided in two ways, so that a part of it may belong to another person.
   */
  isDoubtful: boolean;
}

const partsOf = (marked: Marked, spans: readonly Span[]): Marked[] =>
  spans.map(({ start, end }) => part(marked, start, end));

/**
 * Divides a text by its lines if each person clearly has separate lines. Otherwise it is divided by
 * separators and by order, and the result is doubtful if it differs from the division by lines.
 */
const cut = (marked: Marked): PersonText[] => {
  const lines = cutByLines(marked);
  const people = (parts: readonly Marked[], isDoubtful: boolean): PersonText[] =>
    parts.map((each) => ({ marked: each, isDoubtful }));
  if (lines?.isClear) return people(partsOf(marked, lines.spans), false);
  const others = split(marked, 0);
  if (lines === null) return people(others, false);
  const own = partsOf(marked, lines.spans);
  const texts = (parts: readonly Marked[]): string =>
    parts.map(({ text }) => text.plain.trim()).join('\0');
  return texts(own) === texts(others) ? people(others, false) : people(own, true);
};

const isSender = ({ marked }: PersonText): boolean => marked.labels.some((label) => label.sender);

/**
 * The part of the text that belongs to each person, in order. People who are marked as senders come
 * last, unless all are senders.
 */
export const splitPeople = (marked: Marked): PersonText[] => {
  const blocks = accepted(
    marked.text.plain,
    phoneGroups(marked),
    cutsAt(marked.text.plain, firstOf(separators)),
  );
  const people = (blocks ?? [{ start: 0, end: marked.text.plain.length }]).flatMap(
    ({ start, end }) => cut(part(marked, start, end)),
  );
  return [...people.filter((each) => !isSender(each)), ...people.filter(isSender)];
};
