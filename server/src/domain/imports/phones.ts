import { phoneText, readPhone } from '@waystation/contract/parcels/phone.ts';

/** 1.38E+10, as spreadsheets show a long number. */
export const scientific = /^(\d)(?:\.(\d{1,15}))?[eE]\+?(\d{1,2})$/;

/** The whole number that a spreadsheet wrote with an exponent; null if digits are lost. */
export const wholeNumber = (text: string): string | null => {
  const [, first = '', fraction = '', exponent = ''] = scientific.exec(text) ?? [];
  return Number(exponent) === fraction.length && fraction.length >= 9 ? first + fraction : null;
};

/** Matches the start of a phone in a text of several. */
const begins = /(?<!\d)(?:\+?86[- ]?)?(?:1[3-9]\d|0\d{2,3}-?|[48]00-?)\d[\d-]{4,}/g;

/**
 * The start of each phone in a text with everything up to the next phone, because that may contain
 * an extension; without characters other than digits at its end.
 */
const stretches = (text: string): string[][] => {
  const found = [...text.matchAll(begins)];
  return found.map(({ index, 0: number }, at) => [
    text.slice(index, found[at + 1]?.index).replace(/\D+$/, ''),
    number,
  ]);
};

/**
 * The phones within a text: of the whole text with letters read as digits, and of each stretch of
 * it that begins like a phone.
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
