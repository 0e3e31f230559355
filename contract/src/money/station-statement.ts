import { endpoint } from '#base/endpoint.ts';
import { everyone, managers, office } from '#base/roles.ts';
import type { schemas } from './station-statement.schema.ts';
export type { StatementSummary } from './station-statement.schema.ts';

const base = '/api/arco/stations/{id}/statement';

export const stationStatementSummary = endpoint<typeof schemas.stationStatementSummary>({
  method: 'GET',
  path: `${base}/summary`,
  roles: managers,
  key: 'statements',
  summary:
    'What a station had at the start and at the end of a month, what came and went, and whether it has agreed.',
});

/** The maximum number of transactions in one statement. */
export const mostStatementLines = 100_000;

/** The largest number of statements in one archive. */
export const mostStatements = 500;
export const mostArchiveLines = 200_000;

/**
 * Makes an archive of the statements of all stations with transactions in the month. With
 * `station_id`, only this station and the stations below it are included. The month must have
 * ended. Refused if no station has transactions. Also refused if there are more than
 * `mostStatements` stations, `mostArchiveLines` transactions in total, or `mostStatementLines` of
 * one station. A repeated call returns the unfinished job of the same archive. The file can then be
 * read at `/api/arco/jobs/{id}/file`, as long as the reader may see its stations.
 */
export const archiveStatements = endpoint<typeof schemas.archiveStatements>({
  method: 'POST',
  path: '/api/arco/periods/{period}/statements',
  roles: ['super', 'admin', 'partner'],
  summary:
    'The statements of a month as PDF and XLSX in one zip, of the whole network or one tree, made in the background.',
});

export const stationStatement = endpoint<typeof schemas.stationStatement>({
  method: 'GET',
  path: base,
  roles: managers,
  key: 'statements',
  answers: 'file',
  summary:
    'The statement of a station for a month with every line, to print (PDF) or to calculate with (XLSX).',
});

/**
 * A repeated call returns the same confirmation. Refused if the month has not ended, or if the
 * present `closing` balance differs from the one that the caller has seen.
 */
export const confirmStatement = endpoint<typeof schemas.confirmStatement>({
  method: 'POST',
  path: `${base}/confirm`,
  roles: ['partner', 'station'],
  summary: 'Confirm the monthly statement of the user’s station.',
});

export const listConfirmations = endpoint<typeof schemas.listConfirmations>({
  method: 'GET',
  path: '/api/arco/periods/{period}/confirmations',
  roles: office,
  summary:
    'Which stations with lines in a month have agreed to it; those that have not come first.',
});

/**
 * `stopped` 1: the ledger does not balance, and nothing is posted anywhere. `blocked` 1: the check
 * of the caller’s own station failed.
 */
export const ledgerStanding = endpoint<typeof schemas.ledgerStanding>({
  method: 'GET',
  path: '/api/arco/ledger/standing',
  roles: everyone,
  summary: 'Whether payments are suspended: everywhere, and in the user’s station.',
});

/** `head` may be in the printed format, or only its first 16 or more digits. */
export const compareChainHead = endpoint<typeof schemas.compareChainHead>({
  method: 'GET',
  path: '/api/arco/stations/{id}/chain-head',
  roles: managers,
  summary:
    'Whether a chain head that was printed on a statement is in the station’s chain today, at which transaction and of which time.',
});
