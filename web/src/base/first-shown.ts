/**
 * The first visible element. Pages of inactive tabs stay in the document, hidden, and may hold the
 * same rows.
 */
export const firstShown = (selector: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility(),
  ) ?? null;
