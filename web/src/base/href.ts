/**
 * In these functions an "href" is the part of the URL after `#`: the path and the query, for
 * example `/model/expresses?page=2`.
 */
export type Search = Readonly<Record<string, string>>;
/** Changes to the query of a URL; a value of undefined or '' removes the parameter. */
export type SearchPatch = Readonly<Record<string, string | number | undefined | null>>;

export const pathOf = (href: string): string => {
  const path = href.split('?', 1)[0]!;
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
};

const queryOf = (href: string): string => {
  const at = href.indexOf('?');
  return at < 0 ? '' : href.slice(at + 1);
};

/** The query parameters. If a parameter is repeated, its last value counts. */
export const searchOf = (href: string): Search =>
  Object.fromEntries(new URLSearchParams(queryOf(href)));

export const hrefOf = (path: string, search: SearchPatch = {}): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
};

export const patchedHref = (href: string, patch: SearchPatch): string =>
  hrefOf(pathOf(href), { ...searchOf(href), ...patch });

/** The in-app URL in the hash of the address bar. */
export const hrefOfHash = (hash: string): string => {
  const href = hash.replace(/^#/, '');
  return href.startsWith('/') ? href : `/${href}`;
};
