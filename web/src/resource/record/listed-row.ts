import type { List } from '#resource/list/use-list.ts';

/**
 * The opened row of a list whose rows are read by pages only: a link may name one that is not on
 * this page, and then nothing else can be read. `reading` has the form for the record's drawer.
 */
export const listedRow = <R extends { id: number }>({
  opened,
  openedRow,
  rows,
  error,
  refetch,
}: Pick<List<R>, 'opened' | 'openedRow' | 'rows' | 'error' | 'refetch'>) => {
  const gone = opened !== null && rows !== undefined && openedRow === undefined;
  return {
    row: openedRow,
    reading: { ready: openedRow !== undefined || gone, error, retry: refetch },
  };
};
