import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { LiveEvent, LiveEvents } from '@waystation/contract/shell/events.ts';
import type { LiveMode } from './follow-events.ts';
import { useIdle } from './idle.ts';

/**
 * An event from the server (docs/web.md), or the notice that events may have been missed. The
 * receiver then reads its data again.
 */
export type HeardEvent = LiveEvent | { kind: 'reset' };
type Kind = HeardEvent['kind'];
type EventOf<K extends Kind> = Extract<HeardEvent, { kind: K }>;

export const liveStore = createStore<{ mode: LiveMode }>(() => ({ mode: 'off' }));

const handlers = new Map<Kind, Set<(event: never) => void>>();

/** The events of the last minute with their time of arrival, the oldest first. */
const recent: { event: HeardEvent; at: number }[] = [];
const recentFor = 60_000;
const mostRecent = 500;

const keep = (event: HeardEvent): void => {
  const at = Date.now();
  const tooOld = recent.findIndex((one) => one.at > at - recentFor);
  recent.splice(0, tooOld < 0 ? recent.length : tooOld);
  if (recent.length === mostRecent) recent.shift();
  recent.push({ event, at });
};

/**
 * Calls `handler` for each later event of this kind. Before that, calls it for the stored events
 * that arrived at or after `since`. Returns a function that ends the calls.
 */
export const onLiveEvents = <K extends Kind>(
  kind: K,
  handler: (event: EventOf<K>) => void,
  since = Infinity,
): (() => void) => {
  const known = handlers.get(kind) ?? new Set();
  handlers.set(kind, known);
  known.add(handler);
  for (const { event, at } of recent)
    if (event.kind === kind && at >= since) handler(event as EventOf<K>);
  return () => void known.delete(handler);
};

/**
 * Calls `handler` for each event of this kind while the component is shown. Earlier events are
 * included if they arrived at or after `since`. Events are only hints and may come late, so the
 * component must also read the data by itself once.
 */
export const useLiveEvents = <K extends Kind>(
  kind: K,
  handler: (event: EventOf<K>) => void,
  since?: number,
): void => {
  const onEvent = useEffectEvent(handler);
  // A later value must not repeat events that were already handled.
  const [first] = useState(since);
  useEffect(() => onLiveEvents(kind, (event) => onEvent(event), first), [kind, first]);
};

/**
 * The minimum number of milliseconds between two reads of awaited data while live events are
 * streamed.
 */
const besideEvents = 15_000;
/** Events that arrive within this number of milliseconds count as one. */
const togetherFor = 200;

/**
 * The interval for reading awaited data again. It is `pause` without a stream of events, and longer
 * with one. If no change is awaited, `pause` is false and nothing is read. A stream may end without
 * notice, so data never depend only on events.
 */
export const useLivePause = (pause: number | false): number | false => {
  const mode = useStore(liveStore, (state) => state.mode);
  return pause === false || mode !== 'stream' ? pause : Math.max(pause, besideEvents);
};

/** Calls `read` once for several events that arrive shortly after one another. */
export const useReadAtEvents = (
  isWaited: (express_id: number) => boolean,
  read: () => void,
): void => {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      clearTimeout(timer.current ?? undefined);
      timer.current = null;
    },
    [],
  );
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      read();
    }, togetherFor);
  };
  useLiveEvents('parcel', ({ express_id }) => isWaited(express_id) && soon());
  useLiveEvents('parcels', soon);
  useLiveEvents('reset', soon);
};

const deliver = (event: HeardEvent): void => {
  keep(event);
  for (const handler of handlers.get(event.kind) ?? []) handler(event as never);
};

/** Passes a message of the server on to the handlers of its events. */
export const hear = ({ reset, events }: LiveEvents): void => {
  if (reset === 1) deliver({ kind: 'reset' });
  for (const event of events) deliver(event);
};

const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if (useIdle.getState().idle) return resolve();
    const stop = useIdle.subscribe(({ idle }) => {
      if (!idle) return;
      stop();
      resolve();
    });
  });

/**
 * Receives events during the session, beginning after the first screen is drawn. Returns a function
 * that stops receiving.
 */
export const startLiveEvents = (): (() => void) => {
  const ended = new AbortController();
  const start = async (): Promise<void> => {
    await whenIdle();
    const { connectLive } = await import('./live-connection.ts');
    connectLive({ hear, onMode: (mode) => liveStore.setState({ mode }), signal: ended.signal });
  };
  // If this code cannot be loaded, the pages still read their data at intervals.
  start().catch(() => null);
  return () => ended.abort();
};
