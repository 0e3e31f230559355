import { expect, test } from 'vitest';
import { fittedWidth } from '#resource/table/fitted-width.ts';
import { statusTexts } from './webhook-status.tsx';

test('the status column of the webhook list is wide enough for the longest reason why a webhook is not active', () => {
  expect(statusTexts('en')).toContain('Account disabled or changed');
  expect(statusTexts('zh')).toContain('管理账号已停用');
  const all = fittedWidth('Status', { texts: statusTexts('en'), beside: 16 });
  expect(all).toBeGreaterThanOrEqual(
    fittedWidth('', { texts: ['Account disabled or changed'], beside: 16 }),
  );
});
