import { useState } from 'react';
import { notify } from '#ui/overlay/notify.tsx';
import type { StatusSwitching } from './use-status-switch.tsx';

/** A row that a user wants to disable although other rows use it. */
export interface Replaced<U> {
  id: number;
  name: string;
  uses: U;
}

interface Replacing<U> {
  switching: StatusSwitching;
  /** The row for which the replacement dialog is open; null while the dialog is closed. */
  replaced: Replaced<U> | null;
  close: () => void;
}

/**
 * A status switch for rows that need a replacement when they are disabled while in use. `usesOf`
 * returns the uses of a row, or null if there are none. If a row is in use, disabling it opens a
 * dialog. Otherwise its status changes immediately.
 */
export const useReplacing = <U>(
  plain: StatusSwitching,
  usesOf: (id: number) => Promise<U | null>,
): Replacing<U> => {
  const [replaced, setReplaced] = useState<Replaced<U> | null>(null);
  const toggle: StatusSwitching['toggle'] = (row, name) => {
    if (row.status === 0) return plain.toggle(row, name);
    void usesOf(row.id).then(
      (uses) => (uses === null ? plain.toggle(row, name) : setReplaced({ id: row.id, name, uses })),
      notify.failure,
    );
  };
  return { switching: { busy: plain.busy, toggle }, replaced, close: () => setReplaced(null) };
};
