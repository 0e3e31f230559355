import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';

/** Matches a long number as spreadsheets show it: 1.38E+10. */
export const scientific = /^(\d)(?:\.(\d{1,15}))?[eE]\+?(\d{1,2})$/;

/** The whole number that a spreadsheet wrote with an exponent; null if digits are lost. */
export const wholeNumber = (text: string): string | null => {
  const [, first = '', fraction = '', exponent = ''] = scientific.exec(text) ?? [];
  return Number(exponent) === fraction.length && fraction.length >= 9 ? first + fraction : null;
};

/** The start of a phone within a text that may have several. */
const begins = /(?<!\d)(?:\+?86[- ]?)?(?:1[3-9]\d|0\d{2,3}-?|[48]00-?)\d[\d-]{4,}/g;

/**
 * Each phone of a text, with the text up to the next phone, because an extension may follow it.
 * Characters other than digits are removed at the end.
 */
const stretches = (text: string): string[][] => {
  const found = [...text.matchAll(begins)];
  return found.map(({ index, 0: number }, at) => [
    text.slice(index, found[at + 1]?.index).replace(/\D+$/, ''),
    number,
  ]);
};

/**
 * All phones in a text. The whole text is also read with letters such as O and l as digits;
 * otherwise each part that begins like a phone is read.
 */
export const phonesIn = (text: string): string[] => {
  const parts = [
    [text.replaceAll(/[oO]/g, '0').replaceAll(/[lI]/g, '1')],
    ...stretches(text.slice(0, 100).normalize('NFKC')),
  ];
  return [
    ...new Set(
      parts
        .flatMap((ways) => ways.map((way) => readPhone(way)).find(({ ok }) => ok) ?? [])
        .flatMap((read) => (read.ok ? [phoneText(read.phone)] : [])),
    ),
  ];
};
