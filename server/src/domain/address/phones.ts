import { extensionWords, parsePhone } from '@waystation/contract/parcels/phone.ts';
import { present } from '@waystation/contract/base/present.ts';

/** A phone and its position in a text. */
export interface FoundPhone {
  start: number;
  end: number;
  /** The phone number in normal form, without extension; empty if it is masked. */
  number: string;
  extension: string;
  /** The confidence from 0 to 100. */
  confidence: number;
}

const country = String.raw`(?:\(?(?:\+|00)?86\)?[-\s]{0,2})?`;
const gap = String.raw`[-\s.·]{1,2}`;
const mobile = String.raw`1[3-9]\d(?:\d{8}|${gap}\d{4}${gap}\d{4}|${gap}\d{8}|\d{4}${gap}\d{4}|${gap}\d{3}${gap}\d{5}|\d${gap}\d{3}${gap}\d{4}|\d{2}${gap}\d{6})`;
const landline = String.raw`\(?0(?:10|2\d|[3-9]\d\d)\)?[-\s]{0,2}(?:\d{8}|\d{7}|\d{3,4}[-\s]\d{4})`;
const abroad = String.raw`\(?(?:\+|00)?86\)?[-\s]{1,2}(?:10|2\d|[3-9]\d\d)[-\s]{1,2}(?:\d{8}|\d{7}|\d{3,4}[-\s]\d{4})`;
const service = String.raw`[48]00(?:\d{7}|[-\s]\d{3,4}[-\s]\d{3,4}|[-\s]\d{7})`;
const masked = String.raw`1[3-9*][\d*]\s?[\d*]{4}\s?[\d*]{4}`;
const foreign = String.raw`\+(?!86|1[3-9]\d{9}(?!\d))\d{1,3}[-\s]{0,2}\d{2,4}[-\s]?\d{3,4}[-\s]?\d{0,4}|(?:00)?(?:852|853|886)[-\s]\d{4}[-\s]?\d{4,5}`;

const shapes = new RegExp(
  String.raw`(?<![\d*])(?:(?<home>${country}(?:${mobile}|${landline}|${service}))|(?<abroad>${abroad})|(?<masked>${masked})|(?<foreign>${foreign}))(?![\d*])`,
  'gi',
);

/**
 * A pattern that must not follow digits: a unit such as 号 or 室 shows that the digits are part of an
 * address, whatever precedes them.
 */
const unit = String.raw`(?!\d)(?!\s?(?:号|栋|楼|幢|室|单元|层|座|弄|巷|组|村|米|街|路|房|户|#|-\d))`;
/**
 * A phone extension of 1 to 6 digits after a word or sign: 转1234, （转 1234）, -转1234, 分机：1234, P1234.
 */
const markedExtension = new RegExp(
  String.raw`^(?!\s{1,2}[px]\d{1,2}(?!\d))(?:\s{0,2}[-,;~(\[]?\s?[-(\[]?\s?${extensionWords}[.\s]?:?\s?(\d{1,6})(?:\s?[)\]]|[#号接](?=[\s,;|]|$))?|\s{0,2}[-#_~]\s?:?\s?(\d{1,6}))${unit}`,
  'i',
);
/** A phone extension that is written before its number: 转7804 18473460101. */
const extensionAhead = new RegExp(
  String.raw`(?<![\p{Letter}\d])[(\[]?(?:转接?|分机号?)\s?:?\s?(\d{3,6})[)\]]?[\s,;]{1,2}$`,
  'u',
);
/** A phone extension without a word before it, such as the four digits of a virtual number. */
const apart = /^\s{0,2}(?:[[(](\d{3,6})[\])]|[\s,;/](\d{4})(?=[\s,;|]|$))/;

const extensionAfter = (
  text: string,
): { digits: string; length: number; confidence: number } | null => {
  const clear = markedExtension.exec(text);
  if (clear) return { digits: (clear[1] ?? clear[2])!, length: clear[0].length, confidence: 100 };
  const loose = apart.exec(text);
  return (
    loose && {
      digits: loose[1] ?? loose[2]!,
      length: loose[0].length,
      confidence: loose[1] ? 95 : 85,
    }
  );
};

const maskedOrForeign = (match: RegExpExecArray): FoundPhone | null => {
  const [whole] = match;
  const place = { start: match.index, end: match.index + whole.length, extension: '' };
  if (present(match.groups)['masked'])
    return whole.includes('*') ? { ...place, number: '', confidence: 0 } : null;
  return present(match.groups)['foreign']
    ? { ...place, number: whole.replace(/\s+/g, ' ').trim(), confidence: 20 }
    : null;
};

/**
 * Matches a phone directly after a house number: 2号楼1405|13800000001. It is read only if the text
 * has no other phone.
 */
const glued = /(?<=[\p{Script=Han}-]\d{1,4})1[3-9]\d{9}(?!\d)/gu;

/**
 * Every phone in `plain`, in order. Phones are found before addresses, so that their digits are not
 * read as parts of an address. A masked phone is returned without a number, and a foreign phone is
 * returned as written.
 */
export const findPhones = (plain: string): FoundPhone[] => {
  const found: FoundPhone[] = [];
  shapes.lastIndex = 0;
  for (let match = shapes.exec(plain); match; match = shapes.exec(plain)) {
    const end = match.index + match[0].length;
    const phone =
      present(match.groups)['home'] || present(match.groups)['abroad']
        ? parsePhone(match[0].replaceAll('·', '-'))
        : null;
    if (!phone) {
      const other = maskedOrForeign(match);
      if (other) found.push(other);
      continue;
    }
    const own = phone.extension
      ? { digits: phone.extension, length: 0, confidence: 100 }
      : extensionAfter(plain.slice(end, end + 24));
    const ahead = own
      ? null
      : extensionAhead.exec(
          plain.slice(Math.max(found.at(-1)?.end ?? 0, match.index - 16), match.index),
        );
    found.push({
      start: match.index - (ahead?.[0].length ?? 0),
      end: end + (own?.length ?? 0),
      number: phone.number,
      extension: own?.digits ?? ahead?.[1] ?? '',
      confidence: own?.confidence ?? 100,
    });
    shapes.lastIndex = end + (own?.length ?? 0);
  }
  if (found.length === 0)
    for (const { index, 0: number } of plain.matchAll(glued))
      found.push({
        start: index,
        end: index + number.length,
        number,
        extension: '',
        confidence: 60,
      });
  return found;
};
