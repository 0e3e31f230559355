/**
 * The first visible element: pages of inactive tabs stay in the document, hidden, and may have rows
 * of the same numbers.
 */
export const firstShown = (selector: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility(),
  ) ?? null;
