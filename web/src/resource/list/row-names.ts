import { createContext, useContext } from 'react';

type NameOf = (row: { id: number }) => string;

/** The surrounding list's names of its rows, for dialogs over chosen ones. */
export const RowNames = createContext<NameOf | null>(null);

/** The names of rows of the list that surrounds the component; empty outside a list. */
export const useRowNames = (rows: readonly { id: number }[]): string[] => {
  const nameOf = useContext(RowNames);
  return nameOf === null ? [] : rows.map(nameOf);
};
