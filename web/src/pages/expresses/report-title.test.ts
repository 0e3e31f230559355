import { expect, test } from 'vitest';
import { translator } from '#base/translate.ts';
import type { Say } from '#base/texts.ts';
import { enUS } from '#locales/en-US/en-US.ts';
import { zhCN } from '#locales/zh-CN/zh-CN.ts';
import { reportTitle } from './report-title.ts';

const both = (report: { source: string; title: string; state: string }): string[] => [
  reportTitle(report, translator(zhCN, 'zh-CN') as Say),
  reportTitle(report, translator(enUS, 'en-US') as Say),
];

test.each([
  ['cancelled', '已按申请取消', 'Cancelled on request'],
  ['intercepting', '已开始拦截', 'Interception started'],
  ['intercepted', '拦截成功，包裹退回中', 'Intercepted; the parcel is being returned'],
  ['cancel_failed', '未能取消', 'Not cancelled'],
  ['intercept_failed', '未能拦截', 'Not intercepted'],
])(
  'the carrier’s answer “%s” to our own request is titled in the product’s words',
  (state, zh, en) => {
    expect(both({ source: 'cancel', title: '', state })).toEqual([zh, en]);
  },
);

test('a carrier’s report is titled with the carrier’s text, or with the carrier’s code if the text is empty', () => {
  expect(both({ source: 'trace', title: '包裹已揽收', state: '200001' })).toEqual([
    '包裹已揽收',
    '包裹已揽收',
  ]);
  expect(both({ source: 'push', title: '', state: '200001' })).toEqual(['200001', '200001']);
});
