/**
 * Ten or more digits of any script, with the signs that people write between the digits of a phone
 * number.
 */
const phoneLike = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){9,}/gu;

const masked = (phone: string): string => `***${phone.replaceAll(/\P{Nd}/gu, '').slice(-4)}`;

/**
 * Makes a text from a user (a name, file or station) safe inside a message. The result is one line
 * of visible characters without a complete phone number. It contains nothing that a mail program or
 * a chat robot reads as a mention, tag, link or formatting.
 */
export const plainText = (text: string, longest = 60): string => {
  const line = text
    .toWellFormed()
    // Removes control characters, line ends, and marks that are invisible or change the direction
    // of text.
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
    .replaceAll(phoneLike, masked)
    .trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML. */
export const htmlText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
