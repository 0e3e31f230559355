/**
 * Returns the first visible element. The pages of inactive tabs stay hidden in the document and may
 * contain the same rows.
 */
export const firstShown = (selector: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) =>
    element.checkVisibility(),
  ) ?? null;
