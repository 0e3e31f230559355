import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Reads the titles of all dialogs from the source code of the pages. A new dialog therefore needs
// no change here.

const web = join(import.meta.dirname, '..', '..', 'web', 'src');
export type Language = 'zh-CN' | 'en-US';

const opening = /<(?:FormDialog|Modal|Drawer|FormDrawer|RecordDrawer|DetailDrawer)\b/g;

/**
 * The source code of a dialog's `title={…}`, up to the matching closing brace. '' if the dialog has
 * no such title.
 */
const titleIn = (text: string): string => {
  const at = text.search(/\btitle=\{/);
  if (at < 0) return '';
  let depth = 0;
  for (let end = text.indexOf('{', at); end < text.length; end += 1) {
    if (text[end] === '{') depth += 1;
    if (text[end] === '}') depth -= 1;
    if (depth === 0) return text.slice(at, end);
  }
  return '';
};

/** The keys of the texts that are used as titles of dialogs. */
export const titleKeys = (): string[] => {
  const keys = new Set<string>();
  for (const file of globSync('{pages,parcels,money,printing,resource}/**/*.tsx', { cwd: web })) {
    const source = readFileSync(join(web, file), 'utf8');
    for (const { index } of source.matchAll(opening)) {
      const title = titleIn(source.slice(index, index + 600));
      for (const [, key] of title.matchAll(/'([a-z_]+\.[a-z_.]+)'/g)) keys.add(key!);
    }
  }
  return [...keys].toSorted();
};

type Texts = { readonly [key: string]: string | Texts };

/**
 * A pattern for each title. It is the text of the title, in which any text may stand for a
 * parameter.
 */
export const patternsOf = async (
  language: Language,
  keys: readonly string[],
): Promise<Map<string, RegExp>> => {
  const file = (await import(
    pathToFileURL(join(web, 'locales', language, `${language}.ts`)).href
  )) as Readonly<Record<string, Texts>>;
  const [texts] = Object.values(file);
  const found = (key: string): string | Texts | undefined =>
    key
      .split('.')
      .reduce<string | Texts | undefined>(
        (part, name) => (typeof part === 'object' ? part[name] : undefined),
        texts,
      );
  /** The forms of a text: either one form, or a singular and a plural form. */
  const textsOf = (key: string): string[] => {
    const forms = ['', '_one', '_other']
      .map((form) => found(key + form))
      .filter((text) => typeof text === 'string');
    if (forms.length === 0) throw new Error(`no text called ${key}`);
    return forms;
  };
  const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const patternOf = (text: string): string =>
    text
      .split(/\{\w+\}/)
      .map(escaped)
      .join('.*');
  return new Map(
    keys.map((key) => [key, new RegExp(`^(?:${textsOf(key).map(patternOf).join('|')})`)]),
  );
};
