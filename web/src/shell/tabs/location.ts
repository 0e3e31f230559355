import { hrefOfHash } from '#base/href.ts';

/**
 * The address bar: the browser's own history, whose entries have their href behind `#`. The tabs,
 * not the address, decide which page is mounted. Pages read the search of their own tab, because
 * the address may be another tab's.
 */
export const currentHref = (): string => hrefOfHash(window.location.hash).split('#', 1)[0]!;

const listeners = new Set<(href: string) => void>();
let last = currentHref();

const notify = (): void => {
  const href = currentHref();
  if (href === last) return;
  last = href;
  for (const listener of listeners) listener(href);
};

// The browser raises this event for back, forward, links and typed URLs; `go` below raises no
// event.
window.addEventListener('popstate', notify);

export const go = (href: string, options: { replace?: boolean } = {}): void => {
  if (href === currentHref()) return;
  if (options.replace) window.history.replaceState(null, '', `#${href}`);
  else window.history.pushState(null, '', `#${href}`);
  notify();
};

/** Calls `listener` after each change of the URL. The returned function removes the listener. */
export const onLocation = (listener: (href: string) => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
