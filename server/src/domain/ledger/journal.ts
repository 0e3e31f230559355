import type { Journal } from '@waystation/contract/money/statement.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { statementIn } from './statements.ts';

type Transfer = NonNullable<Journal['transfer']>;
type Entry = Transfer['entries'][number];

interface Proved {
  id: number;
  cause: string;
  at: Date;
  hash: string;
  hash_holds: 0 | 1;
  seq: number | null;
  chain_hash: string | null;
  chain_holds: 0 | 1;
}

/**
 * Returns the transfer of a statement, and whether its hash and its link in the hash chain are
 * valid. The check reads the whole transfer, even if the user may not read all of it. Needs the
 * system scope.
 */
const transferOf = async (work: Work, statement_id: number): Promise<Proved | undefined> => {
  const { rows } = await sql<Proved>`
    select t.id, t.cause, t.at, encode(t.hash, 'hex') as hash,
      (t.hash is not distinct from ledger_transfer_hash(t,
        (select coalesce(array_agg(e order by e.no), '{}') from ledger_entries e
        where e.transfer_id = t.id),
        (select coalesce(array_agg(l order by l.id), '{}') from statements l
          where l.transfer_id = t.id)))::int as hash_holds,
      c.seq, encode(c.hash, 'hex') as chain_hash,
        (c.hash is not distinct from ledger_chain_hash(b.hash, c.station_id, c.seq,
        t.hash))::int as chain_holds
    from statements s join ledger_transfers t on t.id = s.transfer_id
      left join ledger_chain c on (c.station_id, c.transfer_id) = (s.station_id, t.id)
      left join ledger_chain b on (b.station_id, b.seq) = (c.station_id, c.seq - 1)
    where s.id = ${statement_id}`.execute(work.tx);
  return rows[0];
};

/**
 * The entries that the reader may see. All other entries are added up to one entry, so that debit
 * and credit stay equal.
 */
const entriesOf = async (work: Work, transfer_id: number): Promise<Entry[]> => {
  const { rows } = await sql<Entry>`
    select e.account, n.name as station_name, e.amount, e.balance from ledger_entries e left
      join stations n on n.id = e.station_id
    where e.transfer_id = ${transfer_id} and ${scopeCondition(work, 'e.station_id')}
      order by e.no`.execute(work.tx);
  const rest = rows.reduce((sum, { amount }) => sum + amount, 0);
  return rest === 0
    ? rows
    : [...rows, { account: 'others', station_name: null, amount: -rest, balance: null }];
};

/**
 * One statement in scope with its entries and its cause, and whether the entries are unchanged
 * since they were posted.
 */
export const journalOf = async (
  work: Work,
  id: number,
): Promise<Pick<Journal, 'line' | 'transfer'> & { cause: string | null }> => {
  const line = await statementIn(work, id);
  const verified = await work.asSystem('entries of a movement', (system) => transferOf(system, id));
  if (!verified) return { line, transfer: null, cause: null };
  const { at, seq, cause, chain_hash, chain_holds, ...transfer } = verified;
  return {
    line,
    cause,
    transfer: {
      ...transfer,
      at: at.toISOString(),
      entries: await entriesOf(work, transfer.id),
      chain: seq === null ? null : { seq, hash: chain_hash!, holds: chain_holds },
    },
  };
};
