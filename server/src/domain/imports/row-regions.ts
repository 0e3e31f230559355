import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import { doubtfulBelow } from '@waystation/contract/parcels/address.ts';
import type { ImportField } from '@waystation/contract/imports/import.ts';
import { phoneText } from '@waystation/contract/parcels/phone.ts';
import { likelyPlace, parseAddress, placeOf } from '#domain/address/address.ts';
import { fixesByField, fixesOfPlace } from './places.ts';
import type { Sheet } from './row-texts.ts';

const partOf = {
  name: 'receive_name',
  phone: 'receive_phone',
  province: 'receive_province',
  city: 'receive_city',
  county: 'receive_county',
  address: 'receive_address',
} as const;

const regionFields = ['receive_province', 'receive_city', 'receive_county'] as const;

/**
 * Splits a region whose names are all in one column, such as 广东省/深圳市/南山区, into its three fields.
 */
const splitRegion = (sheet: Sheet): void => {
  const [only, ...more] = regionFields.filter((field) => sheet.text(field) !== '');
  if (only === undefined || more.length > 0) return;
  const found = parseAddress(
    sheet
      .text(only)
      .slice(0, 100)
      .replaceAll(/[\s/|>,，、·_-]+/g, ''),
  ).candidates[0];
  if (!found || found.province === '' || found.city === '' || found.address !== '') return;
  for (const [field, name] of [
    ['receive_province', found.province],
    ['receive_city', found.city],
    ['receive_county', found.county],
  ] as const)
    if (field === only) sheet.repair(field, name);
    else if (name !== '') sheet.values[field] = name;
};

/**
 * The largest number of characters of a text that is recognized. Names, phones and addresses are
 * shorter, and recognizing takes time for each character.
 */
export const longestText = 500;

/** Reads a free text, or a whole address in the address column, into the fields that are empty. */
export const readText = (sheet: Sheet): void => {
  splitRegion(sheet);
  const text = sheet.text('receive_text');
  const regions = [
    sheet.text('receive_province'),
    sheet.text('receive_city'),
    sheet.text('receive_county'),
  ];
  const whole = text || (regions.includes('') ? sheet.text('receive_address') : '');
  if (whole === '') return;
  if (whole.length > longestText)
    return text === ''
      ? undefined
      : sheet.say('receive_text', 'error', { code: 'too_long', params: { max: longestText } });
  const found = parseAddress(whole).candidates[0];
  if (!found) return;
  if (text === '')
    return readRegion(
      sheet,
      found,
      regions.every((region) => region === ''),
    );
  const address = sheet.text('receive_address');
  const phone = found.phone && phoneText({ number: found.phone, extension: found.extension });
  for (const [part, field] of Object.entries(partOf) as [
    keyof typeof partOf,
    (typeof partOf)[keyof typeof partOf],
  ][]) {
    const value = part === 'phone' ? phone : found[part];
    if (sheet.text(field) !== '' || value === '') continue;
    sheet.values[field] = value;
    if (found.confidence[part] < doubtfulBelow)
      sheet.say(field, 'warning', { code: 'import_text_doubtful' });
  }
  // If the free text contains only name and phone, the whole address is in another column.
  const apart =
    address !== '' && found.province === '' && regions.every((region) => region === '')
      ? parseAddress(address.slice(0, longestText)).candidates[0]
      : undefined;
  if (apart) readRegion(sheet, apart, true);
};

/**
 * Moves the region at the beginning of an address to the region's fields, and removes it from the
 * address if it is complete. If the sheet has region columns, only a county that fits them is
 * moved.
 */
const readRegion = (
  sheet: Sheet,
  { province, city, county, address }: AddressCandidate,
  isFree: boolean,
): void => {
  if (isFree) {
    for (const [field, name] of [
      ['receive_province', province],
      ['receive_city', city],
      ['receive_county', county],
    ] as const)
      if (name !== '') sheet.values[field] = name;
    if (province !== '' && address !== '') sheet.values['receive_address'] = address;
  } else if (
    county !== '' &&
    sheet.text('receive_county') === '' &&
    !('problem' in placeOf(sheet.text('receive_province'), sheet.text('receive_city'), county))
  )
    sheet.values['receive_county'] = county;
};

