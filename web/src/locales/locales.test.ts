import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loginTexts as loginEn } from './en-US/login.ts';
import { enUS } from './en-US/en-US.ts';
import { loginTexts as loginZh } from './zh-CN/login.ts';
import { zhCN } from './zh-CN/zh-CN.ts';

const source = join(import.meta.dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.startsWith('locales'),
  )
  .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));
const code = files.map((file) => file.text).join('\n');

/** Every text with its dotted key. */
const flat = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flat(value as object, `${prefix}${key}.`),
  );

/**
 * The constant beginnings of text keys whose ends are known only at run time, such as `menu.` in
 * t(`menu.${screen.title}`).
 */
const prefixes = Array.from(code.matchAll(/`([a-z_]+\.[\w.]*)\$\{/g), (match) => match[1]!);
const quoted = new Set(Array.from(code.matchAll(/'([\w.]+)'/g), (match) => match[1]!));
const isUsed = (key: string): boolean =>
  quoted.has(key) || prefixes.some((prefix) => key.startsWith(prefix));

const placeholders = (text: string): string[] =>
  Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1]!).toSorted();

describe('the texts', () => {
  it('all texts are used', () => {
    expect(
      flat(zhCN)
        .map(([key]) => key)
        .filter((key) => !isUsed(key)),
    ).toEqual([]);
  });

  it.each([
    ['the console', zhCN, enUS],
    ['the login page', loginZh, loginEn],
  ] as const)(
    'every text of %s is non-empty and has the same parameters in both languages',
    (_, zh, en) => {
      const chinese = new Map(flat(zh));
      const english = new Map(flat(en));
      const baseOf = (key: string): string =>
        chinese.has(key) ? key : key.replace(/_(?:one|other)$/, '');
      expect([...new Set([...english.keys()].map(baseOf))]).toEqual([...chinese.keys()]);
      for (const [key, words] of english) {
        const base = baseOf(key);
        expect(words.trim(), key).not.toBe('');
        // The singular text may contain the name of the thing instead of the count.
        if (key === `${base}_one` && base !== key)
          expect(english.has(`${base}_other`), key).toBe(true);
        else expect(placeholders(words), key).toEqual(placeholders(chinese.get(base)!));
      }
      for (const [key, words] of chinese) expect(words.trim(), key).not.toBe('');
    },
  );

  // The ending makes `choose_other` the plural form of `choose`. If both keys existed, the wrong
  // text could be shown.
  it('every text key that ends in “_other” is a plural form', () => {
    for (const texts of [zhCN, enUS, loginZh, loginEn]) {
      const keys = new Set(flat(texts).map(([key]) => key));
      expect(
        [...keys].filter((key) => key.endsWith('_other') && keys.has(key.replace(/_other$/, ''))),
      ).toEqual([]);
    }
  });

  it('every text of the login page is used', () => {
    const login = files
      .filter((file) => file.name.startsWith('login'))
      .map((file) => file.text)
      .join('\n');
    const used = (key: string): boolean =>
      login.includes(`loginTexts().${key}`) ||
      login.includes(`loginTexts().${key.split('.')[0]}[`) ||
      (login.includes(`loginTexts()[name]`) && ['username', 'password', 'otp'].includes(key));
    expect(
      flat(loginZh)
        .map(([key]) => key)
        .filter((key) => !used(key)),
    ).toEqual([]);
  });

  it('no text has an exclamation mark', () => {
    for (const texts of [zhCN, enUS, loginZh, loginEn])
      expect(flat(texts).filter(([, words]) => /[!！]|oops/i.test(words))).toEqual([]);
  });
});

/** Matches text between tags and in attributes that users read or hear. */
const literals = [
  />\s*[^<>{}()=;&|]*[\p{L}]{2,}[^<>{}()=;&|]*\s*<\//gu,
  /\s(?:title|label|placeholder|alt|aria-label|description|content|okText|cancelText)="[^"]*\p{L}{2,}[^"]*"/gu,
];

/** Units may be literal texts, because they are the same in every language. */
const units = /^>\s*(?:kg|cm|px)\s*<\/$/;

describe('JSX', () => {
  it.each(files.filter((file) => file.name.endsWith('.tsx')).map((file) => file.name))(
    'the JSX of %s has no literal text',
    (name) => {
      const text = files
        .find((file) => file.name === name)!
        .text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      expect(
        literals
          .flatMap((pattern) => text.match(pattern) ?? [])
          .filter((found) => !units.test(found)),
      ).toEqual([]);
    },
  );

  it('a literal text in JSX is reported', () => {
    expect('<p>Hello there</p>'.match(literals[0]!)).not.toBeNull();
    expect('<p>\n  保存\n</p>'.match(literals[0]!)).not.toBeNull();
    expect('<input placeholder="Search" />'.match(literals[1]!)).not.toBeNull();
    expect('<p>{t("a.b")}</p>'.match(literals[0]!)).toBeNull();
  });
});
