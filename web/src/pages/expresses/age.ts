import { isOver, stateCode } from '@waystation/contract/express-states.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';

const minute = 60_000;

export interface Age {
  unit: 'minutes' | 'hours' | 'days';
  count: number;
}

/** How long ago, in the largest unit that gives a whole number; under a minute counts as one. */
export const ageOf = (iso: string, now: number): Age => {
  const past = Math.max(0, now - Date.parse(iso));
  if (past < 60 * minute) return { unit: 'minutes', count: Math.max(1, Math.floor(past / minute)) };
  if (past < 48 * 60 * minute) return { unit: 'hours', count: Math.floor(past / (60 * minute)) };
  return { unit: 'days', count: Math.floor(past / (1440 * minute)) };
};

/** When the parcel came to where it is; an ended one has no age. */
export const movedAt = (row: Pick<ExpressRow, 'state_code' | 'last_event_at' | 'updated_at' | 'created_at'>): string | null => {
  if (isOver(row.state_code)) return null;
  if (row.state_code < stateCode.awaitingPickup) return row.created_at;
  return row.last_event_at ?? row.created_at;
};
