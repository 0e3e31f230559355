import { hrefOfHash } from '#base/href.ts';

/**
 * The part of the URL behind `#` in the address bar. The tabs, not the URL, decide which page is
 * mounted. Each page reads the query of its own tab, because the URL may belong to another tab.
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

// The browser raises this event for back, forward, links and typed URLs. `go` raises no event, so
// it calls `notify` itself.
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
