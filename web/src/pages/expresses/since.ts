import type { HeardEvent } from '#base/live-events.ts';

/**
 * The events that occurred after a list was requested. The rows of the list may not include them.
 */
export interface Heard {
  ids: ReadonlySet<number>;
  /** The number of new parcels that events reported without ids, only as a count. */
  unnamed: number;
  /** True if an event may have been missed. */
  gap: boolean;
  /** The number of events of any kind. Any event may have changed which parcels match a filter. */
  events: number;
}

/** The events that were announced after the list was read. */
export interface Since extends Heard {
  /** The time at which the list was read. */
  at: number;
  busy: boolean;
  /** The events received while the list is read. The response of that read may not include them. */
  reading: Heard;
}

const nothing: Heard = { ids: new Set(), unnamed: 0, gap: false, events: 0 };

export const sinceRead = (at: number, busy: boolean): Since => ({
  ...nothing,
  at,
  busy,
  reading: nothing,
});

const heard = (known: Heard, event: HeardEvent): Heard => {
  const events = known.events + 1;
  if (event.kind === 'reset') return { ...known, gap: true };
  if (event.kind === 'parcels') return { ...known, events, unnamed: known.unnamed + event.created };
  if (event.kind !== 'parcel') return known;
  const ids = event.change === 'created' ? new Set([...known.ids, event.express_id]) : known.ids;
  return { ...known, events, ids };
};

export const hear = (known: Since, event: HeardEvent): Since => ({
  ...known,
  ...heard(known, event),
  reading: known.busy ? heard(known.reading, event) : nothing,
});

/**
 * Updates the known events when the list is read again. The answer includes every event from before
 * the read, so only the events received during the read are kept. A parcel that was announced only
 * by a count may already be in the answer. It only marks the list as possibly incomplete.
 */
export const follow = (known: Since, at: number, busy: boolean): Since => {
  if (known.at === at) return { ...known, busy, reading: nothing };
  const { ids, unnamed, gap, events } = known.reading;
  return { ids, unnamed: 0, gap: gap || unnamed > 0, events, at, busy, reading: nothing };
};
