import type { LiveEvents } from '@waystation/contract/shell/events.ts';
import { followEvents } from './follow-events.ts';
import type { LiveMode } from './follow-events.ts';
import { spreadResets } from './spread-resets.ts';
import { readToken } from './token.ts';

interface Connection {
  hear: (message: LiveEvents) => void;
  onMode: (mode: LiveMode) => void;
  /** A signal that is aborted when the session ends. */
  signal: AbortSignal;
}

/**
 * Messages between the browser windows of one session. The window with the connection forwards its
 * events. A new window asks for the present state.
 */
type Shared = { ask: true } | { mode: LiveMode; cursor: string | null; message?: LiveEvents };

/**
 * The name of the channel between browser windows. It does not reveal the token, and windows of
 * different sessions never share a connection.
 */
const nameOf = (token: string): string => {
  let hash = 2_166_136_261;
  for (let at = 0; at < token.length; at++)
    hash = Math.imul(hash ^ token.charCodeAt(at), 16_777_619);
  return `waystation-live-${(hash >>> 0).toString(36)}`;
};

/**
 * Keeps one connection per browser. The window with the lock reads the events and forwards them to
 * the other windows. When it closes, another window gets the lock and continues after the last
 * message. On a URL without TLS there are no locks, and each window polls, because a browser opens
 * only few connections.
 */
export const connectLive = ({ hear: deliver, onMode, signal }: Connection): void => {
  const hear = spreadResets(deliver, signal);
  const token = readToken();
  if (token === null || signal.aborted) return;
  const name = nameOf(token);
  const channel = new BroadcastChannel(name);
  let leads = false;
  let cursor: string | null = null;
  let mode: LiveMode = 'off';

  const share = (message?: LiveEvents): void =>
    channel.postMessage({ mode, cursor, ...(message && { message }) } satisfies Shared);
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => {
    if ('ask' in data) {
      if (leads) share();
      return;
    }
    // The window that has the lock ignores these messages, because its own connection repeats the
    // events. Another window may have sent them just before it closed.
    if (leads) return;
    cursor = data.cursor ?? cursor;
    onMode(data.mode);
    if (data.message) hear(data.message);
  });
  signal.addEventListener('abort', () => {
    channel.close();
    onMode('off');
  });

  const lead = async (streams: boolean): Promise<void> => {
    leads = streams;
    await followEvents({
      streams,
      signal,
      cursor: () => cursor,
      onCursor: (next, message) => {
        cursor = next;
        if (message) hear(message);
        if (leads) share(message);
      },
      onMode: (next) => {
        mode = next;
        onMode(next);
        if (leads) share();
      },
    });
  };
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) {
    void lead(false);
    return;
  }
  // The request for the lock is rejected if the session ends before the lock is granted.
  locks.request(name, { signal }, () => lead(true)).catch(() => null);
  channel.postMessage({ ask: true } satisfies Shared);
};
