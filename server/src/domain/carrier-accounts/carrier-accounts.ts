/**
 * Carrier accounts: opening them for a call, recording their calls, pausing them after a refused
 * token, and marking them as down after failed calls.
 */
export {
  openAccount,
  openAccountInTx,
  openAccountOfExpress,
  recordAnswer,
  recordCall,
} from './accounts.ts';
export { coverageOperation, isAccountDown } from './outage.ts';
export type { CarrierAnswer, CarrierContext, OpenAccount } from './accounts.ts';
export { watchOutages } from './watch-outages.ts';
