import { expect, test } from 'vitest';
import { windowOf } from './row-window.ts';

test('a long table draws its visible rows and spare rows around them, and never more rows than exist', () => {
  expect(windowOf(200, 36, 0, 720)).toEqual({ start: 0, end: 28 });
  expect(windowOf(200, 36, 3600, 720)).toEqual({ start: 92, end: 128 });
  expect(windowOf(200, 36, 200 * 36, 720)).toEqual({ start: 192, end: 200 });
  expect(windowOf(5, 36, 0, 720)).toEqual({ start: 0, end: 5 });
  expect(windowOf(0, 36, 500, 720)).toEqual({ start: 0, end: 0 });
  expect(windowOf(50, 36, -80, 720)).toEqual({ start: 0, end: 28 });
});

test('a long table draws every visible row at any scroll position', () => {
  for (let top = 0; top < 200 * 36; top += 7) {
    const { start, end } = windowOf(200, 36, top, 500);
    expect(start).toBeLessThanOrEqual(Math.floor(top / 36));
    expect(end).toBeGreaterThanOrEqual(Math.min(200, Math.ceil((top + 500) / 36)));
  }
});
