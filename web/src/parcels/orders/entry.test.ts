import { describe, expect, it } from 'vitest';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { inOrder, isHeldHere, needsHand, newEntry, readEntry } from './entry.ts';
import type { OrderEntry, PlacedParcel } from './entry.ts';
import { emptyForm } from './form.ts';
import { refusedField } from './words.ts';

const entry = (no: number, changes: Partial<OrderEntry> = {}): OrderEntry => ({
  ...newEntry(`k${no}`, emptyForm, false, no),
  ...changes,
});
const placed = (no: number, state_code: PlacedParcel['state_code']): OrderEntry =>
  entry(no, { state: 'placed', parcel: { id: no, state_code, canceling: 0 } as PlacedParcel });
const keys = (entries: readonly OrderEntry[]): string[] => entries.map(({ key }) => key);

describe('the queue of orders', () => {
  it('the queue of orders shows the newest order first and only the five newest finished orders', () => {
    const all = Array.from({ length: 8 }, (_, no) => placed(no, stateCode.awaitingPickup));
    expect(keys(inOrder(all))).toEqual(['k7', 'k6', 'k5', 'k4', 'k3']);
  });
  it('the queue of orders keeps every order that is stored only in the browser, even if many later orders have finished', () => {
    const unsent = [
      entry(1),
      entry(2, { state: 'refused' }),
      entry(3, { state: 'kept' }),
      entry(4, { state: 'sending' }),
    ];
    const finished = Array.from({ length: 90 }, (_, no) =>
      placed(100 + no, stateCode.awaitingPickup),
    );
    expect(keys(inOrder([...finished, ...unsent]).filter(isHeldHere))).toEqual([
      'k4',
      'k3',
      'k2',
      'k1',
    ]);
  });
  it('the queue of orders keeps at most forty orders that still wait for the carrier or that the carrier has refused', () => {
    const open = Array.from({ length: 50 }, (_, no) =>
      placed(no, no % 2 === 0 ? stateCode.ordering : stateCode.failed),
    );
    expect(inOrder(open)).toHaveLength(40);
    expect(inOrder(open).some(needsHand)).toBe(true);
  });
});

describe('a stored order', () => {
  it('an order stored in the browser is read back unchanged', () => {
    const sent = entry(1, {
      state: 'sending',
      input: { wait: 0, weight: 1 } as unknown as OrderEntry['input'],
      failures: 3,
      print: true,
    });
    expect(readEntry(JSON.parse(JSON.stringify(sent)))).toEqual(sent);
  });
  it('a stored change of a parcel is read back unchanged; a new order with a parcel to change, or a change without one, is not read', () => {
    const edited = {
      id: 7,
      version: 3,
      state_code: stateCode.failed,
      order_id: 'WS1',
      delivery_id: null,
      print_count: 0,
    };
    const change = entry(1, { work: 'submit', edited });
    expect(readEntry(JSON.parse(JSON.stringify(change)))).toEqual(change);
    expect(readEntry({ ...change, edited: null })).toBeNull();
    expect(readEntry({ ...change, work: 'order' })).toBeNull();
  });
  it('a stored value with missing or invalid fields is not read as an order', () => {
    for (const value of [
      null,
      7,
      {},
      { ...entry(1), state: 'else' },
      { ...entry(1), state: 'placed' },
      { ...entry(1), at: 'x' },
    ])
      expect(readEntry(value)).toBeNull();
  });
  it('if a stored order was being sent and its request data is missing, the order is not sent until the user acts', () =>
    expect(readEntry(entry(1, { state: 'sending' }))?.state).toBe('kept'));
});

describe('the words of a carrier', () => {
  it.each([
    ['收件地址不在揽派范围', 'receiver.address'],
    ['收件人电话有误', 'receiver.phone'],
    ['重量超限', 'weight'],
    ['寄件地址无法揽收', 'sender.address'],
  ])('the carrier’s text %s leads to its field', (words, field) =>
    expect(refusedField(words)).toBe(field),
  );

  it.each(['pickup_window_gone', 'no_pickup_windows'])(
    'a refusal with the code %s is shown at the field for the pickup time, whatever its text is',
    (code) => expect(refusedField('该时间已不可约', code)).toBe('pickup'),
  );
});
