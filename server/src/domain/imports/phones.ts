import { phoneText, readPhone } from '@waystation/contract/phone.ts';

/** 1.38E+10, as spreadsheets show a long number. */
export const scientific = /^(\d)(?:\.(\d{1,15}))?[eE]\+?(\d{1,2})$/;

/** The whole number that a spreadsheet wrote with an exponent; null if digits are lost. */
export const wholeNumber = (text: string): string | null => {
  const [, first = '', fraction = '', exponent = ''] = scientific.exec(text) ?? [];
  return Number(exponent) === fraction.length && fraction.length >= 9 ? first + fraction : null;
};

/** The phones within a text: letters read as digits, or one of several, or with a word beside it. */
export const phonesIn = (text: string): string[] => {
  const parts = [text.replaceAll(/[oO]/g, '0').replaceAll(/[lI]/g, '1'), ...(text.slice(0, 100).match(/\+?\d[\d-]{5,}\d/g) ?? [])];
  return [...new Set(parts.map((part) => readPhone(part)).flatMap((read) => (read.ok ? [phoneText(read.phone)] : [])))];
};
