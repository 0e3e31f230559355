import { create } from 'zustand';
import { readOutside, readSealed, writeSealed } from '#base/sealed.ts';
import { local } from '#base/storage.ts';
import { forgottenAfter, inOrder, isHeldHere, isUnanswered, readEntry } from './entry.ts';
import type { OrderEntry } from './entry.ts';

const prefix = 'waystation-order:';
const ownPrefix = (userId: number): string => `${prefix}${userId}:`;

/**
 * All unfinished orders of this user and the most recently finished ones. All browser windows of
 * this user share the list.
 */
export const useOrders = create<{ user: number | null; entries: readonly OrderEntry[] }>(() => ({
  user: null,
  entries: [],
}));

const storageKey = (user: number, key: string): string => `${ownPrefix(user)}${key}`;

/**
 * Reads an entry that this account has encrypted. An entry in plain text comes from an older
 * version or another user. It is therefore sent only after the user has confirmed it.
 */
const readStored = (user: number, name: string): OrderEntry | null => {
  const stored = readSealed(user, name);
  const entry = readEntry(stored?.value);
  return stored?.plain && entry && isUnanswered(entry) ? { ...entry, state: 'kept' } : entry;
};

/** The entry as it is stored now. Another browser window may have changed it. */
export const storedEntry = (key: string): OrderEntry | null => {
  const { user } = useOrders.getState();
  return user === null ? null : readStored(user, storageKey(user, key));
};

/** Reads the stored entries. Entries that are no longer shown are deleted from the storage. */
export const readEntries = (): void => {
  const { user } = useOrders.getState();
  if (user === null) return;
  const stored = local
    .keys()
    .filter((name) => name.startsWith(ownPrefix(user)))
    .map((name) => ({ name, entry: readStored(user, name) }));
  const shown = inOrder(
    stored.flatMap(({ entry }) =>
      entry === null || Date.now() - entry.at > forgottenAfter ? [] : [entry],
    ),
  );
  for (const { name, entry } of stored)
    if (entry === null || !shown.includes(entry)) local.drop(name);
  useOrders.setState({ entries: shown });
};

/** Stores an entry. This is done before anything else, so that a reload never loses the entry. */
export const putEntry = (entry: OrderEntry): void => {
  const { user } = useOrders.getState();
  if (user === null) return;
  // The rest of the order is encrypted. Another user who logs in here can read only its time and
  // whether it exists only in this browser.
  writeSealed(user, storageKey(user, entry.key), entry, { at: entry.at, held: isHeldHere(entry) });
  readEntries();
};

export const dropEntry = (key: string): void => {
  const { user } = useOrders.getState();
  if (user === null) return;
  local.drop(storageKey(user, key));
  readEntries();
};

/** Changes the stored entry; does nothing if the entry no longer exists. */
export const changeEntry = (
  key: string,
  next: (entry: OrderEntry) => OrderEntry,
): OrderEntry | null => {
  const entry = storedEntry(key);
  if (entry === null) return null;
  const changed = next(entry);
  putEntry(changed);
  return changed;
};

/**
 * Marks the unsent orders as `kept` when the session ends. They are sent only after their user
 * confirms them.
 */
export const keepUnsent = (): void => {
  for (const entry of useOrders.getState().entries)
    if (entry.state === 'waiting')
      changeEntry(entry.key, (now) => (now.state === 'waiting' ? { ...now, state: 'kept' } : now));
};

/**
 * Deletes the finished orders of other users when a user logs in, because these orders contain
 * names and phone numbers. Unanswered and unsent orders are kept for a week.
 */
export const dropForeignEntries = (userId: number, now: number): void => {
  for (const name of local.keys()) {
    if (!name.startsWith(prefix) || name.startsWith(ownPrefix(userId))) continue;
    const outside = readOutside(name);
    const plain = readEntry(outside);
    const isHeld = plain ? isHeldHere(plain) : outside?.['held'] === true;
    if (!isHeld || now - Number(outside?.['at']) > forgottenAfter) local.drop(name);
  }
};

/**
 * Reads this user's entries. After that, it also reads the changes that other browser windows make.
 */
export const openEntries = (userId: number): void => {
  if (useOrders.getState().user === userId) return;
  useOrders.setState({ user: userId, entries: [] });
  readEntries();
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key.startsWith(ownPrefix(userId))) readEntries();
  });
};
