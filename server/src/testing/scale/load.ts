import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expressStates } from '@waystation/contract/parcels/express-states.ts';
import pg from 'pg';
import { insertParcels } from './parcels.ts';

type Step = (text: string) => void;
interface Load {
  owner: pg.ClientConfig;
  parcels: number;
  now: Date;
  step: Step;
}

const chunk = 10_000;
const hands = 4;

const open = async (owner: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client(owner);
  await client.connect();
  await client.query(
    `set session_replication_role = replica; set work_mem = '256MB'; set maintenance_work_mem = '768MB'; set synchronous_commit = off; set waystation.scope = 'all'; set max_parallel_maintenance_workers = 2`,
  );
  return client;
};

/** Returns the text of an SQL file in which the placeholders in braces are replaced. */
const textOf = (name: string, { parcels, now }: Load): string =>
  readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')
    .replaceAll('{{parcels}}', String(parcels))
    .replaceAll('{{now}}', now.toISOString())
    .replaceAll(
      '{{states}}',
      JSON.stringify(
        Object.fromEntries(Object.entries(expressStates).map(([code, { zh }]) => [code, zh])),
      ),
    );

const columnsOf = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
};

/**
 * Runs `work` on several connections simultaneously, each time for a part of the numbers from
 * `from` to `to`.
 */
const inParts = async (
  load: Load,
  from: number,
  to: number,
  work: (client: pg.Client, from: number, to: number) => Promise<unknown>,
): Promise<void> => {
  let next = from;
  await Promise.all(
    Array.from({ length: hands }, async () => {
      const client = await open(load.owner);
      while (next <= to) {
        const first = next;
        next += chunk;
        await work(client, first, Math.min(first + chunk - 1, to));
      }
      await client.end();
    }),
  );
};

interface Kept {
  drop: string;
  create: string;
}

/**
 * Drops the indexes and unique constraints that no foreign key needs. They are created again after
 * the rows have been inserted.
 */
