import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvents } from '@waystation/contract/shell/events.ts';
import { spreadResets } from './spread-resets.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reset: LiveEvents = { cursor: 'c', reset: 1, events: [] };
const inbox: LiveEvents = {
  cursor: 'd',
  reset: 0,
  events: [{ kind: 'inbox', unread: 1 } as never],
};

it('browsers that receive a reset at the same time reload at different times within five seconds, and each reloads only once', () => {
  const began = Date.now();
  const reads: number[] = [];
  const { signal } = new AbortController();
  for (let browser = 0; browser < 50; browser++) {
    const hear = spreadResets(() => reads.push(Date.now() - began), signal);
    hear(reset);
    hear(reset);
  }
  vi.advanceTimersByTime(5_000);
  expect(reads).toHaveLength(50);
  expect(new Set(reads).size).toBeGreaterThan(25);
});

it('live events are delivered immediately, and a delayed reset is not delivered after the session has ended', () => {
  const ended = new AbortController();
  const heard: LiveEvents[] = [];
  const hear = spreadResets((message) => heard.push(message), ended.signal);
  hear(inbox);
  hear({ ...reset, events: inbox.events });
  expect(heard.map(({ reset: isReset, events }) => [isReset, events.length])).toEqual([
    [0, 1],
    [0, 1],
  ]);
  ended.abort();
  vi.advanceTimersByTime(5_000);
  expect(heard).toHaveLength(2);
});
