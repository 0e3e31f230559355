/**
 * Accounts of merchants at their carriers: opened for a call, the record of their calls,
 * paused by a refused token, down after failing calls.
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
