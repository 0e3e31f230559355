/**
 * The guided setup of a new station (requirements §10.17.4). The completed steps are read from the
 * station's own data for every request; only the account that has the guide is stored.
 */
export { setupsOfStations } from './progress.ts';
export { beginSetup, endSetup, noteSetups, openSetups } from './store.ts';
