import { base, plainHeaders } from './headers.ts';
import { pathOf, searchOf } from './href.ts';

type Preloads = Map<string, { answer: Promise<Response>; at: number }>;
const holder = globalThis as { waystationPreloads?: Preloads };

/**
 * What the console is going to ask first is asked before its files are: by a copy of this module that the build writes into index.html (start/preload-entry.ts), else by
 * the entry. `call` takes such an answer over where it asks for the same; what nobody asks for is forgotten.
 */
const preloads: Preloads = (holder.waystationPreloads ??= new Map());
/** Milliseconds after which an answer is no longer taken for a fresh one. */
const freshFor = 15_000;

/** One spelling for the same question, however its parts were put in order. */
const spelled = (url: string): string => {
  const { pathname, searchParams } = new URL(url, 'http://any');
  searchParams.sort();
  return `${pathname}?${searchParams}`;
};

/** What a screen asks first, by its path. A guess that misses costs one read. */
const firstReads: Readonly<Record<string, (search: Readonly<Record<string, string>>) => string>> = {
  '/dashboard/workplace': () => '/api/arco/workplace',
  '/model/expresses': ({ size, id: _id, view: _view, page, ...filters }) =>
    `/api/arco/expresses?${new URLSearchParams({ ...filters, page: page ?? '1', page_size: size ?? '20' })}`,
};

/** The reads that opening `href` begins with. */
export const preloadUrls = (href: string): string[] => {
  const first = firstReads[pathOf(href)];
  return ['/api/arco/about', '/api/arco/personal', '/api/arco/preferences', ...(first ? [first(searchOf(href))] : [])];
};

/** Whether the page has asked already. */
export const hasPreloadStarted = (): boolean => preloads.size > 0;

export const startPreload = (href: string): void => {
  for (const path of preloadUrls(href)) {
    const answer = fetch(base + path, { headers: plainHeaders(), credentials: 'same-origin' });
    // Heard by whoever takes it over.
    answer.catch(() => null);
    preloads.set(spelled(base + path), { answer, at: Date.now() });
  }
};

/** The answer that is on its way to this very question, once. */
export const takePreloaded = (url: string): Promise<Response> | null => {
  if (preloads.size === 0) return null;
  const key = spelled(url);
  const found = preloads.get(key);
  preloads.delete(key);
  return found && Date.now() - found.at < freshFor ? found.answer : null;
};
