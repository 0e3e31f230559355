import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enUS } from './en-US/en-US.ts';
import { zhCN } from './zh-CN/zh-CN.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures');
const pictures = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8')) as Record<
  string,
  { language: 'zh-CN' | 'en-US'; words: string[] }
>;

const flat = (texts: object): string[] =>
  Object.values(texts).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : flat(value as object),
  );
const texts = { 'zh-CN': new Set(flat(zhCN)), 'en-US': new Set(flat(enUS)) };

describe('the pictures of the README (npm run pictures)', () => {
  for (const [name, { language, words }] of Object.entries(pictures))
    it(`${name}.png shows only texts that exist in the console`, () => {
      expect(words.length).toBeGreaterThan(10);
      expect(words.filter((word) => !texts[language].has(word))).toEqual([]);
    });
});
