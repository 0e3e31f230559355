import { typedHead } from '@waystation/contract/money/chain-head.ts';
import { fill } from '@waystation/contract/base/fill.ts';
import type { ProofBlindSpot } from '@waystation/contract/money/statement.ts';
import type { App } from '#app.ts';
import type { CommandResult } from './command-result.ts';
import { blindSpotsOf, compareHeads, findHead, prove } from '#domain/ledger/ledger.ts';
import type { Comparison, Proof, WalkProgress } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** The limit of differences that are printed; `ledger_proofs` stores all of them. */
const printedLimit = 50;

interface Blocked {
  station_id: number | null;
  name: string | null;
}

/**
 * Returns the present suspensions of payments. A suspension without a station applies to all
 * stations.
 */
export const blockedNow = (app: App): Promise<Blocked[]> =>
  app.db.tx(
    systemScope('command line'),
    async (work) =>
      (
        await sql<Blocked>`select b.station_id, s.name from ledger_blocks b left
          join stations s on s.id = b.station_id
      where b.cleared_at is null order by b.station_id nulls first`.execute(work.tx)
      ).rows,
  );

/** The number of milliseconds between two lines of progress. */
const progressEvery = 5_000;

/** Prints the progress of the full check at its start and then every few seconds. */
const progressPrinter = (print: (line: string) => void): ((progress: WalkProgress) => true) => {
  let printed = -progressEvery;
  return ({ started_at, rows_done, rows_total }) => {
    if (performance.now() - printed >= progressEvery) {
      printed = performance.now();
      const percent = Math.floor((rows_done / Math.max(1, rows_total)) * 100);
      print(
        `${percent} % of about ${rows_total} rows read; begun ${started_at.toISOString()}. An interrupted check continues here.`,
      );
    }
    return true;
  };
};

/** Returns lines about the rows that an incremental check trusted and did not read again. */
const trustedLines = ({ trusted, started_at }: Proof): string[] => {
  if (trusted === null)
    return [
      `Nothing stored before was relied on. Everything was read since ${started_at.toISOString()}.`,
    ];
  return [
    trusted.since === null
      ? 'No checkpoint was relied on.'
      : `Not read again: ${fill('{n|link|links}', { n: trusted.links })} of the chains below signed checkpoints, the oldest of ${trusted.since.toISOString()}.`,
    ...(trusted.unsigned > 0
      ? [
          `${fill('{n|station was|stations were}', { n: trusted.unsigned })} read from the first row, because the signature of the checkpoint is not valid.`,
        ]
      : []),
  ];
};

/** One text for each kind of change that the check cannot notice. */
const blindSpots: Record<ProofBlindSpot, string> = {
  rewrites_since_head:
    'entries after the last head, if the owner of the database rewrites them with all hashes',
  below_checkpoints: 'what was checked before, which `--full` reads again',
  before_baseline: 'changes of older rows before they were taken over',
  undecided:
    'open lines of carrier bills, requests not posted, raises of limits that wait, unmatched pushes',
  erased_text: 'erased personal text',
  waybills: 'waybill numbers of parcels',
  pickup_times: 'pickup times',
  invented_moves: 'legal moves between states that never happened',
  setup:
    'credit limits and terms of stations as they are now, schemes, insurance tiers, accounts and their rights, the audit log',
  claims: 'claims on stations',
};

/**
 * `prove [--full]` runs the nightly ledger check, which stores its result and can suspend payments.
 * Returns the result as lines; the exit code is 1 if the ledger does not balance or payments are
 * suspended.
 */
export const proveBooks = async (
  app: App,
  full: boolean,
  print: (line: string) => void = () => {},
): Promise<CommandResult & { ok: boolean }> => {
  const since = performance.now();
  const proof = await prove(app, { full, at: app.clock.now(), onProgress: progressPrinter(print) });
  const { ok, kind, checked_entries, breaks, evidence } = proof;
  const blocked = await blockedNow(app);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  const lines = [
    `Checked ${kind === 'full' ? 'everything' : 'the entries since the last check of each station'}: ${fill('{n|entry|entries}', { n: checked_entries })} in ${seconds} s.`,
    ...trustedLines(proof),
    ...breaks
      .slice(0, printedLimit)
      .map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...(breaks.length > printedLimit
      ? [`… and ${breaks.length - printedLimit} more, kept in ledger_proofs.`]
      : []),
    ...blocked.map(({ station_id, name }) =>
      station_id === null
        ? 'Payments of all stations are suspended.'
        : `Payments of station ${station_id} (${name}) are suspended.`,
    ),
    ...(evidence.heads_at
      ? [
          `Compared with the heads ${evidence.heads_from === 'file' ? 'in the file' : 'recorded in the database'}, last written ${evidence.heads_at.toISOString()}.`,
        ]
      : []),
    `Not covered: ${blindSpotsOf(proof)
      .map((spot) => blindSpots[spot])
      .join('; ')}.`,
    ok
      ? 'The ledger check passed.'
      : `The ledger check failed: ${fill('{n|mismatch|mismatches}', { n: breaks.length })}.`,
  ];
  return { text: lines.join('\n'), code: ok && blocked.length === 0 ? 0 : 1, ok };
};

