import type { List } from '#resource/list/use-list.ts';

/**
 * Returns the opened row of a list whose rows can be read only page by page. If a link contains a
 * row that is not on the current page, the row cannot be read. `reading` has the fields that the
 * record's drawer needs.
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
