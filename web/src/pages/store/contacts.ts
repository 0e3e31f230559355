import type { Contact } from '@waystation/contract/people/contact.ts';
import type { Party } from '#parcels/orders/form.ts';

/**
 * The text to search in the address book while the user types a name or phone. '' if the text is
 * too short: fewer than four digits or fewer than two characters.
 */
export const contactQuery = (typed: string): string => {
  const text = typed.normalize('NFKC').trim();
  const digits = text.replaceAll(/[\s-]/g, '');
  if (/^\d+$/.test(digits)) return digits.length >= 4 ? digits : '';
  return [...text].length >= 2 ? text : '';
};

export const partyFrom = ({
  id,
  name,
  phone,
  province,
  city,
  county,
  address,
}: Contact): Party => ({
  contact_id: id,
  name,
  phone,
  place: { province, city, county },
  address,
});

/**
 * True if a person can be stored in the address book. The details must be complete, and they must
 * differ from the contact that they were taken from.
 */
export const isNews = ({ contact_id, name, phone, place, address }: Party): boolean =>
  contact_id === null &&
  name.trim() !== '' &&
  phone.trim() !== '' &&
  place.city !== '' &&
  address.trim() !== '';

/**
 * True if both are the same person with the same address. The objects may differ, because each
 * recognition returns a new object.
 */
export const isSamePerson = (one: Party, other: Party): boolean =>
  one.name === other.name &&
  one.phone === other.phone &&
  one.address === other.address &&
  one.place.province === other.place.province &&
  one.place.city === other.place.city &&
  one.place.county === other.place.county;
