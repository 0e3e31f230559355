import { useMemo } from 'react';
import { useUser } from './session.ts';
import { readSealed, writeSealed } from '#base/sealed.ts';
import { local } from '#base/storage.ts';

const prefix = 'waystation-draft:';
const keyOf = (userId: number, name: string): string => `${prefix}${userId}:${name}`;

export interface Draft<T> {
  /**
   * The stored draft, or null. An older version may have stored other fields, so the fields must be
   * checked before use.
   */
  read: () => Partial<T> | null;
  write: (value: T) => void;
  drop: () => void;
}

export const draftOf = <T>(userId: number, name: string): Draft<T> => {
  const key = keyOf(userId, name);
  return {
    read: () => {
      const value = readSealed(userId, key)?.value ?? null;
      return typeof value === 'object' ? (value as Partial<T> | null) : null;
    },
    write: (value) => writeSealed(userId, key, value),
    drop: () => local.drop(key),
  };
};

/** The user's drafts whose names begin with `start`. */
export const draftsNamed = <T>(userId: number, start: string): Draft<T>[] => {
  const begin = keyOf(userId, '');
  return local
    .keys()
    .filter((key) => key.startsWith(begin + start))
    .map((key) => draftOf<T>(userId, key.slice(begin.length)));
};

/**
 * An unfinished form, encrypted so that only its user can read it. It is kept after the page is
 * closed or reloaded and after a logout.
 */
export const useDraft = <T>(name: string): Draft<T> => {
  const { id } = useUser();
  return useMemo(() => draftOf<T>(id, name), [id, name]);
};

/**
 * Deletes the drafts of other users when a user logs in, because drafts contain names and phone
 * numbers.
 */
export const dropForeignDrafts = (userId: number): void => {
  for (const key of local.keys())
    if (key.startsWith(prefix) && !key.startsWith(`${prefix}${userId}:`)) local.drop(key);
};
