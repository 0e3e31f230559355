import { describe, expect, it } from 'vitest';
import { dropEntry, putEntry, storedEntry, useOrders } from './entries.ts';
import { mostHeld, newEntry } from './entry.ts';
import { emptyForm } from './form.ts';
import { enqueue, pauseAfter, takeBack } from './work.ts';

describe('taking an order into the queue', () => {
  it('an order under a known key adds nothing', () => {
    useOrders.setState({ user: 1, entries: [] });
    putEntry({ ...newEntry('a', emptyForm, false, Date.now()), state: 'kept' });
    expect(enqueue('a', { ...emptyForm, goods: '文件' }, { print: true })).toBe('known');
    expect(storedEntry('a')).toMatchObject({ state: 'kept', print: false, form: { goods: '' } });
    dropEntry('a');
  });
  it('an order beyond the most that the browser holds is not taken, so that its form stays', () => {
    useOrders.setState({ user: 1, entries: [] });
    for (let no = 0; no < mostHeld; no++) putEntry({ ...newEntry(`k${no}`, emptyForm, false, Date.now()), state: 'refused' });
    expect(enqueue('one more', emptyForm)).toBe('full');
    expect(storedEntry('one more')).toBeNull();
  });
});

describe('taking an order back', () => {
  it('an order that may have reached the server stays in the queue', () => {
    useOrders.setState({ user: 2, entries: [] });
    putEntry({ ...newEntry('b', emptyForm, false, Date.now()), state: 'sending', input: { wait: 0 } as never });
    expect(takeBack('b')).toBeNull();
    expect(storedEntry('b')?.state).toBe('sending');
    putEntry({ ...newEntry('c', emptyForm, false, Date.now()), state: 'refused' });
    expect(takeBack('c')?.key).toBe('c');
    expect(storedEntry('c')).toBeNull();
  });
});

it('a repeat without an answer waits longer each time, half a minute at most', () => {
  expect([1, 2, 3, 6, 20].map(pauseAfter)).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
});
