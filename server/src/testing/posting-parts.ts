import type pg from 'pg';

/**
 * A part of a ledger posting, with a function that switches the part off. The function changes the
 * separate database of a benchmark.
 */
export interface PostingPart {
  name: string;
  switchOff(owner: pg.Pool): Promise<void>;
}

/**
 * Replaces texts in an SQL function. Throws if the function does not contain one of the texts,
 * because the part to switch off would then remain active.
 */
const editFunction = async (
  owner: pg.Pool,
  name: string,
  edits: readonly (readonly [string, string])[],
): Promise<void> => {
  const { rows } = await owner.query<{ text: string }>(
    'select pg_get_functiondef($1::regproc) as text',
    [name],
  );
  let text = rows[0]!.text;
  for (const [before, after] of edits) {
    if (!text.includes(before)) throw new Error(`${name} has no text "${before}"`);
    text = text.replace(before, () => after);
  }
  await owner.query(text);
};

/** Runs the query, and then each SQL statement that the query returned. */
const runEach = async (owner: pg.Pool, query: string): Promise<void> => {
  const { rows } = await owner.query<{ statement: string }>(query);
  if (rows.length === 0) throw new Error(`nothing to switch off: ${query}`);
  for (const { statement } of rows) await owner.query(statement);
};

const tables = `'ledger_transfers', 'ledger_entries', 'statements', 'ledger_chain', 'ledger_holds'`;

const withoutRowSecurity = (owner: pg.Pool): Promise<void> =>
  runEach(
    owner,
    `select format('alter table %s no force row level security, disable row level security', oid::regclass)
      as statement from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  );

const withoutHashes = async (owner: pg.Pool): Promise<void> => {
  await owner.query(`
    create or replace function ledger_statement_hash(facts text, status text, updated_at timestamptz) returns bytea language sql immutable as $$ select ''::bytea $$;
    create or replace function ledger_transfer_facts_hash(t ledger_transfers, entries ledger_entries[], facts text) returns bytea language sql immutable as $$ select ''::bytea $$;
    create or replace function ledger_chain_hash(hash_before bytea, station bigint, seq bigint, transfer_hash bytea) returns bytea language sql immutable as $$ select ''::bytea $$`);
  await editFunction(owner, 'ledger_finalize', [['ledger_statement_text(line)', `''`]]);
  await editFunction(owner, 'ledger_transfer_of', [
    [`sha256(convert_to((m - 'at' - 'by')::text, 'UTF8'))`, `''::bytea`],
  ]);
};

const withoutChain = async (owner: pg.Pool): Promise<void> => {
  await editFunction(owner, 'ledger_finalize', [
    [
      'here.chain_hash := ledger_chain_hash(here.chain_hash, here.station_id, here.chain_seq, t.hash);',
      '',
    ],
    ['links := links || link;', ''],
  ]);
  await editFunction(owner, 'ledger_store', [
    ['insert into ledger_chain select * from unnest(links);', ''],
  ]);
  await editFunction(owner, 'ledger_station_balances', [
    ["coalesce(c.seq, 0), coalesce(c.hash, '')", `0::bigint, ''::bytea`],
    [
      'left join lateral (select seq, hash from ledger_chain where station_id = s.id order by seq desc limit 1) c on true',
      '',
    ],
  ]);
};

const disabled = (trigger: string, table: string): string =>
  `alter table ${table} disable trigger ${trigger}`;

/**
 * The parts of the work for a hold. The cost of a part is the time by which a hold becomes faster
 * if the part is omitted.
 */
export const postingParts: readonly PostingPart[] = [
  { name: 'row-level security', switchOff: withoutRowSecurity },
  { name: 'hashes', switchOff: withoutHashes },
  { name: 'chain of the station', switchOff: withoutChain },
  {
    name: 'statement, the readable line',
    switchOff: (owner) =>
      editFunction(owner, 'ledger_store', [
        ['insert into statements select * from unnest(lines);', ''],
      ]),
  },
  {
    name: 'indexes of statements that only lists need',
    switchOff: (owner) =>
      runEach(
        owner,
        `select format('drop index %s', indexrelid::regclass) as statement from pg_index
          where indrelid = 'statements'::regclass and not indisunique`,
      ),
  },
  {
    name: 'foreign keys',
    switchOff: (owner) =>
      runEach(
        owner,
        `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
          from pg_constraint where contype = 'f' and conrelid::regclass::text in (${tables})`,
      ),
  },
  {
    name: 'checks that entries balance',
    switchOff: async (owner) => {
      await owner.query(disabled('ledger_entries_balance', 'ledger_entries'));
      await owner.query(disabled('ledger_transfer_whole', 'ledger_transfers'));
    },
  },
  {
    name: 'sums by day',
    switchOff: async (owner) =>
      void (await owner.query(disabled('ledger_days_step', 'ledger_entries'))),
  },
  {
    name: 'events and notices',
    switchOff: async (owner) => {
      await owner.query(disabled('webhook_insert', 'statements'));
      await owner.query(disabled('inbox_insert', 'statements'));
    },
  },
  {
    name: 'looking for the same cause',
    switchOff: (owner) =>
      editFunction(owner, 'ledger_post', [
        [`result := ledger_first(t, m ->> 'movement');`, 'result := null;'],
      ]),
  },
  {
    name: 'lock of the month, stopped stations',
    switchOff: async (owner) => {
      await editFunction(owner, 'ledger_lock', [
        [`perform pg_advisory_xact_lock_shared(hashtextextended('ledger_period', 0));`, ''],
        [
          `select coalesce(b.station_id, 0) into blocked from ledger_blocks b
    where b.cleared_at is null and (b.station_id is null or b.station_id = any (ids)) order by b.station_id nulls first limit 1;`,
          '',
        ],
      ]);
      await editFunction(owner, 'ledger_finalize', [
        ['ledger_period_of(t.at)', `to_char(t.at at time zone 'Asia/Shanghai', 'YYYY-MM')`],
      ]);
    },
  },
  {
    name: "row of the parcel's hold",
    switchOff: (owner) =>
      editFunction(owner, 'ledger_hold', [
        [
          `insert into ledger_holds values (t.express_id, t.attempt, t.station_id, coalesce(m ->> 'order_id', ''), m ->> 'delivery_id', 'open', price.post_amount,
    price.pre_amount, price.discount, price.discount_amount, price.guarantee_amount, station_balance.has_amount, station_balance.fixed_freeze);`,
          '',
        ],
      ]),
  },
];
