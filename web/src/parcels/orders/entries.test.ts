import { expect, it } from 'vitest';
import { local } from '#base/storage.ts';
import { dropForeignEntries, keepUnsent, putEntry, storedEntry, useOrders } from './entries.ts';
import { forgottenAfter, newEntry } from './entry.ts';
import type { OrderEntry } from './entry.ts';
import { emptyForm } from './form.ts';

const store = (user: number, key: string, changes: Partial<OrderEntry>): void => {
  useOrders.setState({ user, entries: [] });
  putEntry({ ...newEntry(key, emptyForm, false, Date.now()), ...changes });
};

it('the end of a session keeps what was not sent as a draft, and leaves what may have been sent', () => {
  store(1, 'unsent', {});
  store(1, 'sent', { state: 'sending', input: { wait: 0 } as never });
  keepUnsent();
  expect([storedEntry('unsent')?.state, storedEntry('sent')?.state]).toEqual(['kept', 'sending']);
});

it('finished orders of another user go at a login, their only copies after a week', () => {
  store(2, 'finished', { state: 'placed', parcel: { id: 1, state_code: 100, canceling: 0 } as never });
  store(2, 'refused', { state: 'refused' });
  const stored = (): string[] => local.keys().filter((name) => name.startsWith('waystation-order:2:'));
  dropForeignEntries(3, Date.now());
  expect(stored()).toEqual(['waystation-order:2:refused']);
  dropForeignEntries(2, Date.now() + 2 * forgottenAfter);
  expect(stored()).toHaveLength(1);
  dropForeignEntries(3, Date.now() + 2 * forgottenAfter);
  expect(stored()).toEqual([]);
});
