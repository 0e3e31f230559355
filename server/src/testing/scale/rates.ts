import pg from 'pg';
import type { Api } from './api.ts';
import { unitsOf } from './bare.ts';
import { keptConnection } from './kept-connection.ts';
import type { Role } from './samples.ts';

const connections = 16;
const seconds = 3;
/** In turns, and each beside the one after it: a machine's own speed changes by a fifth within a minute. */
const rounds = 7;
const path = '/api/arco/expresses?page_size=20';

/** One account may read only so much at once, so that many connections need many accounts. */
const addAccounts = (owner: pg.Client, { username, many }: Role): Promise<unknown> =>
  owner.query(
    `insert into accounts (username, nickname, role, station_id, password_hash, registered_at, location)
    select format('%s-%s', $2::text, n), nickname, role, station_id, password_hash, registered_at, location from accounts cross join generate_series(1, ${connections}) n
    where username = $1 on conflict do nothing`,
    [username, many],
  );

/** What is done a second by `connections` hands. */
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

/** The same rows by a plain query: the columns that the list answers, newest first, under the same row-level security. */
const plainList = async (owner: pg.Client, answer: string): Promise<string> => {
  const { data } = JSON.parse(answer) as { data: { items: object[] } };
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'expresses'::regclass and attnum > 0 and not attisdropped`,
  );
  const columns = rows.map(({ name }) => name).filter((name) => name in data.items[0]!);
  return `select ${columns.map((name) => `e."${name}"`).join(', ')}, s.name as station_name, a.nickname as user_name from expresses e join stations s on s.id = e.station_id
    left join accounts a on a.id = e.user_id`;
};

/** Medians; `ratio` is that of the turns' ratios. */
export interface Rate {
  ratio: number;
  ours: number;
  bare: number;
  /** Milliseconds of processor time of the server's node for a page. */
  node: number;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** S1: the first page at sixteen connections, through the product and by bare `pg`, in turns. */
export const compareRates = async (api: Api, owner: pg.Client, config: pg.ClientConfig, role: Role): Promise<Rate> => {
  await addAccounts(owner, role);
  const tokens: string[] = [];
  for (let hand = 1; hand <= connections; hand++) tokens.push(await api.logIn(`${role.many}-${hand}`));
  const recorded = await api.record(() => api.ask(tokens[0]!, path));
  const { text } = await api.ask(tokens[0]!, path);
  const { begin } = unitsOf(recorded)[0]!;
  const stations = /waystation\.stations = '(\{[\d,]*\})'/.exec(begin)?.[1];
  const plain = `${await plainList(owner, text)} ${stations ? 'where e.station_id = any ($1::bigint[])' : ''} order by e.created_at desc, e.id desc limit 20`;
  const hands = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ ...config, user: 'waystation_app', application_name: 'scale-bare' });
      await client.connect();
      return client;
    }),
  );
  const pages = await Promise.all(Array.from({ length: connections }, () => keptConnection(api.port)));
  const bareWork = async (hand: number): Promise<void> => {
    const client = hands[hand]!;
    await client.query(begin);
    const { rows } = await client.query({ name: 'plain', text: plain, values: stations ? [stations] : [] });
    await client.query('commit');
    JSON.stringify(rows);
  };
  const ourWork = async (hand: number): Promise<void> => {
    const status = await pages[hand]!.ask(path, tokens[hand]!);
    if (status !== 200) throw new Error(`the list answered ${status} at ${connections} connections`);
  };
  const [ours, bare]: [number[], number[]] = [[], []];
  await rateOf(bareWork).then(() => rateOf(ourWork));
  const nodeBefore = api.nodeTime();
  for (let turn = 0; turn < rounds; turn++) {
    ours.push(await rateOf(ourWork));
    bare.push(await rateOf(bareWork));
  }
  const node = (api.nodeTime() - nodeBefore) / (ours.reduce((sum, rate) => sum + rate, 0) * seconds);
  for (const page of pages) page.close();
  for (const client of hands) await client.end();
  return { ratio: median(ours.map((rate, turn) => rate / bare[turn]!)), ours: median(ours), bare: median(bare), node };
};
