import { visibleText } from '@waystation/contract/base/visible-text.ts';
import { carrierTooLong as tooLong } from '@waystation/contract/parcels/carrier-text.ts';
import { parsePhone, phoneText } from '@waystation/contract/parcels/phone.ts';
import type { CarrierOrder, CarrierParcel, Problems } from '#domain/carriers/port.ts';

export type Side = 'sender' | 'receive';

/** SF's codes for the sender and the receiver of an order. */
export const contactTypes = { sender: 1, receive: 2 } as const;

const longest = { name: 100, province: 30, city: 100, county: 30, address: 200 } as const;

/**
 * The name of the city for SF. In a municipality, the official divisions have the placeholder 市辖区
 * as the city; SF gets the province instead.
 */
const cityOf = (parcel: CarrierParcel, side: Side): string =>
  parcel[`${side}_city`] === '市辖区' ? parcel[`${side}_province`] : parcel[`${side}_city`];

/** The place of the sender or recipient, for SF services that need no name. */
export const placeOf = (parcel: CarrierParcel, side: Side) => ({
  province: parcel[`${side}_province`],
  city: cityOf(parcel, side),
  county: parcel[`${side}_county`],
  address: visibleText(parcel[`${side}_address`]).trim(),
});

/** Puts a phone into the field that SF has for its kind. */
const reachedBy = (phone: ReturnType<typeof parsePhone>) => {
  if (phone === null) return {};
  return phone.kind === 'mobile'
    ? { mobile: phone.number }
    : { tel: phone.kind === 'landline' ? phoneText(phone) : phone.number };
};

/** The place and phone of the sender or recipient, without a name; null if the phone is unknown. */
export const reachableEnd = (parcel: CarrierParcel, side: Side) => {
  const phone = parsePhone(parcel[`${side}_phone`] ?? '');
  return phone === null
    ? null
    : { contactType: contactTypes[side], ...reachedBy(phone), ...placeOf(parcel, side) };
};

/**
 * One contact of an order with SF's fields. The extension of a virtual number is written after the
 * name as `[1234]`, as shops print it on labels. A landline keeps its extension.
 */
export const contactOf = (order: CarrierOrder, side: Side) => {
  const phone = parsePhone(order[`${side}_phone`]);
  const name = visibleText(order[`${side}_name`]).trim();
  const named = phone && phone.kind !== 'landline' && phone.extension !== '';
  return {
    contactType: contactTypes[side],
    contact: named ? `${name}[${phone.extension}]` : name,
    ...reachedBy(phone),
    country: 'CN',
    ...placeOf(order, side),
  };
};

/** The reasons why SF would refuse one side of an order, under our field names. */
export const contactProblems = (order: CarrierOrder, side: Side): Problems => {
  const contact = contactOf(order, side);
  const texts = {
    name: contact.contact,
    province: contact.province,
    city: contact.city,
    county: contact.county,
    address: contact.address,
  };
  const problems: Problems = {};
  for (const part of Object.keys(texts) as (keyof typeof texts)[]) {
    if (part !== 'county' && texts[part].trim() === '')
      problems[`${side}_${part}`] = { code: 'required' };
    const long = tooLong(texts[part], longest[part]);
    if (long) problems[`${side}_${part}`] = long;
  }
  if (order[`${side}_phone`].trim() === '') problems[`${side}_phone`] = { code: 'required' };
  else if (parsePhone(order[`${side}_phone`]) === null)
    problems[`${side}_phone`] = { code: 'carrier_phone' };
  return problems;
};
