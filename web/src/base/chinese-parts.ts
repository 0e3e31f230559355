const han = /\p{Script=Han}/u;
const word = /[A-Za-z]{2}/;
/** A run of Han characters with the digits, signs and spaces between them, such as “示例路1号”. */
const run = /(\p{Script=Han}+(?:[^\p{L}]+\p{Script=Han}+)*)/u;

export const hasChinese = (text: string): boolean => han.test(text);

/**
 * True if the text contains both Chinese and an English word. No single language then fits the
 * whole text.
 */
export const isMixed = (text: string): boolean => han.test(text) && word.test(text);

/**
 * Splits a text into Chinese and other parts. The parts at odd indices are Chinese; the other parts
 * may be empty.
 */
export const chineseParts = (text: string): string[] => text.split(run);
