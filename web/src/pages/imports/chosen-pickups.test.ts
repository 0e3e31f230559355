import { describe, expect, it } from 'vitest';
import type { ImportPickup } from '@waystation/contract/imports/import.ts';
import { chosenPickups, pickupKey, pickupTrouble } from './chosen-pickups.ts';

const hour = 3_600_000;
const ends = (hours: number) => ({
  starts_at: new Date(Date.now() + hours * hour).toISOString(),
  ends_at: new Date(Date.now() + (hours + 2) * hour).toISOString(),
});
const window = ends(3);
const chosen = `${window.starts_at}/${window.ends_at}`;
const place = {
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '科技园 1 号',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '世纪大道 1 号',
  sender_phone: '13800000001',
  receive_phone: '13900000002',
};
const pickup = (row: number, house: number, more: Partial<ImportPickup> = {}): ImportPickup => ({
  row,
  provider: 'jdl',
  rows: 1,
  places: { ...place, sender_address: `科技园 ${house} 号` },
  other_places: [],
  ...more,
});

describe('the windows that are chosen for the pickups of an import', () => {
  it('confirming an import sends the windows chosen for pickups still in the import; a pickup “as soon as possible” is sent without a window', () => {
    const pickups = [pickup(1, 1), pickup(4, 2), pickup(6, 3)];
    const windows = new Map([
      [pickupKey(pickups[0]!), chosen],
      [pickupKey(pickups[1]!), ''],
      [pickupKey(pickup(9, 9)), chosen],
    ]);
    const [pickup_from, pickup_until] = chosen.split('/');
    expect(chosenPickups(pickups, windows)).toEqual([{ row: 1, pickup_from, pickup_until }]);
  });

  it('an import’s chosen pickup window is dropped if the sender, the place or the carrier of the pickup changes, and kept otherwise', () => {
    const windows = new Map([[pickupKey(pickup(1, 1)), chosen]]);
    const moved = { places: { ...place, sender_county: '福田区' } };
    expect(chosenPickups([pickup(1, 2)], windows)).toEqual([]);
    expect(chosenPickups([pickup(1, 1, moved)], windows)).toEqual([]);
    expect(chosenPickups([pickup(1, 1, { provider: 'sf' })], windows)).toEqual([]);
    const receiver = { places: { ...place, receive_address: '世纪大道 2 号' } };
    expect(chosenPickups([pickup(7, 1, receiver)], windows)).toMatchObject([{ row: 7 }]);
  });

  it('an import is confirmed without the carrier’s answer about pickup windows, but not if the carrier no longer offers the chosen window', () => {
    const pickups = [pickup(1, 1), pickup(2, 2)];
    const windows = new Map([[pickupKey(pickups[1]!), chosen]]);
    expect(pickupTrouble(pickups, windows, [[], [window]])).toBeNull();
    expect(pickupTrouble(pickups, windows, [undefined, undefined])).toBeNull();
    expect(pickupTrouble(pickups, windows, [[], [ends(6)]])).toBe('pickup_window_gone');
    expect(pickupTrouble(pickups, windows, [[], null])).toBe('no_pickup_windows');
    expect(pickupTrouble([pickups[0]!], windows, [null])).toBeNull();
  });
});
