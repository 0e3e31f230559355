import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { LiveEvent, LiveEvents } from '@waystation/contract/events.ts';
import type { LiveMode } from './follow-events.ts';
import { useIdle } from './idle.ts';

/** A hint of the server (docs/web.md), or that some may be missing: what is waited for is read again. */
export type HeardEvent = LiveEvent | { kind: 'reset' };
type Kind = HeardEvent['kind'];
type EventOf<K extends Kind> = Extract<HeardEvent, { kind: K }>;

export const liveStore = createStore<{ mode: LiveMode }>(() => ({ mode: 'off' }));

const handlers = new Map<Kind, Set<(event: never) => void>>();

/** Calls `handler` at each event of that kind, from now on. Returns how to stop. */
export const onLiveEvents = <K extends Kind>(kind: K, handler: (event: EventOf<K>) => void): (() => void) => {
  const known = handlers.get(kind) ?? new Set();
  handlers.set(kind, known);
  known.add(handler);
  return () => void known.delete(handler);
};

/** Calls `handler` at each event of that kind while the component is shown. An event is a hint that may come late: read once what is waited for, too. */
export const useLiveEvents = <K extends Kind>(kind: K, handler: (event: EventOf<K>) => void): void => {
  const heard = useEffectEvent(handler);
  useEffect(() => onLiveEvents(kind, (event) => heard(event)), [kind]);
};

/** Milliseconds between two reads of what no event names, while events name the rest. */
const besideEvents = 15_000;
/** Milliseconds in which events count as one. */
const togetherFor = 200;

/**
 * How often to read again what is waited for: `pause` where the browser hears no events, rarely where it does; false: nothing is waited for. A stream may end
 * without a word, so that nothing waits for an event alone.
 */
export const useLivePause = (pause: number | false): number | false => {
  const mode = useStore(liveStore, (state) => state.mode);
  return pause === false || mode !== 'stream' ? pause : Math.max(pause, besideEvents);
};

/** Calls `read` once for all the events that come together. */
export const useReadAtEvents = (isWaited: (express_id: number) => boolean, read: () => void): void => {
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
  for (const handler of handlers.get(event.kind) ?? []) handler(event as never);
};

const hear = ({ reset, events }: LiveEvents): void => {
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

/** Hears events for as long as the session lasts, once the first screen is drawn. Returns how to end it. */
export const startLiveEvents = (): (() => void) => {
  const ended = new AbortController();
  const start = async (): Promise<void> => {
    await whenIdle();
    const { connectLive } = await import('./live-connection.ts');
    connectLive({ hear, onMode: (mode) => liveStore.setState({ mode }), signal: ended.signal });
  };
  // A chunk that cannot be fetched leaves pages to what they read themselves.
  start().catch(() => null);
  return () => ended.abort();
};
