import { expect, test } from 'vitest';
import { wholeStart } from './tab-scroll.ts';

/** Ten tabs of 100 px each. There are gaps of 2 px between them and 8 px before the first tab. */
const tabs = Array.from({ length: 10 }, (_, at) => ({
  start: 8 + at * 102,
  end: 108 + at * 102,
}));

test('if the active tab lies right of the visible part, the tab bar is scrolled so that it begins with a whole tab', () => {
  const at = wholeStart(tabs, tabs[6]!, 350, 0);
  expect(tabs.map(({ start }) => start - 2)).toContain(at);
  expect(tabs[6]!.end - at).toBeLessThanOrEqual(350);
  expect(at).toBe(tabs[4]!.start - 2);
});

test('if the active tab lies left of the visible part, the tab bar is scrolled so that it begins with the active tab', () => {
  expect(wholeStart(tabs, tabs[2]!, 350, 600)).toBe(tabs[2]!.start - 2);
  expect(wholeStart(tabs, tabs[0]!, 350, 600)).toBe(0);
});

test('the tab bar is not scrolled if it begins with a whole tab and the active tab is visible', () => {
  for (const now of [0, tabs[3]!.start - 2]) expect(wholeStart(tabs, tabs[4]!, 560, now)).toBe(now);
});

test('if the browser window is too narrow for the tabs before the active tab, the tab bar begins with the active tab', () => {
  expect(wholeStart(tabs, tabs[4]!, 120, 0)).toBe(tabs[4]!.start - 2);
});
