/**
 * Checks the names, addresses and texts of a parcel against the rules of the carrier. The order
 * form checks them before ordering, and the server when it orders. The rules are those of JD
 * Logistics and apply to the orders of every carrier.
 */
import type { Reason } from '#base/envelope.ts';
import { noteLength, orderNumberLength, remarkLength } from '#base/limits.ts';
import { parsePhone } from './phone.ts';
import { printableText, unprintableIn } from './printable.ts';
import { visibleText } from '#base/visible-text.ts';

/** The largest number of characters in a name, and in a whole address including the province. */
export const carrierNameLength = 50;
export const carrierAddressLength = 200;
/** Characters that the carrier refuses in names and addresses. */
export const carrierForbidden = `'"#&+<>@`;

/** The largest number of refused characters that a warning lists. */
const mostNamedSigns = 20;

/**
 * Characters that the carrier refuses in a name: those beyond Unicode's basic plane, and private,
 * unassigned, invisible or pictographic characters.
 */
const rare = /[\u{10000}-\u{10ffff}]|\p{C}|\p{Extended_Pictographic}|[\ufe00-\ufe0f\u20e3]/gu;
/**
 * The characters that have no meaning in a name and are removed. A rare Chinese character may be
 * part of a real name, so a person must decide about it.
 */
const meaningless =
  /\p{C}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\ufe00-\ufe0f\u20e3]/gu;

const lengthOf = (text: string): number => [...text].length;
const distinct = (characters: Iterable<string>): string => [...new Set(characters)].join('');

export const carrierTooLong = (text: string, max: number): Reason | null =>
  lengthOf(text) > max
    ? { code: 'carrier_too_long', params: { max, count: lengthOf(text) } }
    : null;

const forbiddenIn = (text: string): Reason | null => {
  const found = distinct([...text].filter((character) => carrierForbidden.includes(character)));
  return found === ''
    ? null
    : { code: 'carrier_forbidden_characters', params: { characters: found } };
};

/** The error for a text that has characters but none that can be printed. */
const unprintable = (text: string): Reason | null =>
  printableText(text) === ''
    ? { code: 'label_nothing_printable', params: { text: [...text].slice(0, 20).join('') } }
    : null;

/**
 * The reason why the carrier would refuse this name; null if it would not, or if the name is empty.
 */
export const carrierNameProblem = (name: string): Reason | null => {
  const found = distinct(name.match(rare) ?? []);
  if (found !== '') return { code: 'carrier_rare_characters', params: { characters: found } };
  return carrierTooLong(name, carrierNameLength) ?? forbiddenIn(name) ?? unprintable(name);
};

/** Placeholder names in the official divisions, which no address contains. */
const placeholders = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划']);

/**
 * Joins province, city, county and address to one text without repeats, as the carrier gets it. A
 * municipality is written once, and names that the address repeats are removed ("北京市", "市辖区",
 * "朝阳区", "北京市朝阳区示例路1号" → "北京市朝阳区示例路1号"). Only whole names are removed, so 朝阳路 in 朝阳区 stays.
 */
export const carrierAddress = (
  province: string,
  city: string,
  county: string,
  address: string,
): string => {
  const divisions: string[] = [];
  for (const name of [province, city, county].map((part) => part.trim()))
    if (name !== '' && !placeholders.has(name) && !divisions.includes(name)) divisions.push(name);
  let rest = address.trim();
  // Some users write a municipality twice: 北京市北京市朝阳区.
  for (const name of divisions)
    while (rest.startsWith(name)) rest = rest.slice(name.length).trimStart();
  return divisions.join('') + rest;
};

/** The reason why the carrier would refuse this whole address; null if it would not. */
export const carrierAddressProblem = (whole: string): Reason | null =>
  carrierTooLong(whole, carrierAddressLength) ?? forbiddenIn(whole);

/**
 * The position of a mobile number's extension: after the name or after the address; `nowhere` if
 * neither has room for it.
 */
export const extensionPlace = (
  name: string,
  whole: string,
  extension: string,
): 'name' | 'address' | 'nowhere' => {
  const added = extension === '' ? 0 : extension.length + 2;
  if (lengthOf(name) + added <= carrierNameLength) return 'name';
  return lengthOf(whole) + added <= carrierAddressLength ? 'address' : 'nowhere';
};

export interface CarrierContact {
  name: string;
  phone: string;
  province: string;
  city: string;
  county: string;
  address: string;
}

export type ContactProblems = Partial<Record<'name' | 'phone' | 'address', Reason>>;

/**
 * The reasons why the carrier would refuse this sender or receiver; empty parts are not checked.
 */
export const contactProblems = ({
  phone,
  province,
  city,
  county,
  ...written
}: CarrierContact): ContactProblems => {
  const problems: ContactProblems = {};
  const [name, address] = [visibleText(written.name).trim(), visibleText(written.address).trim()];
  const whole = carrierAddress(province, city, county, address);
  const found = (part: keyof ContactProblems, reason: Reason | null): void => {
    if (reason !== null) problems[part] = reason;
  };
  if (name !== '') found('name', carrierNameProblem(name));
  if (address !== '') found('address', carrierAddressProblem(whole) ?? unprintable(address));
  if (phone.trim() === '') return problems;
  const read = parsePhone(phone);
  if (read === null) found('phone', { code: 'carrier_phone' });
  else if (read.kind !== 'landline' && extensionPlace(name, whole, read.extension) === 'nowhere')
    found('phone', { code: 'carrier_extension', params: { extension: read.extension } });
  return problems;
};

const noteBounds = {
  remark: remarkLength,
  description: noteLength,
  thr_order_id: orderNumberLength,
} as const;

/** The errors for notes and numbers of an order that are too long. */
export const noteProblems = (
  texts: Readonly<Record<keyof typeof noteBounds, string>>,
): Partial<Record<keyof typeof noteBounds, Reason>> =>
  Object.fromEntries(
    (Object.keys(noteBounds) as (keyof typeof noteBounds)[]).flatMap((name) => {
      const problem = carrierTooLong(texts[name].trim(), noteBounds[name]);
      return problem === null ? [] : [[name, problem]];
    }),
  );

/** Accepted characters that look like refused ones; a `#` after a number becomes 号. */
const replacements: Readonly<Record<string, string>> = {
  "'": '’',
  '"': '”',
  '#': '＃',
  '&': '＆',
  '+': '＋',
  '<': '＜',
  '>': '＞',
  '@': '＠',
};

/** The fields of a parcel that its label prints without changes. */
export const labelFields = [
  'receive_name',
  'receive_address',
  'sender_name',
  'sender_address',
  'goods',
  'remark',
  'thr_order_id',
] as const;

/**
 * A warning with the characters that the label will omit; null if there are none. The order keeps
 * the text unchanged.
 */
export const labelWarning = (text: string): Reason | null => {
  const found = unprintableIn(visibleText(text));
  return found.length === 0
    ? null
    : {
        code: 'label_unprintable',
        params: { characters: found.slice(0, mostNamedSigns).join(' ') },
      };
};

/**
 * Returns an address, or any other text, in which the characters that the carrier forbids are
 * replaced.
 */
export const replacedForCarrier = (text: string): string =>
  text
    .replace(/([\dA-Za-z])#/g, '$1号')
    .replace(/['"#&+<>@]/g, (character) => replacements[character]!);

/**
 * Removes emoji and invisible characters from a name, and replaces characters that the carrier
 * refuses.
 */
export const replacedNameForCarrier = (name: string): string =>
  replacedForCarrier(name.replace(meaningless, '')).replace(/\s+/g, ' ').trim();
