import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { Language } from './dialog-titles.ts';

const locales = join(import.meta.dirname, '..', '..', 'web', 'src', 'locales');

/** All texts that have no parameters. */
const flat = (texts: object): string[] =>
  Object.values(texts).flatMap((value: unknown) => {
    if (typeof value !== 'string') return flat(value as object);
    return /\{\w+\}/.test(value) ? [] : [value];
  });

/**
 * Writes the console's texts that a picture shows to `words.json` beside the pictures. A test
 * reports if the console no longer has one of these texts.
 */
export const keepPicturedWords = async (
  page: Page,
  { folder, name, language }: { folder: string; name: string; language: Language },
): Promise<void> => {
  const file = (await import(pathToFileURL(join(locales, language, `${language}.ts`)).href)) as {
    [name: string]: object;
  };
  const texts = new Set(flat(Object.values(file)[0]!));
  const lines = await page.evaluate(() => document.body.innerText.split(/[\n\t]/));
  const words = [...new Set(lines.map((line) => line.trim()))]
    .filter((line) => texts.has(line))
    .toSorted();
  const kept = join(folder, 'words.json');
  const known = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as object) : {};
  const all = Object.entries({ ...known, [name]: { language, words } }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
};
