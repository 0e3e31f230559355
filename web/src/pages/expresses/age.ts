import { isOver, stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';

const minute = 60_000;

export interface Age {
  unit: 'minutes' | 'hours' | 'days';
  count: number;
}

/**
 * The age as a whole number of minutes, hours or days. Less than one minute counts as one minute.
 */
export const ageOf = (iso: string, now: number): Age => {
  const past = Math.max(0, now - Date.parse(iso));
  if (past < 60 * minute) return { unit: 'minutes', count: Math.max(1, Math.floor(past / minute)) };
  if (past < 48 * 60 * minute) return { unit: 'hours', count: Math.floor(past / (60 * minute)) };
  return { unit: 'days', count: Math.floor(past / (1440 * minute)) };
};

/**
 * The time from which the parcel's age is counted: the carrier's last report, or else the creation.
 * Null for an ended parcel, because it has no age.
 */
export const movedAt = (
  row: Pick<Express, 'state_code' | 'last_event_at' | 'created_at'>,
): string | null => {
  if (isOver(row.state_code)) return null;
  if (row.state_code < stateCode.awaitingPickup) return row.created_at;
  return row.last_event_at ?? row.created_at;
};
