import type { StationBelow } from '@waystation/contract/shell/workplace.ts';

const lost = ({ parcels, before }: StationBelow): number => before.count - parcels.count;

/**
 * The station that lost the most parcels compared with the days before. Undefined if no station has
 * fewer parcels.
 */
export const fallenMost = (rows: readonly StationBelow[]): StationBelow | undefined =>
  rows.filter((row) => lost(row) > 0).toSorted((a, b) => lost(b) - lost(a))[0];

export type FallReason = 'off' | 'no_money' | 'silent' | 'stuck' | 'none';

/**
 * The possible reasons why a station has fewer parcels; the most certain reason comes first. If
 * none is known, the list contains only `none`.
 */
export const fallReasons = (row: StationBelow): FallReason[] => {
  const holds: Record<Exclude<FallReason, 'none'>, boolean> = {
    off: row.status === 0,
    no_money: row.has_amount === 1 && row.available <= 0,
    silent: row.silent === 1,
    stuck: row.stuck.count > 0,
  };
  const reasons = (Object.keys(holds) as (keyof typeof holds)[]).filter((key) => holds[key]);
  return reasons.length > 0 ? reasons : ['none'];
};
