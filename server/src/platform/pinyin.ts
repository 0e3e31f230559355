import { narrow } from '@waystation/contract/shell/search.ts';
import readings from './pinyin-readings.json' with { type: 'json' };

/**
 * The tables whose rows can be found by the pinyin of a name, each with the column of that name.
 */
export const pinyinNames = {
  contacts: 'name',
  stations: 'name',
  vouchers: 'name',
  accounts: 'nickname',
} as const;

/**
 * The limits of the keys stored for a name: start positions, pronunciations, and characters per
 * key.
 */
const limits = { starts: 24, variants: 4, characters: 20 } as const;

type Readings = ReadonlyMap<string, readonly string[]>;

/**
 * The pronunciations of each of 21,000 characters, the most usual one first. The map is created
 * when it is first used.
 */
let known: Readings | null = null;
const allReadings = (): Readings => {
  if (known) return known;
  const made = new Map<string, string[]>();
  for (const group of [readings.usual, readings.further])
    for (const [reading, characters] of Object.entries(group))
      for (const character of characters)
        made.set(character, [...(made.get(character) ?? []), reading]);
  known = made;
  return made;
};

/**
 * A Chinese character with its pronunciations, or a sequence of letters and digits. Other
 * characters are left out.
 */
type Part = { han: true; readings: readonly string[] } | { han: false; run: string };

const partsOf = (text: string): Part[] =>
  (text.toLowerCase().match(/\p{Script=Han}|[a-z\d]+/gu) ?? []).flatMap((piece): Part[] => {
    if (/^[a-z\d]/.test(piece)) return [{ han: false, run: piece }];
    const of = allReadings().get(piece);
    return of === undefined ? [] : [{ han: true, readings: of }];
  });

/**
 * A part of a name: the whole text and its initial. The initial of a sequence of letters and digits
 * is the sequence itself.
 */
interface Syllable {
  whole: string;
  initial: string;
}

/**
 * Returns the pronunciations of a name, the most usual one first. A character with several
 * pronunciations gives the name several pronunciations.
 */
const variantsOf = (parts: readonly Part[]): Syllable[][] => {
  let variants: Syllable[][] = [[]];
  for (const part of parts) {
    const ways = part.han ? part.readings : [part.run];
    variants = ways
      .flatMap((whole) =>
        variants.map((before) => [
          ...before,
          { whole, initial: part.han ? whole.slice(0, 1) : whole },
        ]),
      )
      .slice(0, limits.variants);
  }
  return variants;
};

/**
 * Returns the first letter of each character's most usual pronunciation, such as `sjpj` for 手机配件.
 * Letters and digits stay, and other characters are left out.
 */
export const pinyinInitials = (text: string): string =>
  partsOf(text)
    .map((part) => (part.han ? part.readings[0]!.slice(0, 1) : part.run))
    .join('');

/**
 * Returns the keys by which typed pinyin finds a name, separated by spaces. For each character of
 * the name they are the pinyin and the initials from this character to the end. 王明 has `wangming
 * ming wm`; a name without a Chinese character has none.
 */
export const pinyinKeys = (name: string): string => {
  const parts = partsOf(name);
  if (!parts.some(({ han }) => han)) return '';
  const keys = new Set<string>();
  for (const syllables of variantsOf(parts))
    for (let start = 0; start < Math.min(syllables.length, limits.starts); start++)
      for (const form of ['whole', 'initial'] as const) {
        const key = syllables
          .slice(start, start + limits.characters)
          .map((syllable) => syllable[form])
          .join('')
          .slice(0, limits.characters);
        if (key.length > 1) keys.add(key);
      }
  return [...keys].join(' ');
};

/**
 * Returns a typed text as pinyin, such as `wangxiaoming` for `wang'xiao ming`; null if the text is
 * no pinyin.
 */
export const typedPinyin = (text: string): string | null => {
  const typed = narrow(text)
    .toLowerCase()
    .replaceAll('ü', 'v')
    .replaceAll(/[\s'’]/g, '');
  return /^[a-z][a-z\d]+$|^\d+[a-z][a-z\d]*$/.test(typed)
    ? typed.slice(0, limits.characters)
    : null;
};

/** Returns the columns to write. If they contain a name, adds its pinyin. */
export const withPinyin = <V extends object>(table: string, values: V): V => {
  if (!Object.hasOwn(pinyinNames, table)) return values;
  const name: unknown = Reflect.get(values, pinyinNames[table as keyof typeof pinyinNames]);
  return typeof name === 'string' ? { ...values, pinyin: pinyinKeys(name) } : values;
};
