/**
 * The guided setup of a new station (docs/decisions/0055): which of its steps are done is read from the station's own data whenever it is asked for; stored is
 * only who is at it.
 */
export { setupsOfStations } from './progress.ts';
export { beginSetup, endSetup, noteSetups, openSetups } from './store.ts';
