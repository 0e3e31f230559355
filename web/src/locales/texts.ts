import type { zhCN } from './zh-CN/zh-CN.ts';

/** The type of a table of texts that has the same keys as T and any texts. */
export type TextsOf<T> = { readonly [K in keyof T]: T[K] extends string ? string : TextsOf<T[K]> };

type TextKeys<T> = { [K in keyof T]: T[K] extends string ? K & string : never }[keyof T];

/**
 * The English texts: the same keys as the Chinese texts. A text with a count may have two keys,
 * `key_one` and `key_other`. locales.test.ts checks that no key is missing.
 */
export type EnglishTextsOf<T> = {
  readonly [K in keyof T as T[K] extends string ? never : K]: EnglishTextsOf<T[K]>;
} & {
  readonly [K in TextKeys<T> | `${TextKeys<T>}_one` | `${TextKeys<T>}_other`]?: string;
};

export type EnglishTexts = EnglishTextsOf<typeof zhCN>;
