import { base, plainHeaders } from './headers.ts';
import { pathOf, searchOf } from './href.ts';

type Begun = Map<string, { answer: Promise<Response>; at: number }>;
const holder = globalThis as { waystationBegun?: Begun };

/**
 * What the console is going to ask first is asked before its files are: by a copy of this module that the build writes into index.html (ahead.ts), else by
 * the entry. `call` takes such an answer over where it asks for the same; what nobody asks for is forgotten.
 */
const begun: Begun = (holder.waystationBegun ??= new Map());
/** Milliseconds after which an answer is no longer taken for a fresh one. */
const freshFor = 15_000;

/** One spelling for the same question, however its parts were put in order. */
const spelled = (url: string): string => {
  const { pathname, searchParams } = new URL(url, 'http://any');
  searchParams.sort();
  return `${pathname}?${searchParams}`;
};

/** What a screen asks first, by its path. A guess that misses costs one read. */
const firstQuestions: Readonly<Record<string, (search: Readonly<Record<string, string>>) => string>> = {
  '/dashboard/workplace': () => '/api/arco/workplace',
  '/model/expresses': ({ size, id: _id, view: _view, page, ...filters }) =>
    `/api/arco/expresses?${new URLSearchParams({ ...filters, page: page ?? '1', page_size: size ?? '20' })}`,
};

/** The reads that opening `href` begins with. */
export const earlyReads = (href: string): string[] => {
  const first = firstQuestions[pathOf(href)];
  return ['/api/arco/about', '/api/arco/personal', '/api/arco/preferences', ...(first ? [first(searchOf(href))] : [])];
};

/** Whether the page has asked already. */
export const hasBegun = (): boolean => begun.size > 0;

export const beginEarly = (href: string): void => {
  for (const path of earlyReads(href)) {
    const answer = fetch(base + path, { headers: plainHeaders(), credentials: 'same-origin' });
    // Heard by whoever takes it over.
    answer.catch(() => null);
    begun.set(spelled(base + path), { answer, at: Date.now() });
  }
};

/** The answer that is on its way to this very question, once. */
export const takeEarly = (url: string): Promise<Response> | null => {
  if (begun.size === 0) return null;
  const key = spelled(url);
  const found = begun.get(key);
  begun.delete(key);
  return found && Date.now() - found.at < freshFor ? found.answer : null;
};
