import { createContext, useContext } from 'react';

type NameOf = (row: { id: number }) => string;

/** The function with which the surrounding list names its rows, for dialogs about selected rows. */
export const RowNames = createContext<NameOf | null>(null);

/** The names of rows of the list that surrounds the component; empty outside a list. */
export const useRowNames = (rows: readonly { id: number }[]): string[] => {
  const nameOf = useContext(RowNames);
  return nameOf === null ? [] : rows.map(nameOf);
};
