import { liveEvents, streamHeartbeat } from '@waystation/contract/events.ts';
import type { LiveEvents } from '@waystation/contract/events.ts';
import { call } from './call.ts';
import { eventReader } from './event-text.ts';
import { plainHeaders } from './headers.ts';
import { requestUrl } from './request-url.ts';

/** How this browser hears events: by a stream, by asking every ten seconds, or not yet. */
export type LiveMode = 'off' | 'stream' | 'poll';

interface Following {
  /** False: only asks at intervals. */
  streams: boolean;
  signal: AbortSignal;
  /** Where to go on; null: from now. */
  cursor: () => string | null;
  onCursor: (cursor: string, message?: LiveEvents) => void;
  onMode: (mode: LiveMode) => void;
}

/** Milliseconds: a stream's first message, and then each sign of life, comes within these. */
const firstWithin = 10_000;
const silent = 3 * streamHeartbeat;
/** A stream that ends sooner than this is no stream that works. */
const shortLived = 5_000;
const pollEvery = 10_000;
/** After so many polls a stream is tried again. */
const pollsBetween = 6;

/** Ends early with the session, and when the network is back. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      globalThis.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    globalThis.addEventListener('online', end);
  });

/** Browsers that lost the same server come back at different moments. */
const jitter = (): number => 500 + Math.random() * 2_500;

/** Asks once. A refusal for a dead session logs out as with any call; other failures wait for the next time. */
const poll = async ({ signal, cursor, onCursor }: Following): Promise<void> => {
  const after = cursor();
  try {
    const message = await call(liveEvents, after === null ? {} : { after }, { background: true, timeout: pollEvery, signal });
    onCursor(message.cursor, message);
  } catch {
    // Pages go on with what they read themselves.
  }
};

/** Reads one stream to its end. Throws where it does not open, breaks, or is silent for too long. */
const readStream = async (following: Following): Promise<void> => {
  const { signal, cursor, onCursor, onMode } = following;
  const silence = new AbortController();
  const wait = (milliseconds: number) => setTimeout(() => silence.abort(), milliseconds);
  let timer = wait(firstWithin);
  try {
    const after = cursor();
    const response = await fetch(requestUrl(liveEvents, {}), {
      headers: { ...plainHeaders(), Accept: 'text/event-stream', 'X-Background': '1', ...(after !== null && { 'Last-Event-ID': after }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body || !(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      await response.body?.cancel();
      // Asking says so to the session, which logs out.
      if (response.status === 401) await poll(following);
      throw new Error(`no stream: ${response.status}`);
    }
    const read = eventReader();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = wait(silent);
      for (const { id, data } of read(decoder.decode(value, { stream: true }))) {
        if (id === null) continue;
        onMode('stream');
        onCursor(id, data === null ? undefined : (JSON.parse(data) as LiveEvents));
      }
    }
  } finally {
    clearTimeout(timer);
  }
};

const pollForAWhile = async (following: Following): Promise<void> => {
  for (let n = 0; n < pollsBetween && !following.signal.aborted; n++) {
    await poll(following);
    if (!following.signal.aborted) following.onMode('poll');
    await pause(pollEvery, following.signal);
  }
};

/** Hears events until the session ends: by streams one after another, and by asking where two in a row fail. */
export const followEvents = async (following: Following): Promise<void> => {
  const { signal, streams } = following;
  let failures = 0;
  let mode: LiveMode = 'off';
  const changed: Following = {
    ...following,
    onMode: (next) => {
      if (next !== mode) following.onMode(next);
      mode = next;
    },
  };
  while (!signal.aborted) {
    if (!streams || failures > 1) {
      await pollForAWhile(changed);
      // One try, then back to asking.
      failures = 1;
      continue;
    }
    const since = Date.now();
    const worked = await readStream(changed).then(
      () => Date.now() - since > shortLived,
      () => false,
    );
    failures = worked ? 0 : failures + 1;
    if (!signal.aborted && failures < 2) await pause(jitter(), signal);
  }
};
