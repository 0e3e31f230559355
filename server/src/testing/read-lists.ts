/**
 * A list that other tests read at two sizes (`cases` of list-plans.test.ts), or why it does
 * not grow with the parcels.
 */
export type ReadList = { cases: string } | { small: string };

const setUp = 'what the office sets up';
const ofOne = 'of one parcel';
const beforeDisabling =
  'counts of one row of a list that is read here, asked before it is disabled';

/** Every endpoint that answers a list or counts one. */
export const readLists: Readonly<Record<string, ReadList>> = {
  '/api/arco/audit': { cases: 'audit log' },
  '/api/arco/audit/counts': { cases: 'counts of changes of an action, of some days' },
  '/api/arco/cargos': { cases: 'goods' },
  '/api/arco/cargos/{id}/usage': { small: beforeDisabling },
  '/api/arco/contacts': { cases: 'contacts' },
  '/api/arco/contacts/counts': { cases: 'counts of contacts of a rare kind' },
  '/api/arco/expresses': { cases: 'parcels' },
  '/api/arco/expresses/counts': { cases: 'counts of parcels' },
  '/api/arco/expresses/exceptions': { cases: 'counts of open exceptions' },
  '/api/arco/expresses/stations': { small: 'stations by name, a page of them' },
  '/api/arco/expresses/{id}/audit': { small: ofOne },
  '/api/arco/expresses/{id}/calls': { small: ofOne },
  '/api/arco/expresses/{id}/statements': { small: ofOne },
  '/api/arco/expresses/{id}/trace': { small: ofOne },
  '/api/arco/guarantees': { cases: 'insurance tiers' },
  '/api/arco/guarantees/fee': { small: setUp },
  '/api/arco/guarantees/{id}/usage': { small: beforeDisabling },
  '/api/arco/expresses/{id}/handovers': { small: ofOne },
  '/api/arco/handovers': { cases: 'hand-overs' },
  '/api/arco/handovers/counts': { cases: 'counts of hand-overs with a status, of some days' },
  '/api/arco/handovers/{id}/missing': { small: 'of one hand-over, the first 500' },
  '/api/arco/handovers/{id}/scans': { small: 'of one hand-over, a page of them' },
  '/api/arco/imports': { cases: 'imports' },
  '/api/arco/imports/{id}/rows': { cases: 'rows of an import' },
  '/api/arco/inbox': { cases: 'inbox' },
  '/api/arco/jobs': { cases: 'jobs' },
  '/api/arco/keys': { small: 'keys of accounts, at most twenty live ones each' },
  '/api/arco/ledger/proofs': { small: 'a row for each proof, kept for a time' },
  '/api/arco/merchants': { cases: 'carrier accounts' },
  '/api/arco/merchants/{id}/calls': { cases: 'calls of a carrier account' },
  '/api/arco/merchants/{id}/usage': { small: beforeDisabling },
  '/api/arco/outages': { small: 'a row for each carrier account' },
  '/api/arco/outcomes': { cases: 'orders of unknown outcome' },
  '/api/arco/periods': {
    small: 'a row for each month; domain/ledger/book-sums.test.ts reads it at two sizes',
  },
  '/api/arco/periods/{period}/confirmations': { cases: 'confirmations of a month' },
  '/api/arco/personal/sessions': { small: 'of one person' },
  '/api/arco/prints/unverified': { small: 'labels of one account that wait, at most twenty' },
  '/api/arco/prints': { cases: 'print records' },
  '/api/arco/prints/counts': {
    small: 'counted up to 10,000; notices from the newest 100,000 of 31 days',
  },
  '/api/arco/prints/printers': { cases: 'printer figures' },
  '/api/arco/projects': { small: setUp },
  '/api/arco/projects/stations': { small: 'a row for each station' },
  '/api/arco/projects/{id}/usage': { small: 'a row for each station' },
  '/api/arco/promises': { cases: 'delivery times' },
  '/api/arco/promises/{id}/usage': { small: beforeDisabling },
  '/api/arco/reconciliations': { cases: 'bills' },
  '/api/arco/reconciliations/{id}/rows': { cases: 'lines of a bill' },
  '/api/arco/personal-data/erasures': { small: 'those that wait and the fifty that ended last' },
  '/api/arco/settings': { small: setUp },
  '/api/arco/statements': { cases: 'billing lines' },
  '/api/arco/statements/counts': { cases: 'counts of billing lines' },
  '/api/arco/stations': { cases: 'stations' },
  '/api/arco/stations/provinces': { small: 'a row for each station' },
  '/api/arco/stations/setups': { small: 'guides of new stations that are open' },
  '/api/arco/stations/{id}/usage': { cases: 'what goes on in a station' },
  '/api/arco/users': { small: 'a row for each account' },
  '/api/arco/users/{id}/sessions': { small: 'of one person' },
  '/api/arco/views': { small: 'of one person' },
  '/api/arco/vouchers': { cases: 'templates' },
  '/api/arco/vouchers/{id}/usage': { small: beforeDisabling },
  '/api/arco/vouchers/{id}/uses': { cases: 'lines of a template with what they priced' },
  '/api/arco/vouchers/{id}/versions': { small: setUp },
  '/api/arco/webhooks': { small: 'webhooks of accounts, at most five each' },
  '/api/arco/webhooks/{id}/deliveries': {
    small: 'of one webhook, kept for two weeks, a page of them by its index',
  },
  '/api/arco/workplace': { cases: 'Workplace' },
  '/api/arco/workplace/balances': { cases: 'balance board' },
  '/api/arco/workplace/bills': { cases: 'bill board' },
  '/api/arco/workplace/money': { cases: 'money board' },
  '/api/arco/workplace/stations': { cases: 'station board' },
};
