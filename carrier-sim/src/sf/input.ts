import { fieldsOf } from '#reading.ts';
import { readWallClock } from '#wall-clock.ts';
import { Refusal } from './answers.ts';
import type { Fields } from '#reading.ts';
import type { Contact, SfOrder } from './sf-order.ts';

const named = (code: string, message: string): never => {
  throw new Refusal(code, message);
};

/**
 * Reads a text with a limit of characters. Throws a refusal with the business code `missing` if it
 * is missing.
 */
const textIn = (fields: Fields, name: string, most: number, missing?: string): string => {
  const value = fields.raw(name);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text.trim() === '' && missing !== undefined) return named(missing, `${name}不能为空`);
  return [...text].length > most ? named('S0004', `${name}长度超过${most}`) : text;
};

const hour = 3_600_000;

/** Reads a pickup window from two local times. Without an end it lasts one hour. */
export const windowIn = (start: unknown, end: unknown): SfOrder['pickup'] => {
  if (start === undefined) return undefined;
  const from = readWallClock(String(start));
  const until = end === undefined ? from && from + hour : readWallClock(String(end));
  if (from === null || until === null || until <= from)
    return named('S0003', 'sendStartTm或pickupAppointEndTime有误');
  return { from, until };
};

/**
 * Reads the pickup window of a request that creates an order. Its end is in the list of extra
 * fields.
 */
const pickupIn = (fields: Fields): Pick<SfOrder, 'pickup'> => {
  const end = fields
    .maybeList('extraInfoList', 50)
    .find((extra) => extra.raw('attrName') === 'pickupAppointEndTime');
  const pickup = windowIn(fields.raw('sendStartTm'), end?.raw('attrVal'));
  return pickup === undefined ? {} : { pickup };
};

/** SF's codes for a missing name, phone or address of a contact. */
const missing = {
  1: { contact: '1011', phone: '1012', address: '1010' },
  2: { contact: '1015', phone: '1016', address: '1014' },
} as const;

export const readContact = (fields: Fields, type: 1 | 2): Contact => {
  const codes = missing[type];
  const mobile = textIn(fields, 'mobile', 20);
  const phone = mobile === '' ? textIn(fields, 'tel', 20) : mobile;
  if (phone === '') named(codes.phone, '电话不能为空');
  return {
    name: textIn(fields, 'contact', 100, codes.contact),
    phone,
    province: textIn(fields, 'province', 30),
    city: textIn(fields, 'city', 100),
    county: textIn(fields, 'county', 30),
    address: textIn(fields, 'address', 200, codes.address),
  };
};

/**
 * Checks a contact in a request that needs no name. Refuses the contact if its phone or its address
 * is missing.
 */
export const checkNameless = (fields: Fields, type: 1 | 2): void => {
  const codes = missing[type];
  if (textIn(fields, 'mobile', 20) === '' && textIn(fields, 'tel', 20) === '')
    named(codes.phone, '电话不能为空');
  textIn(fields, 'address', 200, codes.address);
};

const contacts = (fields: Fields): { sender: Contact; receiver: Contact } => {
  const list = fields.list('contactInfoList', 0, 5);
  const of = (type: 1 | 2): Fields =>
    list.find((contact) => Number(contact.raw('contactType')) === type) ??
    named(missing[type].address, '联系人信息不能为空');
  return { sender: readContact(of(1), 1), receiver: readContact(of(2), 2) };
};

const insuredOf = (fields: Fields): number => {
  const service = fields
    .maybeList('serviceList', 20)
    .find((candidate) => candidate.raw('name') === 'INSURE');
  return service === undefined ? 0 : Math.round(Number(service.raw('value')) * 100);
};

const mostPieces = 307;
const leastWeightOfSeveral = 6000;
const mostWeight = 300_000;

const piecesOf = (fields: Fields, weight: number): number => {
  const pieces = Number(fields.raw('parcelQty') ?? 1);
  if (!Number.isInteger(pieces) || pieces < 1) named('S0006', 'parcelQty小于下限');
  if (pieces > mostPieces) named('8067', '件数超过307');
  if (pieces > 1 && weight <= leastWeightOfSeveral) named('S0006', '子母件总重量须大于6kg');
  return pieces;
};

type Draft = Pick<
  SfOrder,
  | 'order_id'
  | 'card'
  | 'product'
  | 'weight'
  | 'pieces'
  | 'insured'
  | 'goods'
  | 'remark'
  | 'sender'
  | 'receiver'
  | 'pickup'
>;

/** Reads a request that creates an order. Refuses the first invalid field. */
export const readDraft = (fields: Fields): Draft => {
  const weight = Math.round(Number(fields.raw('totalWeight') ?? 1) * 1000);
  if (weight > mostWeight) named('20012', '重量超过300kg');
  const cargo = fields.maybeList('cargoDetails', 100);
  const [first] = cargo;
  if (first === undefined) return named('1023', '托寄物不能为空');
  return {
    order_id: textIn(fields, 'orderId', 64, '6118'),
    card: textIn(fields, 'monthlyCard', 20),
    product: Number(fields.raw('expressTypeId') ?? 1),
    weight,
    pieces: piecesOf(fields, weight),
    insured: insuredOf(fields),
    goods: textIn(first, 'name', 128, '1023'),
    remark: textIn(fields, 'remark', 100),
    ...pickupIn(fields),
    ...contacts(fields),
  };
};

/** Reads the JSON object in `msgData`; throws a Refusal if it is no object. */
export const objectIn = (msgData: unknown): Fields => {
  try {
    return fieldsOf(msgData, '');
  } catch {
    throw new Refusal('S0001', '非法的JSON格式');
  }
};