const dropIndexes = async (client: pg.Client, tables: readonly string[]): Promise<Kept[]> => {
  const { rows } = await client.query<Kept>(
    `select case when c.oid is null then format('drop index %s', i.indexrelid::regclass) else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
      case when c.oid is null then pg_get_indexdef(i.indexrelid) else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as create
    from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
    where i.indrelid = any ($1::regclass[]) and not exists (select 1 from pg_constraint f where f.conindid = i.indexrelid and f.contype = 'f')`,
    [tables],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows;
};

const makeIndexes = async (load: Load, kept: Kept[]): Promise<void> => {
  const left = [...kept];
  await Promise.all(
    Array.from({ length: hands }, async () => {
      const client = await open(load.owner);
      for (let one = left.shift(); one; one = left.shift()) await client.query(one.create);
      await client.end();
    }),
  );
};

const tables = [
  'expresses',
  'express_keys',
  'express_messages',
  'express_moves',
  'express_facts',
  'express_counts',
  'express_days',
  'prints',
  'statements',
  'ledger_transfers',
  'ledger_chain',
  'ledger_holds',
  'ledger_days',
  'source_hashes',
  'audit_log',
];

const network = async (client: pg.Client): Promise<void> => {
  const columns = await columnsOf(client, 'stations');
  const changed: Record<string, string> = {
    id: 's.id',
    name: `s.city || s.county || '站' || lpad(s.nth::text, 3, '0')`,
    province: 's.province',
    city: 's.city',
    county: 's.county',
    parent_id: '(select id from scale.station p where p.nth = s.parent_nth)',
    money: '0',
    freeze: '0',
    fixed_freeze: '0',
    sender_name: `left(s.county, 2) || '驿站'`,
    sender_phone: `'1380002' || lpad(s.nth::text, 4, '0')`,
    created_at: `q.created_at - interval '370 days'`,
  };
  await client.query(`insert into stations (${columns.map((name) => `"${name}"`).join(', ')}) overriding system value
    select ${columns.map((name) => changed[name] ?? `q."${name}"`).join(', ')} from scale.station s
      join stations q on q.id = (select c.id from scale.chain c where c.up = 0 and c.level = s.level order by c.id limit 1) order by s.nth`);
  await client.query(`insert into accounts (id, username, nickname, role, station_id, password_hash, registered_at, location) overriding system value
    select c.id, format('w%s-%s', lpad(c.nth::text, 3, '0'), c.k), '示例店员', 'user', c.station_id, q.password_hash, now() - interval '370 days', '示例' from scale.clerk c join accounts q on q.username = 'clerk' order by c.id`);
  await client.query(
    `select setval(pg_get_serial_sequence('accounts', 'id'), (select max(id) from accounts)), setval(pg_get_serial_sequence('stations', 'id'), (select max(id) from stations))`,
  );
  await client.query(`insert into accounts (username, nickname, role, station_id, password_hash, registered_at, location)
    select 'w' || lpad(s.nth::text, 3, '0'), '示例站长', case s.level when 1 then 'partner' else 'station' end, s.id, q.password_hash, now() - interval '370 days', '示例' from scale.station s join accounts q on q.username = 'clerk' order by s.nth`);
};

/**
 * Calculates the hashes of ledger transfers and statement rows with the product's functions, one
 * part of the rows after the other.
 */
const hashMoney = async (load: Load, client: pg.Client): Promise<void> => {
  const list = async (table: string, row: string, hash: string) => {
    const columns = await columnsOf(client, table);
    return `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) select ${columns.map((name) => (name === 'hash' ? hash : `${row}."${name}"`)).join(', ')}`;
  };
  const statements = `${await list('statements', 's', `ledger_statement_hash(ledger_statement_text(row(s.*)::statements), 'posted', s.updated_at)`)} from scale.statement s where s.id between $1 and $2 order by s.id`;
  const range = async (table: string): Promise<[number, number]> => {
    const { rows } = await client.query<{ from: string; to: string }>(
      `select min(id) as from, max(id) as to from ${table}`,
    );
    return [Number(rows[0]!.from), Number(rows[0]!.to)];
  };
  await client.query('create index on scale.statement (id)');
  await client.query('create index on scale.statement (transfer_id)');
  await inParts(load, ...(await range('scale.statement')), (hand, from, to) =>
    hand.query(statements, [from, to]),
  );
  load.step('statements are hashed');
  const transfers = `${await list('ledger_transfers', 't', `ledger_transfer_hash(row(t.*)::ledger_transfers, e.entries, coalesce(l.lines, '{}'))`)}
    from scale.transfer_row t join (select transfer_id, array_agg(e order by e.no) as entries from ledger_entries e where transfer_id between $1 and $2 group by 1) e on e.transfer_id = t.id
      left join (select transfer_id, array_agg(row(s.*)::statements order by s.id) as lines from scale.statement s where transfer_id between $1 and $2 group by 1) l on l.transfer_id = t.id
    where t.id between $1 and $2 order by t.id`;
  await inParts(load, ...(await range('scale.transfer_row')), (hand, from, to) =>
    hand.query(transfers, [from, to]),
  );
  load.step('transfers are hashed');
};

const money = async (load: Load): Promise<void> => {
  const client = await open(load.owner);
  await client.query(textOf('money', load));
  load.step('movements are there');
  await hashMoney(load, client);
  await client.query(textOf('chain', load));
  load.step('chains are there');
  await client.end();
};

/**
 * Records the versions, facts and messages of parcels with the product's functions. It uses one
 * block for each station.
 */
const sources = async (load: Load, from: number, to: number): Promise<void> => {
  const client = await open(load.owner);
  await client.query('alter table source_hashes alter column block set default 1');
  const small = 2_000;
  await inParts(load, from, to, async (hand, first, last) => {
    for (let at = first; at <= last; at += small) {
      const part = [at, Math.min(at + small - 1, last)];
      await hand.query(
        'select express_version_add((select array_agg(e) from expresses e where id between $1 and $2 and terms is not null), false)',
        part,
      );
      await hand.query(
        'select fact_records((select array_agg(f) from express_facts f where express_id between $1 and $2), false)',
        part,
      );
      await hand.query(
        `select message_records(coalesce((select array_agg(m) from express_messages m where express_id between $1 and $2), '{}'), false)`,
        part,
      );
    }
  });
  await client.query('alter table source_hashes alter column block drop default');
  load.step('sources are hashed');
  await client.query(`insert into source_blocks select (b).station_id, (b).seq, (b).records, (b).at, (b).content, source_block_hash('', b) from (
      select row(station_id, 1, count(*), now(), sha256(string_agg(source_record_bytes(h), '' order by id)), '')::source_blocks as b
      from source_hashes h where station_id in (select id from scale.station) group by station_id) drafts`);
  load.step('blocks are there');
  await client.end();
};

const sequences = `select setval(pg_get_serial_sequence(t, 'id'), greatest(m, 1)) from (values
    ('expresses', (select max(id) from expresses)), ('statements', (select max(id) from statements)), ('ledger_transfers', (select max(id) from ledger_transfers))) x (t, m)`;

/** Fills a database with a large network. The database already contains the example network. */
export const loadNetwork = async (load: Load): Promise<void> => {
  const client = await open(load.owner);
  await client.query(textOf('plan', load));
  load.step('planned');
  await client.query(textOf('network', load));
  await network(client);
  const kept = await dropIndexes(client, tables);
  await client.query('create index if not exists rig_facts on express_facts (express_id)');
  const { rows } = await client.query<{ from: string; to: string }>(
    'select min(id) as from, max(id) as to from scale.parcel',
  );
  const [from, to] = [Number(rows[0]!.from), Number(rows[0]!.to)];
  const insert = insertParcels(await columnsOf(client, 'expresses'));
  await client.query('create index if not exists rig_expresses on expresses (id)').catch(() => {});
  await client.query('analyze expresses; analyze express_facts; analyze stations');
  await inParts(load, from, to, (hand, first, last) => hand.query(insert, [first, last]));
  await client.query('analyze expresses');
  load.step('parcels are there');
  const keys = textOf('keys', load);
  await Promise.all([
    money(load),
    (async () => {
      const hand = await open(load.owner);
      await hand.query(textOf('history', load));
      await hand.query('create index rig_messages on express_messages (express_id)');
      await hand.query('analyze express_facts; analyze express_messages');
      load.step('histories are there');
      await hand.query(textOf('counts', load));
      await hand.end();
      await sources(load, from, to);
      await inParts(load, from, to, (one, first, last) => one.query(keys, [first, last]));
      load.step('keys are there');
    })(),
  ]);
  await client.query('drop index if exists rig_facts, rig_messages, rig_expresses');
  await makeIndexes(load, kept);
  load.step('indexes are there');
  await client.query('analyze statements');
  await client.query('do $$ begin while statement_roll_up() > 0 loop null; end loop; end $$');
  await client.query(
    'do $$ begin while ledger_months_roll_up((select coalesce(max(id), 0) from ledger_transfers)) > 0 loop null; end loop; end $$',
  );
  load.step('billing lines and entries are added up');
  await client.query(sequences);
  await client.query(`select setval('express_order_numbers', $1)`, [load.parcels + 200_000]);
  await client.query('drop schema scale cascade');
  await client.query(textOf('address-books', load));
  load.step('address books and imported files are there');
  await client.query('vacuum (freeze, analyze)');
  load.step('vacuumed');
  await client.end();
};
