import pg from 'pg';
import type { Api } from './api.ts';
import { unitsOf } from './bare.ts';
import { keptConnection } from './kept-connection.ts';
import type { Role } from './samples.ts';

const connections = 16;
const seconds = 3;
/**
 * The number of rounds. In each round the product and bare `pg` take turns, because the speed of a
 * machine may change by a fifth within a minute.
 */
const rounds = 7;
const path = '/api/arco/expresses?page_size=20';

/**
 * Returns the names of the accounts that read. Several accounts are needed, because one account may
 * run only a limited number of reads simultaneously. Clerks are represented by existing accounts
 * with the same password, because a new account has no parcels. Of these, the accounts with the
 * most parcels are taken. For other roles, they are new accounts of the same station.
 */
const accountsFor = async (owner: pg.Client, { username, many }: Role): Promise<string[]> => {
  const { rows } = await owner.query<{ username: string }>(
    many === null
      ? {
          text: `select a.username from accounts a
            join (select user_id, count(*) as n from expresses group by 1) e on e.user_id = a.id
            where a.role = 'user' and a.status = 1
              and a.password_hash = (select password_hash from accounts where username = $2)
            order by e.n desc, a.id limit $1`,
          values: [connections, username],
        }
      : {
          text: `with wanted as (select format('%s-%s', $2::text, n) as username from generate_series(1, $1) n),
            added as (insert into accounts (username, nickname, role, station_id, password_hash, registered_at, location)
              select w.username, nickname, role, station_id, password_hash, registered_at, location
                from accounts a cross join wanted w where a.username = $3 on conflict do nothing)
            select username from wanted`,
          values: [connections, many, username],
        },
  );
  return rows.map((row) => row.username);
};

/**
 * Calls `work` in as many parallel loops as `connections`. Returns the number of calls per second.
 */
const rateOf = async (work: (hand: number) => Promise<void>): Promise<number> => {
  const until = performance.now() + seconds * 1_000;
  const since = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, hand) => {
      while (performance.now() < until) {
        await work(hand);
        done++;
      }
    }),
  );
  return done / ((performance.now() - since) / 1_000);
};

/** The query of a list, and the statement that begins its transaction and sets the scope. */
interface Plain {
  begin: string;
  text: string;
  values: string[];
}

/**
 * Returns a query without the product for the same fields of the same rows as a list: the default
 * columns, with the newest rows first. The row-level security is the same.
 */
const plainList = async (owner: pg.Client, answer: string, begin: string): Promise<Plain> => {
  const { data } = JSON.parse(answer) as { data: { items: object[] } };
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'expresses'::regclass and attnum > 0 and not attisdropped`,
  );
  const columns = rows.map(({ name }) => name).filter((name) => name in data.items[0]!);
  const stations = /waystation\.stations = '(\{[\d,]*\})'/.exec(begin)?.[1];
  const account = /waystation\.account = '(\d+)'/.exec(begin)?.[1];
  const values = [stations, account].filter((value) => value !== undefined);
  const where = ['e.station_id = any ($1::bigint[])', 'e.user_id = $2'].slice(0, values.length);
  return {
    begin,
    values,
    text: `select ${columns.map((name) => `e."${name}"`).join(', ')}, s.name as station_name, s.allow_print
    from expresses e join stations s on s.id = e.station_id
    ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
    order by e.created_at desc, e.id desc limit 20`,
  };
};

/** The medians over all rounds. `ratio` is the median of the ratios of the rounds. */
export interface Rate {
  ratio: number;
  ours: number;
  bare: number;
  /** The processor time in milliseconds that the server's Node needs for one page. */
  node: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * S1: reads the first page of a list on sixteen connections. The product and bare `pg` take turns.
 */
export const compareRates = async (
  api: Api,
  owner: pg.Client,
  config: pg.ClientConfig,
  role: Role,
): Promise<Rate> => {
  const tokens: string[] = [];
  for (const username of await accountsFor(owner, role)) tokens.push(await api.logIn(username));
  if (tokens.length < connections) throw new Error(`${role.name}: too few accounts`);
  const plains: Plain[] = [];
  for (const token of tokens) {
    const recorded = await api.record(() => api.ask(token, path));
    const { text } = await api.ask(token, path);
    plains.push(await plainList(owner, text, unitsOf(recorded)[0]!.begin));
  }
  const hands = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({
        ...config,
        user: 'waystation_app',
        application_name: 'scale-bare',
      });
      await client.connect();
      return client;
    }),
  );
  const pages = await Promise.all(
    Array.from({ length: connections }, () => keptConnection(api.port)),
  );
  const bareWork = async (hand: number): Promise<void> => {
    const client = hands[hand]!;
    const { begin, ...plain } = plains[hand]!;
    await client.query(begin);
    const { rows } = await client.query({ name: 'plain', ...plain });
    await client.query('commit');
    JSON.stringify(rows);
  };
  const ourWork = async (hand: number): Promise<void> => {
    const status = await pages[hand]!.ask(path, tokens[hand]!);
    if (status !== 200)
      throw new Error(`the list answered ${status} at ${connections} connections`);
  };
  const [ours, bare]: [number[], number[]] = [[], []];
  await rateOf(bareWork).then(() => rateOf(ourWork));
  const nodeBefore = api.nodeTime();
  for (let turn = 0; turn < rounds; turn++) {
    ours.push(await rateOf(ourWork));
    bare.push(await rateOf(bareWork));
  }
  const node =
    (api.nodeTime() - nodeBefore) / (ours.reduce((sum, rate) => sum + rate, 0) * seconds);
  for (const page of pages) page.close();
  for (const client of hands) await client.end();
  return {
    ratio: median(ours.map((rate, turn) => rate / bare[turn]!)),
    ours: median(ours),
    bare: median(bare),
    node,
  };
};
