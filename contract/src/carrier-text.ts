/**
 * Which names, addresses and texts the carrier takes: said by the order form before ordering, and checked by the server when it orders. The rule is JD
 * Logistics', the one carrier there is; it applies to every order.
 */
import type { Reason } from './envelope.ts';
import { noteLength, orderNumberLength, remarkLength } from './limits.ts';
import { parsePhone } from './phone.ts';
import { printableText, unprintableIn } from './printable.ts';
import { visibleText } from './visible-text.ts';

/** Characters of a name, and of a whole address from its province on. */
export const carrierNameLength = 50;
export const carrierAddressLength = 200;
/** Characters that the carrier refuses in names and addresses. */
export const carrierForbidden = `'"#&+<>@`;

/** Characters that a warning names. */
const mostNamedSigns = 20;

/** Characters that the carrier refuses in a name: beyond the basic plane, private, unassigned, invisible, or pictographic. */
const rare = /[\u{10000}-\u{10ffff}]|\p{C}|\p{Extended_Pictographic}|[\ufe00-\ufe0f\u20e3]/gu;
/** Of these what means nothing in a name; a rare Chinese character is somebody's name and is left to a person. */
const meaningless = /\p{C}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\ufe00-\ufe0f\u20e3]/gu;

const lengthOf = (text: string): number => [...text].length;
const distinct = (characters: Iterable<string>): string => [...new Set(characters)].join('');

export const carrierTooLong = (text: string, max: number): Reason | null =>
  lengthOf(text) > max ? { code: 'carrier_too_long', params: { max, count: lengthOf(text) } } : null;

const forbiddenIn = (text: string): Reason | null => {
  const found = distinct([...text].filter((character) => carrierForbidden.includes(character)));
  return found === '' ? null : { code: 'carrier_forbidden_characters', params: { characters: found } };
};

/** A text of which the label would print nothing. */
const unprintable = (text: string): Reason | null =>
  printableText(text) === '' ? { code: 'label_nothing_printable', params: { text: [...text].slice(0, 20).join('') } } : null;

/** What is wrong with a name that is not empty. */
export const carrierNameProblem = (name: string): Reason | null => {
  const found = distinct(name.match(rare) ?? []);
  if (found !== '') return { code: 'carrier_rare_characters', params: { characters: found } };
  return carrierTooLong(name, carrierNameLength) ?? forbiddenIn(name) ?? unprintable(name);
};

/** Placeholders for "no city of its own" in the official divisions, which are no part of an address. */
const placeholders = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划']);

/**
 * Province + city + county + address as one text without repeats, as the carrier gets it: a municipality appears once, and divisions that the address
 * repeats are removed ("北京市", "市辖区", "朝阳区", "北京市朝阳区示例路1号" → "北京市朝阳区示例路1号"). Only whole names are removed, so 朝阳路 in 朝阳区 stays.
 */
export const carrierAddress = (province: string, city: string, county: string, address: string): string => {
  const divisions: string[] = [];
  for (const name of [province, city, county].map((part) => part.trim()))
    if (name !== '' && !placeholders.has(name) && !divisions.includes(name)) divisions.push(name);
  let rest = address.trim();
  // Some users write a municipality twice: 北京市北京市朝阳区.
  for (const name of divisions) while (rest.startsWith(name)) rest = rest.slice(name.length).trimStart();
  return divisions.join('') + rest;
};

/** What is wrong with a whole address. */
export const carrierAddressProblem = (whole: string): Reason | null => carrierTooLong(whole, carrierAddressLength) ?? forbiddenIn(whole);

/** Where the extension of a number goes that is no landline: behind the name, or behind the address; `nowhere` has no room in either. */
export const extensionPlace = (name: string, whole: string, extension: string): 'name' | 'address' | 'nowhere' => {
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

/** What the carrier would refuse of a sender or receiver; parts that are empty are left out. */
export const contactProblems = ({ phone, province, city, county, ...written }: CarrierContact): ContactProblems => {
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

const noteBounds = { remark: remarkLength, description: noteLength, thr_order_id: orderNumberLength } as const;

/** What is too long of an order's notes and numbers. */
export const noteProblems = (texts: Readonly<Record<keyof typeof noteBounds, string>>): Partial<Record<keyof typeof noteBounds, Reason>> =>
  Object.fromEntries(
    (Object.keys(noteBounds) as (keyof typeof noteBounds)[]).flatMap((name) => {
      const problem = carrierTooLong(texts[name].trim(), noteBounds[name]);
      return problem === null ? [] : [[name, problem]];
    }),
  );

/** What looks the same and is taken; `#` behind a number is read 号. */
const replacements: Readonly<Record<string, string>> = { "'": '’', '"': '”', '#': '＃', '&': '＆', '+': '＋', '<': '＜', '>': '＞', '@': '＠' };

/** Fields of a parcel that its label prints as they are written. */
export const labelFields = ['receive_name', 'receive_address', 'sender_name', 'sender_address', 'goods', 'remark', 'thr_order_id'] as const;

/** What of a text its label will leave out; the text itself is ordered as it is written. */
export const labelWarning = (text: string): Reason | null => {
  const found = unprintableIn(visibleText(text));
  return found.length === 0 ? null : { code: 'label_unprintable', params: { characters: found.slice(0, mostNamedSigns).join(' ') } };
};

/** An address, or any other text, with what the carrier takes in place of its forbidden characters. */
export const replacedForCarrier = (text: string): string =>
  text.replace(/([\dA-Za-z])#/g, '$1号').replace(/['"#&+<>@]/g, (character) => replacements[character]!);

/** The same of a name, also without pictures and invisible characters. */
export const replacedNameForCarrier = (name: string): string => replacedForCarrier(name.replace(meaningless, '')).replace(/\s+/g, ' ').trim();