/**
 * Checks the province, city and county of the sender or recipient. `isOwn`: true if a field comes
 * from the row and not from the station's address. A place from the row is not changed to fit the
 * station.
 */
export const checkPlace = (
  sheet: Sheet,
  side: 'sender' | 'receive',
  isOwn: (field: ImportField) => boolean,
): void => {
  const names = [`${side}_province`, `${side}_city`, `${side}_county`] as const;
  const [province, city, county] = names.map((name) => sheet.text(name)) as [
    string,
    string,
    string,
  ];
  const found = placeOf(province, city, county);
  const likely = 'problem' in found ? likelyPlace({ province, city, county }) : null;
  const place = likely ?? found;
  if ('problem' in place) {
    const doubted = `${side}_${place.field}` as const;
    const fixed = fixesByField(place.field, { province, city, county }).filter(
      ([field]) => isOwn(doubted) || !isOwn(`${side}_${field}`),
    );
    for (const [field, fixes] of fixed)
      sheet.say(`${side}_${field}`, 'error', place.problem, fixes);
    if (fixed.length === 0) sheet.say(doubted, 'error', place.problem);
    return;
  }
  if ('problem' in found)
    sheet.say(
      county === '' ? names[1] : names[2],
      'warning',
      found.problem,
      county === '' ? [] : fixesOfPlace('county', { province, city, county }),
    );
  sheet.repair(names[0], place.province);
  sheet.repair(names[1], place.city);
  sheet.repair(names[2], place.county);
  const address = sheet.text(`${side}_address`);
  if (place.town && !address.startsWith(place.town))
    sheet.repair(`${side}_address`, place.town + address);
};

const senderRegion = ['sender_province', 'sender_city', 'sender_county'] as const;

/**
 * Reads the sender's region from the beginning of the sender's address, if the address comes from
 * the row and no column contains the region. The station's region belongs to the station's address.
 * It is therefore not added to an address that contains a region itself.
 */
export const readSender = (sheet: Sheet, isOwn: (field: ImportField) => boolean): void => {
  if (!isOwn('sender_address')) return;
  const found = parseAddress(sheet.text('sender_address').slice(0, longestText)).candidates[0];
  const named = {
    sender_province: found?.province ?? '',
    sender_city: found?.city ?? '',
    sender_county: found?.county ?? '',
  };
  const isElsewhere = named.sender_city !== '' || senderRegion.some(isOwn);
  if (isElsewhere) {
    for (const field of senderRegion) if (!isOwn(field)) sheet.values[field] = named[field];
    if (found && found.province !== '' && found.address !== '' && !senderRegion.some(isOwn))
      sheet.values['sender_address'] = found.address;
    return;
  }
  const [province, city] = [sheet.text('sender_province'), sheet.text('sender_city')];
  if (named.sender_county !== '' && !('problem' in placeOf(province, city, named.sender_county)))
    sheet.values['sender_county'] = named.sender_county;
};

/**
 * The beginning of an address that contains a region. Other addresses are not parsed for a region.
 */
const beginsWithRegion = /^(?:中国)?\p{Script=Han}{2,10}?(?:省|市|自治区|自治州|特别行政区)/u;

/**
 * Warns of an address that begins with another region than its region columns contain, for example
 * because only one column was sorted. Only a user can decide which region is right.
 */
export const warnOfOtherRegion = (sheet: Sheet): void => {
  for (const side of ['sender', 'receive'] as const) {
    const address = sheet.text(`${side}_address`);
    const [province, city] = [sheet.text(`${side}_province`), sheet.text(`${side}_city`)];
    if (!beginsWithRegion.test(address) || address.startsWith(province + city)) continue;
    const found = parseAddress(address.slice(0, 100)).candidates[0];
    if (!found || found.city === '' || (found.province === province && found.city === city))
      continue;
    const text = [...new Set([found.province, found.city])].join('');
    sheet.say(`${side}_address`, 'warning', { code: 'import_other_region', params: { text } });
  }
};
