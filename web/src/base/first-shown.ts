/**
 * Returns the first visible element. The document may also contain hidden pages of inactive tabs
 * with the same rows.
 */
export const firstShown = (selector: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility(),
  ) ?? null;
