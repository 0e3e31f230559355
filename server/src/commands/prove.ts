import type { App } from '#app.ts';
import { prove } from '#domain/ledger/ledger.ts';
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
  const { ok, checked_entries, breaks } = await prove(app.db, { full, at: app.clock.now() });
  const blocked = await blockedNow(app);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  const lines = [
    `Proved ${full ? 'everything' : 'what is new since the last proof of each station'}: ${checked_entries} entries in ${seconds} s.`,
    ...breaks.slice(0, told).map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...(breaks.length > told ? [`… and ${breaks.length - told} more, kept in ledger_proofs.`] : []),
    ...blocked.map(({ station_id, name }) => (station_id === null ? 'No station takes money.' : `Station ${station_id} (${name}) takes no money.`)),
    ok ? 'The books hold.' : `The books do not hold: ${breaks.length} ${breaks.length === 1 ? 'break' : 'breaks'}.`,
  ];
  return { said: lines.join('\n'), code: ok ? 0 : 1 };
};
