/** The first that can be seen: pages whose tab is not the active one stay in the document, hidden, with rows of the same numbers. */
export const firstShown = (selector: string): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility()) ?? null;
