import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { StateCell } from './expresses/cells.tsx';

const at = '2026-05-06T01:00:00.000Z';
// The store of the present time cannot be rendered on a server, so it is replaced.
vi.mock('#base/now.ts', () => ({ useNow: () => Date.parse(at) + 45 * 60_000 }));

const row = {
  id: 1,
  state_code: 100,
  state_at: at,
  last_event_at: at,
  created_at: at,
  confirming: null,
  modifying: 0,
  canceling: 0,
  intercepting: 0,
  need_retry: 0,
  exception: null,
  exception_at: null,
  handled_at: null,
  state_reason: null,
  state_remark: '',
  post_amount: 1000,
} as unknown as Parameters<typeof StateCell>[0]['row'];
const textOf = (changes: object): string =>
  renderToStaticMarkup(
    createElement(StateCell, { row: { ...row, ...changes }, onTopUp: null }),
  ).replace(/<[^>]*>/g, ' ');

test('a parcel’s state is shown with its age, or with an open exception instead of the age', () => {
  expect(textOf({})).toContain('45 分钟');
  const flagged = textOf({ exception: 'left_behind', exception_at: at });
  expect(flagged).toContain('有件未交');
  expect(flagged).not.toContain('45 分钟');
  expect(textOf({ exception: 'left_behind', handled_at: at })).toContain('45 分钟');
});
