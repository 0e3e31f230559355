import { draw, drawOne, drawWhole } from '#draw.ts';
import { shortCity } from './places.ts';
import type { Place } from './places.ts';

/** A made-up outlet of the carrier. Every address in one county has the same outlet. */
export type Station = { number: string; code: string; name: string };

const digits = (value: number, width: number): string => String(value).padStart(width, '0');
const townOf = (place: Place): string => place.county || shortCity(place);

export const stationOf = (place: Place): Station => {
  const number = digits(
    drawWhole(100_000, 999_999, 'station', place.province, place.city, place.county),
    6,
  );
  return {
    number,
    code: `${number.slice(0, 3)}E${number.slice(3)}`,
    name: `*${townOf(place)}示例营业部`,
  };
};

/** The sort centre of a city with its cross code (gate) and trolley code. */
export type SortCentre = { id: string; name: string; crossCode: string; trolleyCode: string };

export const sortCentreOf = (place: Place): SortCentre => {
  const key = [place.province, place.city] as const;
  return {
    id: digits(drawWhole(100_000, 999_999, 'sort centre', ...key), 6),
    name: `${shortCity(place)}示例分拣中心`,
    crossCode: digits(drawWhole(1, 99, 'cross', ...key), 2),
    trolleyCode: `${drawOne([...'ABCDEFGH'], 'trolley letter', ...key)}${drawWhole(1, 9, 'trolley', ...key)}`,
  };
};

/** Returns the courier's route for an address, three digits. */
export const roadOf = (place: Place): string =>
  digits(
    drawWhole(1, 199, 'road', place.province, place.city, place.county, place.rest.slice(0, 6)),
    3,
  );

export const bagPlaceOf = (place: Place): string => `${townOf(place)}示例集包地`;
export const coverCodeOf = (place: Place): string =>
  drawOne([...'BCDGHJKLMTWXYZ'], 'cover', place.province, place.city);
export const distributeCodeOf = (place: Place): string =>
  digits(drawWhole(1, 999, 'distribute', place.province, place.city, place.county), 3);

const couriers = ['示例员甲', '示例员乙', '示例员丙', '样例员丁', '样例员戊', '样例员己'];

/** Returns the invented courier of a place, whose phone number belongs to nobody. */
export const courierOf = (place: Place): { name: string; phone: string } => ({
  name: drawOne(couriers, 'courier', place.province, place.city, place.county),
  phone: `1380000${digits(Math.floor(draw('courier phone', place.province, place.city, place.county) * 10_000), 4)}`,
});
