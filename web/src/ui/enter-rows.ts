const waiting = 'rowsWanted';

/**
 * Moves the focus from the search box of a list to the first row of the list. If `later` is true,
 * the focus moves after the found rows are loaded.
 */
export const enterRows = (from: HTMLElement, later: boolean): void => {
  const list = from.closest('section');
  if (later) {
    if (list) list.dataset[waiting] = '';
  } else list?.querySelector<HTMLElement>('[role=row][data-row]')?.focus();
};

/**
 * True if the first row of this list shall get the focus when the rows are drawn. The request is
 * then removed, so a second call returns false.
 */
export const areRowsWanted = (inside: HTMLElement | null): boolean => {
  const list = inside?.closest('section');
  if (list?.dataset[waiting] === undefined) return false;
  delete list.dataset[waiting];
  return true;
};
