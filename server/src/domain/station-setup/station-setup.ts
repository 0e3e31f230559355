/**
 * The guided setup of a new station (requirements §10.17.4): the completed steps are read from the
 * station's own data at every request; only the user of the guide is stored.
 */
export { setupsOfStations } from './progress.ts';
export { beginSetup, endSetup, noteSetups, openSetups } from './store.ts';
