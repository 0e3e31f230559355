import { describe, expect, it } from 'vitest';
import { choiceText } from '@waystation/contract/network/offer-choice-words.ts';
import { chooseOffer } from './choice.ts';
import type { StationRule } from './choice.ts';
import type { PricedOffer } from './quotes.ts';

const offer = (
  provider: 'jdl' | 'sf',
  promise_id: string,
  amount: number | null,
  more: { takes_calls?: boolean; selectable?: 0 | 1 } = {},
) =>
  ({
    offer: {
      provider,
      promise_id,
      promise_name: promise_id,
      promise_name_en: '',
      merchant: { takes_calls: more.takes_calls ?? true },
    },
    price: amount === null ? null : { post_amount: amount },
    selectable: more.selectable ?? (amount === null ? 0 : 1),
    reason: null,
    cheapest: 0,
  }) as unknown as PricedOffer;
const cheapest: StationRule = {
  offer_rule: 'cheapest',
  offer_carriers: {},
  offer_fallback: 0,
  allow_select: 1,
};
const shanghai = '310115';
const chosen = (
  quotes: PricedOffer[],
  rule: Partial<StationRule> = {},
  hours: Record<string, number> = {},
) =>
  chooseOffer(
    quotes,
    { ...cheapest, ...rule },
    shanghai,
    ({ promise_id }) => hours[promise_id] ?? null,
  );
const idOf = (...of: Parameters<typeof chosen>) => chosen(...of)?.offer.offer.promise_id ?? null;

describe('the product that a station’s rule chooses', () => {
  const three = [offer('jdl', 'a', 1_000), offer('sf', 'b', 1_210), offer('jdl', 'c', 1_000)];

  it('the rule “cheapest” chooses the cheapest product, the first product if prices are equal, and nothing if no product can be ordered', () => {
    expect(idOf(three)).toBe('a');
    expect(chosen(three)!.choice).toEqual({
      rule: 'cheapest',
      because: 'cheapest',
      offers: 3,
      provider: 'jdl',
      promise_name: 'a',
      promise_name_en: '',
      average_hours: null,
      other: { provider: 'sf', more_amount: 210 },
      skipped: null,
    });
    expect(chosen([offer('jdl', 'a', null)])).toBeNull();
    expect(chosen([])).toBeNull();
    expect(chosen([three[0]!])!.choice).toMatchObject({ because: 'only', other: null });
  });

  it('the rule “fastest” chooses the shortest average time, the cheaper product if times are equal, and a product of unknown time last', () => {
    const rule = { offer_rule: 'fastest' as const };
    expect(idOf(three, rule, { a: 50, b: 30 })).toBe('b');
    expect(idOf(three, rule, { b: 30, c: 30 })).toBe('c');
    expect(chosen(three, rule, { b: 30 })!.choice).toMatchObject({ because: 'no_times' });
    expect(idOf(three, rule, { b: 30 })).toBe('a');
  });

  it('the rule “preferred” chooses the carrier of the receiver’s province, else the default carrier, else the cheapest product', () => {
    const rule = (offer_carriers: StationRule['offer_carriers']) => ({
      offer_rule: 'preferred' as const,
      offer_carriers,
    });
    expect(idOf(three, rule({ 310000: 'sf', default: 'jdl' }))).toBe('b');
    expect(idOf(three, rule({ 110000: 'jdl', default: 'sf' }))).toBe('b');
    expect(chosen(three, rule({ 110000: 'sf' }))!.choice).toMatchObject({
      because: 'cheapest',
      provider: 'jdl',
    });
    const closed = [three[0]!, offer('sf', 'b', null)];
    expect(chosen([...closed, three[2]!], rule({ default: 'sf' }))!.choice).toMatchObject({
      because: 'not_offered',
      provider: 'jdl',
    });
  });

  it('a carrier that does not answer calls is skipped only if the station’s rule says so and another carrier answers', () => {
    const silent = [offer('jdl', 'a', 1_000, { takes_calls: false }), offer('sf', 'b', 1_210)];
    expect(idOf(silent)).toBe('a');
    expect(chosen(silent, { offer_fallback: 1 })!.choice).toMatchObject({
      provider: 'sf',
      skipped: 'jdl',
      other: { provider: 'jdl', more_amount: -210 },
    });
    const both = [silent[0]!, offer('sf', 'b', 1_210, { takes_calls: false })];
    expect(chosen(both, { offer_fallback: 1 })!.choice).toMatchObject({
      provider: 'jdl',
      skipped: null,
    });
  });

  it('the rule “fastest” compares times only if at least two products with a known time belong to carriers that accept calls', () => {
    const rule = { offer_rule: 'fastest' as const, offer_fallback: 1 as const };
    const silent = [
      offer('jdl', 'a', 1_000),
      offer('sf', 'b', 1_210, { takes_calls: false }),
      offer('jdl', 'c', 1_300),
    ];
    const { choice } = chosen(silent, rule, { b: 20, c: 30 })!;
    expect(choice).toMatchObject({
      because: 'no_times',
      promise_name: 'a',
      average_hours: null,
      skipped: 'sf',
    });
    expect(choiceText(choice, 'en')).toBe(
      'JD Logistics · a: SF Express took no calls, too few times known of the others to compare, cheapest of them, SF Express was ¥2.10 more',
    );
    expect(chosen(silent, rule, { a: 40, b: 20, c: 30 })!.choice).toMatchObject({
      because: 'fastest',
      promise_name: 'c',
      average_hours: 30,
      skipped: 'sf',
    });
    expect(chosen(silent.slice(0, 2), rule, { a: 40, b: 20 })!.choice).toMatchObject({
      because: 'only',
      average_hours: null,
      skipped: 'sf',
    });
  });

  it('the text of a product choice says “the fastest with a known time” if another product has no known time', () => {
    const { choice } = chosen(three, { offer_rule: 'fastest' }, { a: 50, b: 30 })!;
    expect(choiceText(choice, 'en')).toBe(
      'SF Express · b: shortest known average time (of 3, 1.3 days), JD Logistics was ¥2.10 less',
    );
    expect(choiceText(choice, 'zh')).toBe(
      '顺丰速运 · b：已知平均用时最短（共 3 个，1.3 天），京东物流便宜 ¥2.10',
    );
    // This is a stored choice without an average time.
    expect(choiceText({ ...choice, average_hours: null }, 'zh')).toContain('用时不足以比较');
  });

  it('the text of a product choice is one line with the product, the reason, and the price difference to another carrier', () => {
    const { choice } = chosen(three)!;
    expect(choiceText(choice, 'zh')).toBe('京东物流 · a：最低价（共 3 个），顺丰速运贵 ¥2.10');
    expect(choiceText(choice, 'en')).toBe(
      'JD Logistics · a: cheapest (of 3), SF Express was ¥2.10 more',
    );
    const silent = [offer('jdl', 'a', 1_000, { takes_calls: false }), offer('sf', 'b', 900)];
    expect(
      choiceText(
        chosen(silent, {
          offer_rule: 'preferred',
          offer_carriers: { default: 'jdl' },
          offer_fallback: 1,
        })!.choice,
        'en',
      ),
    ).toBe(
      'SF Express · b: JD Logistics took no calls, the only other one, JD Logistics was ¥1.00 more',
    );
  });
});
