import type { zhCN } from './zh-CN/zh-CN.ts';

/** The same keys with other texts. */
export type TextsOf<T> = { readonly [K in keyof T]: T[K] extends string ? string : TextsOf<T[K]> };

type TextKeys<T> = { [K in keyof T]: T[K] extends string ? K & string : never }[keyof T];

/** The same keys in English, where a text with a count may be two: `key_one` and `key_other`. locales.test.ts checks that none is missing. */
export type EnglishTextsOf<T> = {
  readonly [K in keyof T as T[K] extends string ? never : K]: EnglishTextsOf<T[K]>;
} & {
  readonly [K in TextKeys<T> | `${TextKeys<T>}_one` | `${TextKeys<T>}_other`]?: string;
};

export type EnglishTexts = EnglishTextsOf<typeof zhCN>;
