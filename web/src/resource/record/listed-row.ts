import type { List } from '#resource/list/use-list.ts';

/**
 * The opened row of a list whose rows can be read only by page. A link may name a row that is not
 * on this page; such a row cannot be read. `reading` has the form for the record's drawer.
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
