import { describe, expect, it } from 'vitest';
import { choiceOnce, emptyForm, nextForm } from './form.ts';
import { chosenOf, lostChoice } from './price.ts';
import type { Quotes } from './price.ts';

const offer = (provider: 'jdl' | 'sf', promise_id: string, more: object = {}) => ({
  provider,
  promise_id,
  selectable: 1,
  proposed: 0,
  reason: null,
  ...more,
});
const quotesOf = (...quotes: object[]) => ({ quotes }) as unknown as Quotes;
const both = quotesOf(offer('jdl', 'ed', { proposed: 1 }), offer('sf', '2'));
const nobodyChose = { promise_id: '', provider: '' };
const choseSf = { promise_id: '2', provider: 'sf' };

describe('the offer that a form orders', () => {
  it('the proposed product is ordered if the user chose no product in the order form; otherwise the chosen product is ordered', () => {
    expect(chosenOf(both, nobodyChose)).toBe(both.quotes[0]);
    expect(chosenOf(both, choseSf)).toBe(both.quotes[1]);
    expect(lostChoice(both, nobodyChose)).toBeNull();
    expect(lostChoice(both, choseSf)).toBeNull();
    // The quotes have not arrived yet.
    expect(lostChoice(undefined, choseSf)).toBeNull();
  });

  it.each([
    ['the scheme dropped it', [], { code: 'promise_not_offered', params: { promise_id: '2' } }],
    [
      'its carrier has no account any more',
      [offer('sf', '2', { selectable: 0, reason: { code: 'no_merchant', params: {} } })],
      { code: 'no_merchant' },
    ],
    [
      'the parcel became too heavy for it',
      [offer('sf', '2', { selectable: 0, reason: { code: 'over_weight', params: {} } })],
      { code: 'over_weight' },
    ],
    ['another carrier has its code now', [offer('jdl', '2')], { code: 'promise_not_offered' }],
  ])(
    'if the chosen product is not available, it is not replaced, and the reason and the proposed product are returned: %s',
    (_, rest, reason) => {
      const quotes = quotesOf(offer('jdl', 'ed', { proposed: 1 }), ...rest);
      expect(chosenOf(quotes, choseSf)).toBeNull();
      expect(lostChoice(quotes, choseSf)).toMatchObject({
        promise_id: '2',
        provider: 'sf',
        reason,
        proposed: { promise_id: 'ed' },
      });
    },
  );

  it('if the server chose no product, the cheapest available offer is proposed', () => {
    const quotes = quotesOf(offer('jdl', 'dear'), offer('jdl', 'cheap', { cheapest: 1 }));
    expect(chosenOf(quotes, nobodyChose)).toBe(quotes.quotes[1]);
  });

  it('the next parcel keeps the chosen product and its carrier; in a draft without a carrier, the product is found by its code', () => {
    expect(nextForm({ ...emptyForm, ...choseSf }, [])).toMatchObject(choseSf);
    expect(chosenOf(both, { promise_id: '2', provider: '' })).toBe(both.quotes[1]);
  });

  it.each([
    ['the form’s own choice', choseSf],
    ['the proposal', nobodyChose],
  ])(
    'a product that is chosen for one parcel only is not kept; the next parcel has %s',
    (_, former) => {
      const own = { promise_id: 'ed-m-0001', provider: 'jdl' };
      const form = { ...emptyForm, ...former };
      const taken = { ...form, ...choiceOnce(form, own) };
      expect(taken).toMatchObject(own);
      expect(nextForm(taken, [])).toMatchObject({ ...former, next_choice: '' });
      const another = { ...taken, ...choiceOnce(taken, { promise_id: 'other', provider: 'jdl' }) };
      expect(nextForm(another, [])).toMatchObject(former);
    },
  );
});
