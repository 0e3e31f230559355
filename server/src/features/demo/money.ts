import type { Movement } from '#domain/ledger/ledger.ts';
import type { PlannedParcel } from './parcels.ts';
import type { DemoStation } from './network.ts';

const week = 7 * 86_400_000;
/** Rounds up to whole thousands of yuan, like real top-ups. */
const rounded = (fen: number): number => Math.ceil(fen / 100_000) * 100_000;

/**
 * Top-ups of each week before its first parcel, each a little more than the week's cost. Partners
 * also get an amount at the beginning.
 */
export const topUpsOf = (
  parcels: readonly (PlannedParcel & { amount: number })[],
  stations: readonly DemoStation[],
  since: Date,
  by: number,
): Movement[] => {
  const need = new Map<string, { station_id: number; at: number; amount: number }>();
  for (const { station, created_at, amount } of parcels) {
    const nth = Math.floor((created_at.getTime() - since.getTime()) / week);
    const key = `${station.id}:${nth}`;
    const known = need.get(key);
    if (known) known.amount += amount;
    else need.set(key, { station_id: station.id, at: created_at.getTime() - 600_000, amount });
  }
  const weekly = [...need.entries()].map(([key, { station_id, at, amount }]) => ({
    movement: 'top_up' as const,
    station_id,
    amount: rounded((amount * 115) / 100),
    description: '示例充值',
    cause: `demo top-up ${key}`,
    at: new Date(at),
    by,
  }));
  const first = stations.map(({ id }) => ({
    movement: 'top_up' as const,
    station_id: id,
    amount: 200_000,
    description: '示例首次充值',
    cause: `demo first top-up ${id}`,
    at: new Date(since.getTime() + 60_000),
    by,
  }));
  return [...first, ...weekly];
};
