import {
  carrierAddress,
  contactProblems,
  extensionPlace,
} from '@waystation/contract/parcels/carrier-text.ts';
import { parsePhone, phoneText } from '@waystation/contract/parcels/phone.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import type { CarrierOrder, CarrierParcel, Problems } from '#domain/carriers/port.ts';

export type Side = 'sender' | 'receive';

export const addressOf = (parcel: CarrierParcel, side: Side): string =>
  carrierAddress(
    parcel[`${side}_province`],
    parcel[`${side}_city`],
    parcel[`${side}_county`],
    visibleText(parcel[`${side}_address`]),
  );

export interface Contact {
  name: string;
  mobile?: string;
  phone?: string;
  fullAddress: string;
}

/**
 * One side of an order with JDL's fields. A mobile number has exactly 11 digits, and only a
 * landline may have an extension. The extension of any other number is written after the name as
 * `[1234]`, or after the address if the name has no room. A contact with problems must not be sent.
 */
export const contactOf = (
  order: CarrierOrder,
  side: Side,
): { contact: Contact; problems: Problems } => {
  const name = visibleText(order[`${side}_name`]).trim();
  const address = addressOf(order, side);
  const found = contactProblems({
    name,
    phone: order[`${side}_phone`],
    province: order[`${side}_province`],
    city: order[`${side}_city`],
    county: order[`${side}_county`],
    address: order[`${side}_address`],
  });
  const problems: Problems = Object.fromEntries(
    Object.entries(found).map(([part, reason]) => [`${side}_${part}`, reason]),
  );
  for (const part of ['name', 'phone', 'province', 'city', 'address'] as const)
    if (order[`${side}_${part}`].trim() === '') problems[`${side}_${part}`] = { code: 'required' };

  const phone = parsePhone(order[`${side}_phone`]);
  if (!phone) return { contact: { name, fullAddress: address }, problems };
  if (phone.kind === 'landline')
    return { contact: { name, phone: phoneText(phone), fullAddress: address }, problems };
  const { number, extension } = phone;
  const reached = phone.kind === 'mobile' ? { mobile: number } : { phone: number };
  const suffix = extension === '' ? '' : `[${extension}]`;
  const place = extensionPlace(name, address, extension);
  if (place === 'name')
    return { contact: { name: name + suffix, ...reached, fullAddress: address }, problems };
  return { contact: { name, ...reached, fullAddress: address + suffix }, problems };
};
