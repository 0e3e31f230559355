import type { TypedHead } from '@waystation/contract/money/chain-head.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

interface FoundHead {
  station_id: number;
  /** Null for the platform's chain. */
  station_name: string | null;
  seq: number;
  at: Date;
  /** True if the link follows from the previous link, and its transfer matches its hash. */
  holds: boolean;
}

/**
 * The link whose hash was printed on a statement. If `station_id` is null, all chains are searched.
 * Null if no chain contains the hash: the earlier history was rewritten, or the digits are wrong.
 * Reads the whole chain if the link's number is not given. Needs a transaction that sees all rows.
 */
export const findHead = async (
  work: Work,
  station_id: number | null,
  { seq, hash }: TypedHead,
): Promise<FoundHead | null> => {
  const { rows } = await sql<FoundHead>`
    select c.station_id, n.name as station_name, c.seq, t.at,
      c.hash is not distinct from ledger_chain_hash(coalesce(b.hash, ''), c.station_id, c.seq,
        t.hash)
        and t.hash is not distinct from ledger_transfer_hash(t,
          (select coalesce(array_agg(e order by e.no), '{}') from ledger_entries e
          where e.transfer_id = t.id),
          (select coalesce(array_agg(l order by l.id), '{}') from statements l
            where l.transfer_id = t.id)) as holds
    from ledger_chain c join ledger_transfers t on t.id = c.transfer_id left
      join ledger_chain b on (b.station_id, b.seq) = (c.station_id, c.seq - 1)
      left join stations n on n.id = c.station_id
    where ${station_id === null ? sql`true` : sql`c.station_id = ${station_id}`}
      and ${seq === null ? sql`true` : sql`c.seq = ${seq}`}
      and starts_with(encode(c.hash, 'hex'), ${hash}) limit 1`.execute(work.tx);
  return rows[0] ?? null;
};

/** The sequence number of the newest link of a station's chain; 0 if the chain is empty. */
export const newestLink = async (work: Work, station_id: number): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{ seq: number }>`select coalesce(max(seq),
    0)::bigint as seq from ledger_chain where station_id = ${station_id}`,
  );
  return row.seq;
};
