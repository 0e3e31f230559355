import { liveEvents, streamHeartbeat } from '@waystation/contract/shell/events.ts';
import type { LiveEvents } from '@waystation/contract/shell/events.ts';
import { call } from './call.ts';
import { eventReader } from './event-text.ts';
import { plainHeaders } from './headers.ts';
import { requestUrl } from './request-url.ts';

/** How this browser receives events: by a stream, by polling every ten seconds, or not yet. */
export type LiveMode = 'off' | 'stream' | 'poll';

interface Following {
  /** True if events are streamed; false if they are only polled. */
  streams: boolean;
  signal: AbortSignal;
  /** The position from which events are read. If it is null, only later events are read. */
  cursor: () => string | null;
  onCursor: (cursor: string, message?: LiveEvents) => void;
  onMode: (mode: LiveMode) => void;
}

/** The number of milliseconds within which the first message of a stream must arrive. */
const firstWithin = 10_000;
const silent = 3 * streamHeartbeat;
/** A stream that ends within this number of milliseconds counts as failed. */
const shortLived = 5_000;
const pollEvery = 10_000;
/** The number of polls before the browser tries a stream again. */
const pollsBetween = 6;

/**
 * Waits for this number of milliseconds. It stops waiting if the session ends or the network is
 * back.
 */
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

/**
 * A random number of milliseconds, so that browsers that lost the same server do not all reconnect
 * at the same time.
 */
const jitter = (): number => 500 + Math.random() * 2_500;

/**
 * Polls once. If the session has ended, the response logs the user out, like the response to any
 * call. After any other failure the next poll tries again.
 */
const poll = async ({ signal, cursor, onCursor }: Following): Promise<void> => {
  const after = cursor();
  try {
    const message = await call(liveEvents, after === null ? {} : { after }, {
      background: true,
      timeout: pollEvery,
      signal,
    });
    onCursor(message.cursor, message);
  } catch {
    // If polling fails too, the pages still read their data at intervals.
  }
};

/**
 * Reads one stream to its end. Throws if the stream cannot be opened, breaks off, or sends nothing
 * for too long.
 */
const readStream = async (following: Following): Promise<void> => {
  const { signal, cursor, onCursor, onMode } = following;
  const silence = new AbortController();
  const wait = (milliseconds: number) => setTimeout(() => silence.abort(), milliseconds);
  let timer = wait(firstWithin);
  try {
    const after = cursor();
    const response = await fetch(requestUrl(liveEvents, {}), {
      headers: {
        ...plainHeaders(),
        Accept: 'text/event-stream',
        'X-Background': '1',
        ...(after !== null && { 'Last-Event-ID': after }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (
      !response.ok ||
      !response.body ||
      !(response.headers.get('content-type') ?? '').startsWith('text/event-stream')
    ) {
      await response.body?.cancel();
      // The poll also receives status 401, and then logs the user out.
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

/**
 * Receives events until the session ends. It uses one stream after another, and polls if two
 * streams in a row fail.
 */
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
      // The next round tries one stream. If that stream fails, the browser polls again.
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
