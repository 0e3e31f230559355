import { Unreadable } from '#reading.ts';
import { placeOf } from './places.ts';
import { cashOnDeliveryCode, insuranceCode, productOf, services, warmLayers } from './products.ts';
import type { Fields } from '#reading.ts';
import type { Contact } from './order.ts';

const mobileShape = /^1[3-9]\d{9}$/;
const phoneShape = /^(?:0\d{2,3}-?\d{7,8}(?:-\d{1,6})?|[48]00-?\d{3}-?\d{4})$/;
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Presentation}|\u200d|\ufe0f/u;
const mostMoney = 30_000_000;

/**
 * Checks a name that the carrier's machines must be able to print: no emoji, and only characters of
 * the basic multilingual plane.
 */
const checkName = (name: string, at: string): void => {
  if (emoji.test(name)) throw new Unreadable(at, 'must not hold emoji');
  if ([...name].some((letter) => letter.length > 1))
    throw new Unreadable(at, 'must not hold rare characters');
};

/**
 * Reads the full address. Throws Unreadable if it does not begin with a province and a city, as the
 * carrier requires.
 */
export const readAddress = (contact: Fields): string => {
  const address = contact.text('fullAddress', 1, 200);
  if (placeOf(address) === null)
    throw new Unreadable(`${contact.path}.fullAddress`, 'must begin with province and city');
  return address;
};

export const readContact = (contact: Fields, strictNames: boolean): Contact => {
  const name = contact.text('name', 1, 50);
  if (strictNames) checkName(name, `${contact.path}.name`);
  const mobile = contact.maybeText('mobile', 50) ?? '';
  const phone = contact.maybeText('phone', 50) ?? '';
  if (mobile === '' && phone === '')
    throw new Unreadable(`${contact.path}.mobile`, 'or phone must be given');
  if (mobile !== '' && !mobileShape.test(mobile))
    throw new Unreadable(`${contact.path}.mobile`, 'must be one number of exactly 11 digits');
  if (phone !== '' && !phoneShape.test(phone))
    throw new Unreadable(`${contact.path}.phone`, 'must be a landline number');
  contact.maybeText('company', 50);
  contact.maybeText('warehouseCode', 50);
  return { name, mobile, phone, address: readAddress(contact) };
};

export type Cargo = { goods: string; pieces: number; weight: number; volume: number };

/** Reads a weight in kilograms with at most two decimals, and returns grams. */
const grams = (cargo: Fields): number => {
  const kilograms = cargo.number('weight', 0, 10_000);
  const tens = Math.round(kilograms * 100);
  if (tens <= 0) throw new Unreadable(`${cargo.path}.weight`, 'must be above 0');
  if (Math.abs(kilograms * 100 - tens) > 1e-6)
    throw new Unreadable(`${cargo.path}.weight`, 'must have at most 2 decimals');
  return tens * 10;
};

/** Reads the goods of an order, which may have only one kind of goods. */
export const readCargo = (body: Fields): Cargo => {
  const cargo = body.list('cargoes', 1, 1)[0] as Fields;
  const volume = cargo.number('volume', 0, 1e12);
  if (volume <= 0) throw new Unreadable(`${cargo.path}.volume`, 'must be above 0');
  for (const side of ['length', 'width', 'hight']) cargo.maybeNumber(side, 0, 100_000);
  cargo.maybeText('remark', 200);
  return {
    goods: cargo.text('name', 1, 200),
    pieces: cargo.whole('quantity', 1, 99_999_999),
    weight: grams(cargo),
    volume: Math.ceil(volume),
  };
};

export type Products = {
  product_code: string;
  services: string[];
  insured: number;
  cash_on_delivery: number;
};

/** Reads a sum in yuan, as a text or number with at most two decimals, and returns fen. */
const money = (service: Fields, name: string): number => {
  const at = `${service.path}.productAttrs.${name}`;
  const found = service.inside('productAttrs').raw(name);
  const text = typeof found === 'number' ? String(found) : found;
  if (typeof text !== 'string' || !/^\d{1,6}(?:\.\d{1,2})?$/.test(text))
    throw new Unreadable(at, 'must be a sum in yuan');
  const [whole, part = ''] = text.split('.') as [string, string?];
  const fen = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  if (fen <= 0 || fen > mostMoney) throw new Unreadable(at, 'must be above 0 and at most 300000');
  return fen;
};

const readServices = (lists: readonly Fields[]): Omit<Products, 'product_code'> => {
  let insured = 0;
  let cashOnDelivery = 0;
  const codes = lists.map((service) => {
    const code = service.text('productCode', 1, 50);
    if (!services.has(code))
      throw new Unreadable(`${service.path}.productCode`, 'is not a service');
    if (code === insuranceCode) insured = money(service, 'guaranteeMoney');
    if (code === cashOnDeliveryCode) cashOnDelivery = money(service, 'shouldPayMoney');
    return code;
  });
  return { services: codes, insured, cash_on_delivery: cashOnDelivery };
};

/**
 * Reads the product with its added services. Some clients put the services beside the product
 * instead of inside it.
 */
export const readProducts = (body: Fields): Products => {
  const request = body.inside('productsReq');
  const code = request.text('productCode', 1, 50);
  const product = productOf(code);
  if (product === undefined) throw new Unreadable('productsReq.productCode', 'is not a product');
  const layer = request.maybeInside('productAttrs')?.raw('warmLayer');
  if (product.cold && code !== 'll-m-0015' && !warmLayers.includes(String(layer))) {
    throw new Unreadable(
      'productsReq.productAttrs.warmLayer',
      `must be one of ${warmLayers.join(', ')}`,
    );
  }
  const added = [...request.maybeList('addedProducts', 20), ...body.maybeList('addedProducts', 20)];
  return { product_code: code, ...readServices(added) };
};

/**
 * Reads who pays: 1 sender, 2 receiver, 3 monthly account; 5 several parties, only for pickups and
 * returns.
 */
export const readSettleType = (body: Fields, origin: number): number => {
  const type = body.choice('settleType', [1, 2, 3, 5]);
  if (type === 5 && origin !== 2)
    throw new Unreadable('settleType', 'may be 5 only with orderOrigin 2');
  return type;
};
