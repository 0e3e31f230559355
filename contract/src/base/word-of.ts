import type { Language } from './fill-error.ts';

/**
 * The text for a value of an answer; a value unknown to this version, from a newer server, is shown
 * itself.
 */
export const wordOf = <K extends string | number>(
  words: Readonly<Record<K, Readonly<Record<Language, string>>>>,
  value: K,
  language: Language,
): string => (Object.hasOwn(words, value) ? words[value][language] : String(value));
