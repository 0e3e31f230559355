/**
 * A text that somebody entered (a name, a file, a station), safe inside a message: one line of
 * visible characters, without anything that a mail program or a robot reads as a mention, a tag,
 * a link or formatting, and without a whole phone.
 */
export const plainText = (text: string, longest = 60): string => {
  const line = text
    .toWellFormed()
    // Controls, line ends, and marks that change the direction of text or are invisible.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('@', '＠')
    .replaceAll('<', '＜')
    .replaceAll('>', '＞')
    .replaceAll('[', '［')
    .replaceAll(']', '］')
    .replaceAll('`', '‘')
    .replaceAll('*', '＊')
    .replaceAll(/:(?=\/|\\)/g, '：')
    .replaceAll(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '．')
    .replaceAll(/\d[\d\s()-]{8,}\d/g, masked)
    .trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
};

/** Digits of a phone with its area. */
const wholePhone = 10;

/** Digits that may be a phone: all but the last four are hidden. */
const masked = (run: string): string => {
  const digits = run.replaceAll(/\D/g, '');
  return digits.length < wholePhone ? run : `***${digits.slice(-4)}`;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text in HTML. */
export const htmlText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
