import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OpenOutcomes } from './open-outcomes.tsx';

test('the preview of a bulk cancellation lists the orders whose outcome is unknown and shows what happens to them when they are cancelled', () => {
  const text = renderToStaticMarkup(
    createElement(OpenOutcomes, {
      groups: [
        { effect: 'undecided', count: 7, post_amount: 123_00, names: ['WS1 · 王五', 'WS2'] },
        { effect: 'ordering', count: 1, post_amount: 9_00, names: ['WS3'] },
      ],
    }),
  ).replace(/<[^>]*>/g, '|');
  expect(text).toMatch(/其中 7 单结果待核实.*WS1 · 王五.*WS2.*5.*待管理员核实.*解冻 ¥123.00/);
  expect(text).toMatch(/其中 1 单正在下单.*WS3.*待承运商返回结果即自动取消，并解冻 ¥9.00/);
});
