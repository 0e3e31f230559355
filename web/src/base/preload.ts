import type { Endpoint, InputOf } from '@waystation/contract/base/endpoint.ts';
import { plainHeaders } from './headers.ts';
import { requestUrl } from './request-url.ts';

/** A GET call and its input. */
export interface Read {
  endpoint: Endpoint;
  input: Readonly<Record<string, unknown>>;
}

export const readOf = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Read => ({
  endpoint,
  input: input as Read['input'],
});

type Preloads = Map<string, { answer: Promise<Response>; at: number }>;
const holder = globalThis as { waystationPreloads?: Preloads };

/**
 * The answers to the console's first reads. A script in index.html (start/preload-entry.ts) sends
 * these reads before the console's files are loaded. The script contains a separate copy of this
 * module, so the answers are stored on the window. `call` uses an answer for the same URL.
 */
const preloads: Preloads = (holder.waystationPreloads ??= new Map());
/** The number of milliseconds for which a preloaded response may be used. */
const freshFor = 15_000;

export const hasPreloadStarted = (): boolean => preloads.size > 0;

export const startPreload = (reads: readonly Read[]): void => {
  for (const { endpoint, input } of reads) {
    const url = requestUrl(endpoint, input);
    const answer = fetch(url, { headers: plainHeaders(), credentials: 'same-origin' });
    // The call that uses the answer also handles its failure.
    answer.catch(() => null);
    preloads.set(url, { answer, at: Date.now() });
  }
};

/**
 * Removes and returns the preloaded answer for this URL. Null if there is none or if it is too old.
 */
export const takePreloaded = (url: string): Promise<Response> | null => {
  const found = preloads.get(url);
  preloads.delete(url);
  return found && Date.now() - found.at < freshFor ? found.answer : null;
};