/**
 * Returns the text about the records that the database owner could rewrite without being detected.
 */
const windowOf = ({ last, since }: Comparison): string =>
  last === null
    ? 'No head was ever written: a history that is rewritten with all its hashes cannot be detected.'
    : `Heads were last written at ${last.at} (line ${last.no}). Later records, ${fill('{transfers|transfer|transfers} and {records|record|records} of sources', { transfers: since.transfers, records: since.records })}, could be rewritten with all their hashes undetected.`;

/**
 * `prove --against FILE` compares every head in the file with the present chains. The exit code is
 * 1 if one differs, or if the file is not the one that was written.
 */
export const proveAgainst = async (app: App, file: string): Promise<CommandResult> => {
  const compared = await compareHeads(app.db, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (compared === null) return { text: `There is no file ${file}.`, code: 1 };
  const { lines, heads, broken, cut, astray, known, last, gaps, state } = compared;
  const result = [
    `Compared ${fill('{heads|head|heads} in {lines|line|lines}', { heads, lines })}.`,
    ...gaps.map(
      ({ no, at, gap }) =>
        `Line ${no}, ${at}: ${gap.accounts.join(' and ')} accepted a gap of ${fill('{n|chain|chains}', { n: gap.chains.length })}: ${gap.reason}`,
    ),
    ...broken
      .slice(0, printedLimit)
      .map((no) => `Line ${no} of the file was changed, or does not follow from the line before.`),
    ...(cut > 0
      ? [
          `The file begins at line ${cut + 1}: ${fill('{n|line before it is|lines before it are}', { n: cut })} missing. If they are in a file that was moved away, put that one in front of this one.`,
        ]
      : []),
    ...astray
      .slice(0, printedLimit)
      .map(
        ({ chain, station_id, seq, detail, no, at }) =>
          `I8 head ${seq} of ${chain} ${station_id}, line ${no}, ${at}: ${detail}`,
      ),
    ...(astray.length > printedLimit ? [`… and ${astray.length - printedLimit} more.`] : []),
    ...(known && (state === 'short' || state === 'missing')
      ? [
          `The file ends at line ${last?.no ?? 0}; by the database ${fill('{n|line was|lines were}', { n: known.no })} written, the last at ${known.at.toISOString()}.`,
        ]
      : []),
    ...(known && state === 'other'
      ? [
          `Line ${known.no} of the file differs from the one recorded in the database at ${known.at.toISOString()}: it is another file.`,
        ]
      : []),
    windowOf(compared),
  ];
  const held = broken.length === 0 && cut === 0 && astray.length === 0 && state === 'ok';
  return {
    text: [
      ...result,
      held ? 'The chains match every head.' : 'The chains and the file do not match.',
    ].join('\n'),
    code: held ? 0 : 1,
  };
};

/**
 * `prove --head DIGITS` looks for a chain head that was printed on a statement. The exit code is 1
 * if no chain contains it, or if its entry does not match its hash.
 */
export const proveHead = async (app: App, text: string): Promise<CommandResult> => {
  const head = typedHead(text);
  if (head === null) return { text: 'A head has 16 to 64 hexadecimal digits.', code: 1 };
  const found = await app.db.tx(systemScope('command line'), async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    return findHead(work, null, head);
  });
  if (found === null)
    return {
      text: 'No chain has this head: what was posted before it was printed has been rewritten since, or the digits are not those that were printed.',
      code: 1,
    };
  const { seq, station_id, station_name, at, holds } = found;
  const place = `Link ${seq} of the chain of ${station_name === null ? 'the platform' : `station ${station_id} (${station_name})`}, posted at ${at.toISOString()}`;
  return holds
    ? { text: `${place}, has this head.`, code: 0 }
    : { text: `${place}, has this head, but is not what its hash says.`, code: 1 };
};
