/**
 * Derives the state of a parcel from the carrier's messages by the rules of requirements §4. The
 * messages are applied in the order of their times, and not in the order of their arrival.
 */
import type { Report } from '@waystation/server/testing/histories/operations.ts';

const moves: Record<number, readonly number[]> = {
  100: [200, 210, 220, 300, 400, 410, 500],
  200: [210, 220, 300, 400, 410],
  210: [200, 220, 300, 400, 410],
  220: [200, 210, 300, 400, 410],
  300: [400, 410],
  400: [200, 210, 220, 300, 410],
  410: [420],
  420: [],
  500: [200, 210, 220, 300, 400, 410],
};

export interface Whereabouts {
  state: number;
  /** The time of the pickup in milliseconds; null if the parcel was never picked up. */
  picked: number | null;
  /** The time of the first report that the parcel is being returned. */
  turned: number | null;
}

export const tell = (reports: readonly Report[]): Whereabouts => {
  let state = 100;
  let picked: number | null = null;
  const sorted = reports.toSorted((a, b) => a.at - b.at);
  for (const { effect, at } of sorted) {
    const returning = state === 410 || state === 420;
    const target =
      effect === 'returning'
        ? 410
        : effect === 'signed'
          ? returning
            ? 420
            : 300
          : effect === 'cancelled'
            ? picked === null
              ? 500
              : 400
            : returning
              ? null
              : {
                  picked_up: 200,
                  in_transit: 210,
                  delivering: 220,
                  rejected: 400,
                  intercepting: null,
                  cancel_failed: null,
                }[effect];
    if (target === null || !moves[state]!.includes(target)) continue;
    state = target;
    if (effect !== 'returning' && effect !== 'cancelled') picked ??= at;
  }
  return { state, picked, turned: sorted.find(({ effect }) => effect === 'returning')?.at ?? null };
};
