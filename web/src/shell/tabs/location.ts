import { UNSAFE_createHashHistory as createHashHistory } from 'react-router';

/**
 * The address bar. Only the router's hash history is used: the rest of it would decide what is mounted, which the tabs do here.
 * Pages read their own tab's search instead, since another tab's location is not theirs.
 */
const history = createHashHistory({ v5Compat: true });

export const currentHref = (): string => history.location.pathname + history.location.search;

const listeners = new Set<(href: string) => void>();
let last = currentHref();

history.listen(() => {
  const href = currentHref();
  if (href === last) return;
  last = href;
  for (const listener of listeners) listener(href);
});

export const go = (href: string, options: { replace?: boolean } = {}): void => {
  if (href === currentHref()) return;
  if (options.replace) history.replace(href);
  else history.push(href);
};

export const goBack = (): void => history.go(-1);

/** Calls `listener` after each change; the answer ends it. */
export const onLocation = (listener: (href: string) => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
