import { endpoint } from '#base/endpoint.ts';
import { managers } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { Role } from '#base/roles.ts';
import type { Station, schemas } from './station.schema.ts';
export type { Station, MoveLink, MovePreview } from './station.schema.ts';

const base = '/api/arco/stations';

/**
 * The roles that can create stations: super and admin anywhere, a partner only below its own
 * station.
 */
export const builders: readonly Role[] = ['super', 'admin', 'partner'];

/** True if a station with a balance check has less available than its limit for a low balance. */
export const isBelowLimit = ({
  has_amount,
  available,
  low_limit,
}: Pick<Station, 'has_amount' | 'available' | 'low_limit'>): boolean =>
  has_amount === 1 && available < low_limit;

export const listStations = endpoint<typeof schemas.listStations>({
  method: 'GET',
  path: base,
  roles: managers,
  key: 'stations',
  summary: 'Stations in scope, by name, with the sums of the whole filtered set.',
});

export const stationProvinces = endpoint<typeof schemas.stationProvinces>({
  method: 'GET',
  path: `${base}/provinces`,
  roles: managers,
  summary:
    'Stations in scope by province: how many, their balances, and their parcels of the last 30 days.',
});

export const getStation = endpoint<typeof schemas.getStation>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: managers,
  key: 'stations',
  summary: 'One station.',
});

/**
 * If `project_id` or `customer_code` is absent, the new station gets this value of its parent. A
 * station that a partner creates always gets the parent's values. With `guided: 1` its setup guide
 * is started (station-setup.ts).
 */
export const createStation = endpoint<typeof schemas.createStation>({
  method: 'POST',
  path: base,
  roles: builders,
  summary:
    'A new station; a partner makes one below its own, and below its own station unless it names another.',
});

/** The request contains only the changed fields. */
export const editStation = endpoint<typeof schemas.editStation>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: managers,
  summary: 'Change a station’s terms; of the user’s station only the sender.',
});

export const setStationStatus = endpoint<typeof schemas.setStationStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: builders,
  summary:
    'Enable or disable a station, with all below it if requested; its accounts are logged out at once and it takes no orders.',
});

export const stationUsage = usageOf(base, managers);

export const previewMove = endpoint<typeof schemas.previewMove>({
  method: 'POST',
  path: `${base}/{id}/move-preview`,
  roles: builders,
  summary: 'What moving a station would change in the profit chain, and why it may not be done.',
});

export const moveStation = endpoint<typeof schemas.moveStation>({
  method: 'POST',
  path: `${base}/{id}/move`,
  roles: builders,
  summary:
    'Put a station with all below it under another parent; scopes follow on the next request.',
});

/**
 * The sample parcel weighs 1 kg and goes to 广东 by default. The call may contain price terms that
 * are not saved yet.
 */
export const previewStationPrice = endpoint<typeof schemas.previewStationPrice>({
  method: 'POST',
  path: `${base}/{id}/price-preview`,
  roles: managers,
  summary: 'What this station pays for a parcel, explained line by line.',
});

/**
 * The amount in fen that orders of a station may still use; null if there is no limit. It is the
 * available amount, plus the credit limit of a post-paid station.
 */
export const spendableOf = ({
  has_amount,
  available,
  credit_limit,
}: {
  has_amount: number;
  available: number;
  credit_limit: number | null;
}): number | null => {
  if (has_amount === 1) return available;
  return credit_limit === null ? null : available + credit_limit;
};
