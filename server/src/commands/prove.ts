import type { App } from '#app.ts';
import { compareHeads, prove } from '#domain/ledger/ledger.ts';
import type { Comparison } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

/** How many of the things that do not hold are told; all are kept in `ledger_proofs`. */
const told = 50;

interface Blocked {
  station_id: number | null;
  name: string | null;
}

/** The wallets that take no money now; a station of null: all of them. */
const blockedNow = (app: App): Promise<Blocked[]> =>
  app.db.tx(
    systemScope('command line'),
    async (tx) =>
      (
        await sql<Blocked>`select b.station_id, s.name from ledger_blocks b left join stations s on s.id = b.station_id
      where b.cleared_at is null order by b.station_id nulls first`.execute(tx)
      ).rows,
  );

/** `prove [--full]`: the same proof as the nightly one, kept and acted on like it; what it found in lines, and 1 where the books do not hold. */
export const proveBooks = async (app: App, full: boolean): Promise<{ said: string; code: 0 | 1 }> => {
  const since = performance.now();
  const { ok, checked_entries, breaks, evidence } = await prove(app.db, { full, at: app.clock.now(), headsFile: app.config.headsFile });
  const blocked = await blockedNow(app);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  const lines = [
    `Proved ${full ? 'everything' : 'what is new since the last proof of each station'}: ${checked_entries} entries in ${seconds} s.`,
    ...breaks.slice(0, told).map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...(breaks.length > told ? [`… and ${breaks.length - told} more, kept in ledger_proofs.`] : []),
    ...blocked.map(({ station_id, name }) => (station_id === null ? 'No station takes money.' : `Station ${station_id} (${name}) takes no money.`)),
    ...(evidence.heads_at
      ? [
          `Compared with the heads ${evidence.heads_from === 'file' ? 'in the file' : 'that the database knows'}, last written ${evidence.heads_at.toISOString()}.`,
        ]
      : []),
    ok ? 'The books hold.' : `The books do not hold: ${breaks.length} ${breaks.length === 1 ? 'break' : 'breaks'}.`,
  ];
  return { said: lines.join('\n'), code: ok ? 0 : 1 };
};

/** From when to when somebody who owns the database could write history anew without being found. */
const windowOf = ({ last, since }: Comparison): string =>
  last === null
    ? 'No head was ever written: a history rewritten with all its hashes cannot be told from the true one.'
    : `Heads were last written at ${last.at} (line ${last.no}). What came since, ${since.transfers} transfers and ${since.records} records of sources, could be rewritten with all its hashes and not be found.`;

/** `prove --against FILE`: every head of the file held against the chains as they are now; 1 where one does not hold or the file is not what was written. */
export const proveAgainst = async (app: App, file: string): Promise<{ said: string; code: 0 | 1 }> => {
  const compared = await compareHeads(app.db, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (compared === null) return { said: `There is no file ${file}.`, code: 1 };
  const { lines, heads, broken, astray, known, last, gaps, state } = compared;
  const said = [
    `Compared ${heads} heads in ${lines} lines.`,
    ...gaps.map(({ no, at, gap }) => `Line ${no}, ${at}: ${gap.accounts.join(' and ')} accepted a gap of ${gap.chains.length} chains: ${gap.reason}`),
    ...broken.slice(0, told).map((no) => `Line ${no} of the file is not what was written, or does not follow from the one before.`),
    ...astray.slice(0, told).map(({ chain, station_id, seq, detail, no, at }) => `I8 head ${seq} of ${chain} ${station_id}, line ${no}, ${at}: ${detail}`),
    ...(astray.length > told ? [`… and ${astray.length - told} more.`] : []),
    ...(known && (state === 'short' || state === 'missing')
      ? [`The file ends at line ${last?.no ?? 0}; the database says that ${known.no} were written, the last at ${known.at.toISOString()}.`]
      : []),
    ...(known && state === 'other'
      ? [`Line ${known.no} of the file is not the one that the database knows, of ${known.at.toISOString()}: it is another file.`]
      : []),
    windowOf(compared),
  ];
  const held = broken.length === 0 && astray.length === 0 && state === 'ok';
  return { said: [...said, held ? 'The chains go through every head.' : 'The chains and the file do not agree.'].join('\n'), code: held ? 0 : 1 };
};
