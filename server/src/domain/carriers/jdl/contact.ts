import type { Reason } from '@waystation/contract/envelope.ts';
import { parsePhone, phoneText } from '@waystation/contract/phone.ts';
import type { CarrierOrder, CarrierParcel, Problems } from '#domain/carriers/port.ts';
import { fullAddress } from './full-address.ts';

export type Side = 'sender' | 'receive';

export const nameLimit = 50;
export const addressLimit = 200;
/** Characters that the order form replaces; names and addresses with them are not sent. */
export const forbiddenCharacters = `'"#&+<>@`;

/** Characters that JDL refuses in a name: beyond the basic plane, private, unassigned, invisible, or pictographic. */
const rare = /[\u{10000}-\u{10ffff}]|\p{C}|\p{Extended_Pictographic}|[\ufe00-\ufe0f\u20e3]/gu;

export const lengthOf = (text: string): number => [...text].length;
const distinct = (characters: Iterable<string>): string => [...new Set(characters)].join('');

export const tooLong = (text: string, max: number): Reason | null =>
  lengthOf(text) > max ? { code: 'carrier_too_long', params: { max, count: lengthOf(text) } } : null;

const forbiddenIn = (text: string): Reason | null => {
  const found = distinct([...text].filter((character) => forbiddenCharacters.includes(character)));
  return found === '' ? null : { code: 'carrier_forbidden_characters', params: { characters: found } };
};

const nameProblem = (name: string): Reason | null => {
  if (name === '') return { code: 'required' };
  const found = distinct(name.match(rare) ?? []);
  if (found !== '') return { code: 'carrier_rare_characters', params: { characters: found } };
  return tooLong(name, nameLimit) ?? forbiddenIn(name);
};

export const addressOf = (parcel: CarrierParcel, side: Side): string =>
  fullAddress(parcel[`${side}_province`], parcel[`${side}_city`], parcel[`${side}_county`], parcel[`${side}_address`]);

export interface Contact {
  name: string;
  mobile?: string;
  phone?: string;
  fullAddress: string;
}

/**
 * One side of an order in JDL's form. A mobile has exactly 11 digits, and only a landline may have an extension, so the extension of any other number
 * follows the name as `[1234]`, or the address if the name has no room. A contact with problems must not be sent.
 */
export const contactOf = (order: CarrierOrder, side: Side): { contact: Contact; problems: Problems } => {
  const problems: Problems = {};
  const found = (part: string, reason: Reason | null): void => {
    if (reason) problems[`${side}_${part}`] ??= reason;
  };
  const name = order[`${side}_name`].trim();
  const address = addressOf(order, side);
  found('name', nameProblem(name));
  if (order[`${side}_province`].trim() === '') found('province', { code: 'required' });
  if (order[`${side}_city`].trim() === '') found('city', { code: 'required' });
  if (order[`${side}_address`].trim() === '') found('address', { code: 'required' });
  found('address', tooLong(address, addressLimit) ?? forbiddenIn(address));

  const phone = parsePhone(order[`${side}_phone`]);
  if (!phone) {
    found('phone', order[`${side}_phone`].trim() === '' ? { code: 'required' } : { code: 'carrier_phone' });
    return { contact: { name, fullAddress: address }, problems };
  }
  if (phone.kind === 'landline') return { contact: { name, phone: phoneText(phone), fullAddress: address }, problems };
  const { number, extension } = phone;
  const reached = phone.kind === 'mobile' ? { mobile: number } : { phone: number };
  const suffix = extension === '' ? '' : `[${extension}]`;
  if (lengthOf(name + suffix) <= nameLimit) return { contact: { name: name + suffix, ...reached, fullAddress: address }, problems };
  if (lengthOf(address + suffix) > addressLimit) found('phone', { code: 'carrier_extension', params: { extension } });
  return { contact: { name, ...reached, fullAddress: address + suffix }, problems };
};
