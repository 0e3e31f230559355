import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Coverage } from '#parcels/ask-coverage.ts';
import { Offers } from './price-panel.tsx';

type Props = Parameters<typeof Offers>[0];
const quote = (changes: object): Props['quotes'][number] => ({
  ...({ provider: 'jdl', promise_id: '1', promise_name: '特快', promise_name_en: 'Fast' } as const),
  ...({ selectable: 1, reason: null, cheapest: 0, lane: null, post_amount: 1970 } as object),
  ...(changes as Props['quotes'][number]),
});
const shown = (props: Partial<Props>): string =>
  renderToStaticMarkup(
    createElement(Offers, {
      ...({ group: 'g', fastest: null, chosen: null, coverages: new Map() } as const),
      ...({ onChoose: () => undefined, quotes: [] } as const),
      ...props,
    }),
  )
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('offers of a single carrier are listed without its name, and offers of several carriers below the name of each carrier', () => {
  const jdl = quote({});
  const sf = quote({ provider: 'sf', promise_name: '标快' });
  expect(shown({ quotes: [jdl, quote({ promise_id: '2' })] })).not.toContain('京东物流');
  const mixed = shown({ quotes: [jdl, sf, quote({ promise_id: '2', promise_name: '特惠' })] });
  expect(mixed.replace(/.*?京东物流/, '京东物流')).toMatch(/京东物流.*特快.*特惠.*顺丰速运.*标快/);
});

test('an offer shows arrival, on-time rate and price on one line, and the reason why it cannot be used on a second line', () => {
  const reachable = {
    result: 'reachable',
    reason: null,
    products: [{ promise_id: '1', delivery_promise_at: '2026-05-06T10:00:00.000Z' }],
  } as unknown as Coverage;
  const lane = { of: 'own', average_hours: 30, on_time_rate: 9_400 };
  const good = shown({ quotes: [quote({ lane })], coverages: new Map([['jdl', reachable]]) });
  expect(good).toMatch(/05\/06 \d\d:00 送达 准时率 94% ¥ 19\.70/);
  const away = { ...reachable, result: 'out_of_area' } as Coverage;
  expect(shown({ quotes: [quote({})], coverages: new Map([['jdl', away]]) })).toContain(
    '¥ 19.70 超出承运商服务范围',
  );
});
