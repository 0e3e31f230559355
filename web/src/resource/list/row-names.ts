import { createContext, useContext } from 'react';

type NameOf = (row: { id: number }) => string;

/**
 * The function by which the surrounding list names its rows. Dialogs about selected rows use it.
 */
export const RowNames = createContext<NameOf | null>(null);

/** The names of rows of the list that surrounds the component; empty outside a list. */
export const useRowNames = (rows: readonly { id: number }[]): string[] => {
  const nameOf = useContext(RowNames);
  return nameOf === null ? [] : rows.map(nameOf);
};
