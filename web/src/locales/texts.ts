import type { zhCN } from './zh-CN/zh-CN.ts';

/** The same keys, any words. */
export type TextsOf<T> = { readonly [K in keyof T]: T[K] extends string ? string : TextsOf<T[K]> };

export type Texts = TextsOf<typeof zhCN>;
