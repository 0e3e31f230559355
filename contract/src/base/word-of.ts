import type { Language } from './fill-error.ts';

/**
 * The text for a value in a response; a value that this version does not know, because the server
 * is newer, is returned unchanged.
 */
export const wordOf = <K extends string | number>(
  words: Readonly<Record<K, Readonly<Record<Language, string>>>>,
  value: K,
  language: Language,
): string => (Object.hasOwn(words, value) ? words[value][language] : String(value));
