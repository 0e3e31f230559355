import { expect, it } from 'vitest';
import { setStorageKey } from '#base/sealed.ts';
import { local } from '#base/storage.ts';
import {
  dropForeignEntries,
  keepUnsent,
  putEntry,
  readEntries,
  storedEntry,
  useOrders,
} from './entries.ts';
import { forgottenAfter, newEntry } from './entry.ts';
import type { OrderEntry } from './entry.ts';
import { emptyForm } from './form.ts';

for (const user of [1, 2, 3, 4]) setStorageKey(user, String(user).repeat(64));

const store = (user: number, key: string, changes: Partial<OrderEntry>): void => {
  useOrders.setState({ user, entries: [] });
  putEntry({ ...newEntry(key, emptyForm, false, Date.now()), ...changes });
};

it('when a session ends, unsent orders become drafts, and orders that may have been sent remain unchanged', () => {
  store(1, 'unsent', {});
  store(1, 'sent', { state: 'sending', input: { wait: 0 } as never });
  keepUnsent();
  expect([storedEntry('unsent')?.state, storedEntry('sent')?.state]).toEqual(['kept', 'sending']);
});

it('a login removes another user’s finished orders from the browser immediately, and that user’s other orders after a week', () => {
  store(2, 'finished', {
    state: 'placed',
    parcel: { id: 1, state_code: 100, canceling: 0 } as never,
  });
  store(2, 'refused', { state: 'refused' });
  const stored = (): string[] =>
    local.keys().filter((name) => name.startsWith('waystation-order:2:'));
  dropForeignEntries(3, Date.now());
  expect(stored()).toEqual(['waystation-order:2:refused']);
  dropForeignEntries(2, Date.now() + 2 * forgottenAfter);
  expect(stored()).toHaveLength(1);
  dropForeignEntries(3, Date.now() + 2 * forgottenAfter);
  expect(stored()).toEqual([]);
});

it('only the user who entered an order can read it while it is stored unsent in the browser; another user cannot', () => {
  const name = 'waystation-order:1:secret';
  store(1, 'secret', {
    form: {
      ...emptyForm,
      receiver: { ...emptyForm.receiver, name: '赵靐芳', phone: '13900139000' },
    },
  });
  const stored = local.read(name)!;
  expect(stored).not.toMatch(/赵靐芳|13900139000/);
  // Another user who gets a copy of the entry cannot decrypt it.
  useOrders.setState({ user: 4, entries: [] });
  local.write('waystation-order:4:secret', stored);
  readEntries();
  expect([storedEntry('secret'), useOrders.getState().entries]).toEqual([null, []]);
  useOrders.setState({ user: 1, entries: [] });
  expect(storedEntry('secret')?.form.receiver.name).toBe('赵靐芳');
});

it('an order stored in the browser in plain text is not sent until its user confirms it', () => {
  useOrders.setState({ user: 4, entries: [] });
  for (const [key, state] of [
    ['planted', 'waiting'],
    ['older', 'sending'],
    ['refused', 'refused'],
  ] as const)
    local.write(
      `waystation-order:4:${key}`,
      JSON.stringify({ ...newEntry(key, emptyForm, false, Date.now()), state, input: { wait: 0 } }),
    );
  readEntries();
  expect(
    useOrders
      .getState()
      .entries.map(({ key, state }) => [key, state])
      .toSorted(),
  ).toEqual([
    ['older', 'kept'],
    ['planted', 'kept'],
    ['refused', 'refused'],
  ]);
});
