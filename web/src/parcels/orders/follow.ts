import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { announce } from '#base/announce.ts';
import { call } from '#base/call.ts';
import { liveStore, onLiveEvents } from '#base/live-events.ts';
import { isLoggingOut } from '#base/logout-reason.ts';
import { keepUnsent, openEntries, useOrders, dropForeignEntries } from './entries.ts';
import { isFollowed, isAwaited, isUnanswered } from './entry.ts';
import type { OrderEntry } from './entry.ts';
import { underLock } from './lock.ts';
import { openToPrint } from './to-print.ts';
import { noteParcel, workOnAll } from './work.ts';
import { onSessionEnd } from '#shell/session/session.ts';

/**
 * The number of milliseconds until parcels that wait for the carrier are read again. The pause
 * grows with the time since the order. It is shorter without live events, and longest if only a
 * top-up is awaited.
 */
const pauseFor = (entries: readonly OrderEntry[], now: number): number => {
  const open = entries.filter(isFollowed);
  if (open.length === 0) return 30_000;
  const youngest = Math.min(...open.map(({ at }) => now - at));
  // A parcel's event may arrive before the response to its order, when this browser does not know
  // the parcel yet. One early read makes up for the ignored event.
  const early = liveStore.getState().mode === 'stream' ? 1_500 : 15_000;
  return youngest < early ? 1_000 : youngest < 120_000 ? 3_000 : 15_000;
};

/**
 * The maximum number of parcels in one request, because the list endpoint returns at most one page.
 */
const mostRead = 50;

/** Requests all parcels whose state may still change, and the parcel of `key`, in one request. */
const readOpen = async (key: string | null): Promise<void> => {
  const wanted = useOrders
    .getState()
    .entries.filter((entry) => entry.key === key || isFollowed(entry) || isAwaited(entry));
  const open = wanted
    .flatMap(({ key: own, parcel }) => (parcel === null ? [] : [{ key: own, parcel }]))
    .slice(0, mostRead);
  if (open.length === 0) return;
  const { items } = await call(listExpresses, {
    q: open.map(({ parcel }) => parcel.order_id).join(' '),
    page_size: mostRead,
    fields: 'pre_sort_result',
  });
  for (const { key: own, parcel } of open) {
    const row = items.find(({ id }) => id === parcel.id);
    if (row !== undefined) noteParcel(own, row);
  }
};

let timer: ReturnType<typeof setTimeout> | null = null;

const plan = (): void => {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const { entries } = useOrders.getState();
  if (isLoggingOut() || !entries.some((entry) => isFollowed(entry) || isAwaited(entry))) return;
  timer = setTimeout(() => void readNow(), pauseFor(entries, Date.now()));
};

/**
 * Immediately reads the parcels that may still change, for example after a live event about one of
 * them. If the read fails, it is repeated at the next scheduled time.
 */
export const readNow = async (key: string | null = null): Promise<void> => {
  const read = (): Promise<void> => readOpen(key).catch(() => undefined);
  await (key === null ? underLock('waystation-orders-read', read) : read());
  plan();
};

const soon = 100;
let pendingRead: ReturnType<typeof setTimeout> | null = null;
/** Reads the parcels once for several events, 100 ms after the first event. */
const readSoon = (): void => {
  pendingRead ??= setTimeout(() => {
    pendingRead = null;
    void readNow();
  }, soon);
};

/**
 * Reads an order again after a live event, because the event only hints that something may have
 * changed.
 */
const followEvents = (): void => {
  const isOpenParcel = (id: number): boolean =>
    useOrders
      .getState()
      .entries.some((entry) => entry.parcel?.id === id && (isFollowed(entry) || isAwaited(entry)));
  onLiveEvents('parcel', ({ express_id }) => {
    if (isOpenParcel(express_id)) readSoon();
  });
  onLiveEvents('parcels', readSoon);
  onLiveEvents('reset', readSoon);
};

/**
 * Schedules the next read if more entries must be followed. Sends unanswered entries that another
 * browser window has added.
 */
const watchOrders = (): void => {
  useOrders.subscribe(({ entries }, before) => {
    if (entries === before.entries) return;
    if (
      timer === null ||
      entries.some(
        (entry) =>
          isFollowed(entry) &&
          !before.entries.some((old) => old.key === entry.key && isFollowed(old)),
      )
    )
      plan();
    // A browser window that was closed during its request may have left an entry without an answer.
    if (
      entries.some(
        (entry) => isUnanswered(entry) && !before.entries.some(({ key }) => key === entry.key),
      )
    )
      workOnAll();
  });
};

/**
 * Starts to process the orders of the logged-in user in this browser window, on whatever page the
 * user is. Has no effect if it already runs for this user.
 */
export const startOrders = (userId: number): void => {
  if (useOrders.getState().user === userId) return;
  dropForeignEntries(userId, Date.now());
  openEntries(userId);
  openToPrint(userId);
  onSessionEnd(keepUnsent);
  watchOrders();
  followEvents();
  window.addEventListener('online', workOnAll);
  workOnAll();
  plan();
};

let isListening = false;

/**
 * Announces the outcomes of orders to screen readers on any page. It also announces outcomes that
 * arrived before it was called for the first time.
 */
export const announceOutcomes = (wordsOf: (entry: OrderEntry) => string): (() => void) => {
  if (!isListening)
    for (const entry of useOrders.getState().entries)
      if (entry.at >= performance.timeOrigin && !isUnanswered(entry)) announce(wordsOf(entry));
  isListening = true;
  return useOrders.subscribe(({ entries }, before) => {
    for (const entry of entries) {
      const old = before.entries.find(({ key }) => key === entry.key);
      if (
        old !== undefined &&
        (old.state !== entry.state || old.parcel?.state_code !== entry.parcel?.state_code) &&
        !isUnanswered(entry)
      )
        announce(wordsOf(entry));
    }
  });
};
