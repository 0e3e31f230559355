import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateCodes } from '@waystation/contract/parcels/express.ts';
import { effects, foldMessages, legalMoves, mayMove } from './state.ts';
import type { Effect, Message } from './state.ts';

const at = (minute: number, effect: Effect, rank = 0, hash = `${minute}${effect}`): Message => ({
  operation_time: new Date(Date.UTC(2026, 2, 2, 2, minute)),
  rank,
  hash,
  effect,
});
const stateOf = (...messages: Message[]) => foldMessages(messages).state_code;

describe('the state of a parcel', () => {
  it('a parcel without a carrier message about a movement is awaiting pickup', () => {
    expect(stateOf()).toBe(100);
    expect(stateOf(at(1, 'ordered'))).toBe(100);
  });
  it.each<[string, Effect[], number]>([
    ['is picked up', ['picked_up'], 200],
    ['moves on', ['picked_up', 'in_transit'], 210],
    ['is out for delivery', ['picked_up', 'in_transit', 'delivering'], 220],
    ['goes back into transit after a failed try', ['picked_up', 'delivering', 'in_transit'], 210],
    ['is signed for', ['picked_up', 'in_transit', 'delivering', 'signed'], 300],
    ['is signed for although every message before was lost', ['signed'], 300],
    ['is an exception when refused', ['picked_up', 'delivering', 'rejected'], 400],
    ['is delivered after an exception', ['picked_up', 'rejected', 'delivering', 'signed'], 300],
    ['returns', ['picked_up', 'rejected', 'returning'], 410],
    [
      'keeps returning while the return is carried',
      ['picked_up', 'returning', 'picked_up', 'in_transit', 'delivering'],
      410,
    ],
    ['is returned when the return is delivered', ['picked_up', 'returning', 'signed'], 420],
    ['returns even after it was signed for', ['picked_up', 'signed', 'returning'], 410],
    ['is cancelled when given up before pickup', ['cancelled'], 500],
    ['is an exception when given up after pickup', ['picked_up', 'cancelled'], 400],
    ['returns when intercepted', ['picked_up', 'returning'], 410],
    [
      'stays signed for when a delivery scan comes after',
      ['picked_up', 'signed', 'delivering'],
      300,
    ],
    [
      'stays returned for good',
      ['picked_up', 'returning', 'signed', 'picked_up', 'rejected', 'returning'],
      420,
    ],
    ['is carried again when the carrier moves it after a cancel', ['cancelled', 'picked_up'], 200],
    ['keeps its state at a message nobody knows', ['picked_up', 'unlisted'], 200],
  ])(
    'a parcel has the expected state after the carrier reports that it %s',
    (_, path, expected) => {
      expect(stateOf(...path.map((effect, minute) => at(minute, effect)))).toBe(expected);
    },
  );

  it.each<[string, Effect[], string | null]>([
    ['is refused', ['picked_up', 'delivering', 'rejected'], 'refused'],
    ['is stopped by the carrier', ['picked_up', 'cancelled'], 'stopped'],
    ['is unreachable', ['picked_up', 'delivering', 'undelivered'], 'unreachable'],
    ['comes back', ['picked_up', 'rejected', 'returning', 'in_transit'], 'returning'],
    [
      'is carried out again after nobody was reached',
      ['picked_up', 'undelivered', 'delivering'],
      null,
    ],
    ['is carried on after nobody was reached', ['picked_up', 'undelivered', 'in_transit'], null],
    ['is signed for after all', ['picked_up', 'undelivered', 'rejected', 'signed'], null],
    ['is back', ['picked_up', 'returning', 'undelivered', 'signed'], null],
    ['is cancelled before pickup', ['cancelled'], null],
    ['is on its way', ['picked_up', 'in_transit', 'delivering'], null],
  ])(
    'a parcel has the expected exception after the carrier reports that it %s',
    (_, path, expected) => {
      const messages = path.map((effect, minute) => at(minute, effect));
      for (const order of [messages, messages.toReversed()])
        expect(foldMessages(order).exception?.kind ?? null).toBe(expected);
    },
  );

  it('a pickup after a cancel is recognized as a movement of a cancelled parcel', () => {
    expect(foldMessages([at(1, 'cancelled'), at(2, 'picked_up')]).moved_after_cancel).toBe(true);
    expect(foldMessages([at(2, 'cancelled'), at(1, 'picked_up')]).moved_after_cancel).toBe(false);
  });

  it('a returning parcel loses its delivery time and keeps its pickup time', () => {
    const folded = foldMessages([at(1, 'picked_up'), at(2, 'signed'), at(3, 'returning')]);
    expect(folded).toMatchObject({
      signed_at: null,
      picked_up_at: at(1, 'ordered').operation_time,
      returning_at: at(3, 'ordered').operation_time,
      last_event_at: at(3, 'ordered').operation_time,
    });
  });

  it('the time of a parcel’s last movement ignores the carrier’s answer to our own request', () => {
    const folded = foldMessages([
      at(1, 'in_transit'),
      at(2, 'intercepting'),
      at(3, 'cancel_failed'),
    ]);
    expect(folded.last_event_at).toEqual(at(1, 'in_transit').operation_time);
  });

  it('carrier messages of the same time are applied by rank, and messages of the same time and rank by hash', () => {
    expect(stateOf(at(1, 'in_transit', 2), at(1, 'picked_up', 1))).toBe(210);
    expect(stateOf(at(1, 'in_transit', 1, 'a'), at(1, 'picked_up', 1, 'b'))).toBe(200);
  });

  const message = fc
    .record({
      minute: fc.nat(5),
      rank: fc.nat(2),
      hash: fc.string({ minLength: 1, maxLength: 2 }),
      effect: fc.constantFrom(...effects),
    })
    .map(({ minute, ...rest }) => ({ ...at(minute, 'unlisted'), ...rest }));

  it('the state of a parcel is the same in whatever order its messages arrive, and also if messages are repeated', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(message, {
          maxLength: 12,
          selector: (one) => `${one.operation_time.getTime()} ${one.rank} ${one.hash}`,
        }),
        fc.infiniteStream(fc.nat()),
        (messages, random) => {
          const shuffled = messages
            .map((one) => ({ one, key: random.next().value! }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ one }) => one);
          expect(foldMessages([...shuffled, ...messages.slice(0, 3)])).toEqual(
            foldMessages(messages),
          );
        },
      ),
    );
  });
});

describe('legal changes of a parcel’s state', () => {
  it('a parcel’s state can change in exactly the ways that section 4 of the requirements lists', () => {
    const table = stateCodes.map(
      (from) => `${from} → ${stateCodes.filter((to) => mayMove(from, to)).join(', ')}`,
    );
    expect(table).toEqual([
      '0 → 10, 20, 500',
      '10 → 20, 500',
      '20 → 90, 100',
      '90 → 10, 20, 500',
      '100 → 200, 210, 220, 300, 400, 410, 500',
      '200 → 210, 220, 300, 400, 410',
      '210 → 200, 220, 300, 400, 410',
      '220 → 200, 210, 300, 400, 410',
      '300 → 400, 410',
      '400 → 200, 210, 220, 300, 410',
      '410 → 420',
      '420 → ',
      '500 → 200, 210, 220, 300, 400, 410',
    ]);
    expect(legalMoves()).toHaveLength(46);
  });
});
