import type { Marked } from './pieces.ts';

export interface Span {
  start: number;
  end: number;
}

/**
 * True if two phones belong to the same person, because only punctuation, labels and words such as
 * 或 are between them.
 */
const isBetweenOwn = (between: string): boolean =>
  between.length <= 24 &&
  !between.includes('\n\n') &&
  between
    .replace(/备用|电话|手机|号码|座机|固话|联系|或者?|号|tel|phone|mobile/gi, '')
    .replace(/[\s,;|/:()[\]-]/g, '') === '';

/** The groups of adjacent phones that belong to the same person, in order. */
export const phoneGroups = ({ text, phones }: Marked): Span[] => {
  const groups: Span[] = [];
  for (const phone of phones) {
    const last = groups.at(-1);
    if (last && isBetweenOwn(text.plain.slice(last.end, phone.start))) last.end = phone.end;
    else groups.push({ start: phone.start, end: phone.end });
  }
  return groups;
};
