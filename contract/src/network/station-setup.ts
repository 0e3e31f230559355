import { endpoint } from '#base/endpoint.ts';
import { builders } from './station.ts';
import type { schemas } from './station-setup.schema.ts';
export type { SetupStep, StationSetup } from './station-setup.schema.ts';

/** The steps of setting up a new station, in order. */
export const setupSteps = ['station', 'scheme', 'price', 'account', 'top_up', 'parcel'] as const;
export type SetupStepName = (typeof setupSteps)[number];

/**
 * The maximum number of setup guides that are listed: first the reader's own guides, then the
 * newest of the other guides.
 */
export const mostSetups = 20;

const base = '/api/arco/stations';

export const listStationSetups = endpoint<typeof schemas.listStationSetups>({
  method: 'GET',
  path: `${base}/setups`,
  roles: builders,
  summary: `New stations in scope that are being set up, each with its steps as they are now; the caller’s own first, at most ${mostSetups}.`,
});

export const getStationSetup = endpoint<typeof schemas.getStationSetup>({
  method: 'GET',
  path: `${base}/{id}/setup`,
  roles: builders,
  summary: 'What of a station is set up, read from the station itself.',
});

/** Starts a setup guide for the station; if a guide is already open, the call returns it. */
export const beginStationSetup = endpoint<typeof schemas.beginStationSetup>({
  method: 'POST',
  path: `${base}/{id}/setup`,
  roles: builders,
  summary:
    'Begin the guide of a station: it is listed, and the caller is notified of it, until every step is done or it is ended.',
});

export const endStationSetup = endpoint<typeof schemas.endStationSetup>({
  method: 'POST',
  path: `${base}/{id}/setup/end`,
  roles: builders,
  summary: 'End the guide of a station, whatever is done.',
});
