import { describe, expect, it } from 'vitest';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { emptyForm } from '#parcels/orders/form.ts';
import { arrivalOf, fastestOf } from './comparison.ts';
import { coverageKey } from './cover-input.ts';
import { coverInputs } from './use-coverage.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';

const offer = (
  provider: 'jdl' | 'sf',
  promise_id: string,
  post_amount: number | null,
): Pick<Quote, 'provider' | 'promise_id' | 'selectable' | 'post_amount'> => ({
  provider,
  promise_id,
  post_amount,
  selectable: post_amount === null ? 0 : 1,
});
const says = (result: Coverage['result'], times: Record<string, number | null>): Coverage => ({
  result,
  text: '',
  reason: null,
  start_station_name: '',
  end_station_name: '',
  products: Object.entries(times).map(([promise_id, day]) => ({
    promise_id,
    delivery_promise_at: day === null ? null : `2026-12-0${day}T10:00:00Z`,
  })),
  pickup_windows: null,
});

describe('offers of several carriers', () => {
  const quotes = [offer('jdl', 'slow', 900), offer('sf', '2', 1_400), offer('sf', '1', 2_000)];

  it('the offer with the earliest delivery is marked fastest, whichever carrier delivers it', () => {
    const coverages = new Map([
      ['jdl', says('reachable', { slow: 4 })],
      ['sf', says('reachable', { '2': 3, '1': 2 })],
    ]);
    expect(fastestOf(quotes, coverages)).toBe(quotes[2]);
  });

  it('if several offers arrive first, the cheapest of them is marked fastest; if their prices are equal, the first in the list is marked', () => {
    const coverages = new Map([
      ['jdl', says('reachable', { slow: 4 })],
      ['sf', says('reachable', { '2': 2, '1': 2 })],
    ]);
    expect(fastestOf(quotes, coverages)).toBe(quotes[1]);
    const equal = [offer('sf', '1', 900), offer('sf', '2', 900), offer('jdl', 'slow', 100)];
    expect(fastestOf(equal, coverages)).toBe(equal[0]);
  });

  it('no offer is marked fastest if fewer than two delivery times are known, or if all delivery times are equal', () => {
    expect(fastestOf(quotes, new Map())).toBeNull();
    expect(fastestOf(quotes, new Map([['jdl', says('reachable', { slow: 1 })]]))).toBeNull();
    expect(fastestOf(quotes, new Map([['sf', says('reachable', { '2': 2, '1': 2 })]]))).toBeNull();
  });

  it('an offer is not marked fastest if it cannot be ordered, or if its carrier does not serve the address', () => {
    const closed = [offer('sf', '1', null), offer('sf', '2', 1_400), offer('jdl', 'slow', 900)];
    const coverages = new Map([
      ['jdl', says('reachable', { slow: 4 })],
      ['sf', says('reachable', { '2': 3, '1': 1 })],
    ]);
    expect(fastestOf(closed, coverages)).toBe(closed[1]);
    const unserved = new Map([...coverages, ['sf', says('out_of_area', { '2': 3 })] as const]);
    expect(arrivalOf(closed[1]!, unserved)).toBeNull();
    expect(fastestOf(closed, unserved)).toBeNull();
  });
});

describe('the questions to the carriers of the offers', () => {
  const place = { province: '广东省', city: '深圳市', county: '南山区' };
  const party = { ...emptyForm.sender, place, address: '科技园1号' };
  const form = { ...emptyForm, sender: party, receiver: party };
  const offered = [
    { provider: 'jdl', customer_code: 'J1' },
    { provider: 'jdl', customer_code: 'J1' },
    { provider: 'sf', customer_code: 'S1' },
  ] as const;
  const asked = (customer_code: string) =>
    coverInputs({ ...form, customer_code }, { quotes: offered }, false).map((input) => [
      input.provider,
      input.customer_code,
    ]);

  it('coverage is requested once per carrier of the offers, and a chosen account is sent only to its own carrier', () => {
    expect(asked('')).toEqual([
      ['jdl', undefined],
      ['sf', undefined],
    ]);
    expect(asked('S1')).toEqual([
      ['jdl', undefined],
      ['sf', 'S1'],
    ]);
  });

  it('if a product is used only for one pasted person, its coverage is requested with that person’s address', () => {
    const other = { ...party, address: '科技园2号' };
    const person = (provider: 'jdl' | 'sf', promise_id: string) => ({
      form: { ...form, customer_code: 'S1', receiver: other },
      offer: { provider, promise_id, customer_code: provider === 'sf' ? 'S1' : 'J1' },
    });
    const people = [person('jdl', 'ed-m-0002'), person('sf', '1'), person('sf', '2')];
    const chosen = { provider: 'sf', promise_id: '2' } as const;
    expect(
      coverInputs({ ...form, customer_code: 'S1' }, { quotes: offered, chosen, people }, false).map(
        (input) => [coverageKey(input), input.receive_address, input.customer_code],
      ),
    ).toEqual([
      ['sf 1', '科技园2号', 'S1'],
      ['jdl', '科技园1号', undefined],
      ['sf 2', '科技园1号', 'S1'],
    ]);
  });

  it('if the chosen account belongs to no offer, it is sent to every carrier, so that no carrier answers for a different account', () => {
    expect(asked('gone')).toEqual([
      ['jdl', 'gone'],
      ['sf', 'gone'],
    ]);
  });
});
