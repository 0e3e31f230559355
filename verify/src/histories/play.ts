/** Plays the same history on the product and in the simple model. Reports the first difference. */
import { sql } from '@waystation/server/testing/product.ts';
import { newBooks } from './books.ts';
import type { Books } from './books.ts';
import { opOf, parentsOf } from './chance.ts';
import type { History } from './chance.ts';
import { apply, settle } from './life.ts';
import type { Op } from '@waystation/server/testing/histories/operations.ts';
import { act, addStation, all, settleWorld } from '@waystation/server/testing/histories/world.ts';
import type { Seen, World } from '@waystation/server/testing/histories/world.ts';

/** Returns all amounts of the model as lines of text that can be compared and read. */
const linesOf = (books: Books): string[] => [
  ...Object.values(books.stations).map(
    ({ id, money, frozen, reserve }) =>
      `station ${id}: money ${money}, frozen ${frozen}, available ${money - frozen - reserve}`,
  ),
  ...Object.values(books.parcels).flatMap(({ id, state, price, held, charged, fee, moved }) => [
    `parcel ${id}: state ${state}, costs ${price.post} of ${price.pre}, holds ${held ?? 'nothing'}, ${charged ? 'charged' : 'not charged'}, costs us ${fee}`,
    ...Object.entries(moved).flatMap(([station, amount]) =>
      amount === 0 ? [] : [`parcel ${id} moved ${amount} of station ${station}`],
    ),
  ]),
  `platform: cash ${books.cash}, revenue ${books.revenue}, carrier cost ${books.carrier_cost}, carrier payable ${books.carrier_payable}`,
];

const linesOfWorld = (world: World, stations: readonly number[]): Promise<string[]> =>
  world.app.db.tx(all, async (work) => {
    const { rows } = await sql<{ lines: string[] }>`
      with parcel as (select id, state_code, post_amount, pre_amount, charged_at,
        coalesce(jd_amount, 0) as fee from expresses where station_id = any(${stations})),
      platform as (select e.account::text as account, sum(e.amount) as amount
        from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
        and e.station_id is null
        where t.station_id = any(${stations}) group by 1)
      select array(select format('station %s: money %s, frozen %s, available %s', id, money,
        "freeze", available) from stations where id = any(${stations}) order by id)
        || array(select line from (
          select p.id, 0 as station,
            format('parcel %s: state %s, costs %s of %s, holds %s, %s, costs us %s', p.id,
            p.state_code, p.post_amount, p.pre_amount,
            coalesce((select sum(h.amount)::text from ledger_holds h where h.express_id = p.id
              and h.status = 'open'), 'nothing'),
            case when p.charged_at is null then 'not charged' else 'charged'
              end, p.fee) as line from parcel p
          union all select s.express_id, s.station_id,
            format('parcel %s moved %s of station %s', s.express_id, sum(s.amount),
            s.station_id)
            from statements s where s.express_id in (select id from parcel)
              and s.seq is not null group by 1, 2 having sum(s.amount) <> 0) l
              order by id, station)
        || array[format('platform: cash %s, revenue %s, carrier cost %s, carrier payable %s',
            coalesce((select amount from platform where account = 'cash'), 0),
              coalesce((select amount from platform where account = 'revenue'), 0),
            coalesce((select amount from platform where account = 'carrier_cost'), 0),
              coalesce((select amount from platform where account = 'carrier_payable'),
              0))] as lines`.execute(work.tx);
    return rows[0]!.lines;
  });

const difference = (expected: string[], found: string[]): string =>
  [
    ...expected.filter((line) => !found.includes(line)).map((line) => `books: ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `found: ${line}`),
  ].join('\n');

/** Returns every order in which up to three operations can run. */
const orders = (count: number): number[][] =>
  count === 1
    ? [[0]]
    : orders(count - 1).flatMap((order) =>
        Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)),
      );

const lineOf = (op: Op, { refusal }: Pick<Seen, 'refusal'>): string =>
  `${JSON.stringify(op)} ${refusal ?? 'done'}`;

interface Play {
  world: World;
  /**
   * The possible states of the model: there are several if the order of concurrent operations is
   * not known.
   */
  books: Books[];
  ids: number[];
  log: string[];
  /** The number of operations of each kind, and the number of refusals. */
  counts: Map<string, number>;
}

const count = ({ counts }: Play, op: Op, { refusal }: Seen): void => {
  const name = refusal === null ? op.op : `${op.op}: ${refusal}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

const requesterOf = (ops: readonly Op[]): number[] =>
  [
    ...new Set(
      ops.flatMap((op) =>
        op.op === 'tell' || op.op === 'measure' || op.op === 'days' ? [op.parcel] : [],
      ),
    ),
  ].toSorted((a, b) => a - b);

const one = async (play: Play, op: Op): Promise<void> => {
  const seen = await act(play.world, op);
  count(play, op, seen);
  play.log.push(lineOf(op, seen));
  const expected = play.books.map((books) => apply(books, op, seen.id));
  play.books = play.books.filter((_, index) => expected[index] === seen.refusal);
  if (play.books.length === 0)
    throw new Error(`${expected[0] ?? 'done'} was to be expected, not ${seen.refusal ?? 'done'}`);
  await settleWorld(play.world, requesterOf([op]));
  for (const books of play.books) settle(books, requesterOf([op]));
  if (play.world.repeat && play.log.length % 5 === 0 && !(await play.world.repeat()))
    throw new Error('a repeated movement answered otherwise');
};

/**
 * Returns the states of the model that match the product. If no state matches, throws an error with
 * the differences of the most similar state.
 */
const agreeing = (candidates: readonly Books[], found: string[]): Books[] => {
  const differences = candidates.map((books) => difference(linesOf(books), found));
  const left = candidates.filter((_, index) => differences[index] === '');
  if (left.length === 0)
    throw new Error(
      differences.toSorted((a, b) => a.length - b.length)[0] ??
        'no order of these gives these answers',
    );
  return [...new Map(left.map((books) => [JSON.stringify(books), books])).values()];
};

/**
 * Runs several operations simultaneously. The product may run them in any order, so its state must
 * match the state of the model after one of these orders.
 */
const together = async (play: Play, ops: readonly Op[]): Promise<void> => {
  const seen = await Promise.all(ops.map((op) => act(play.world, op)));
  for (const [index, op] of ops.entries()) {
    count(play, op, seen[index]!);
    play.log.push(`together ${lineOf(op, seen[index]!)}`);
  }
  await settleWorld(play.world, requesterOf(ops));
  const after = play.books.flatMap((before) =>
    orders(ops.length).flatMap((order) => {
      const books = structuredClone(before);
      if (
        !order.every((index) => apply(books, ops[index]!, seen[index]!.id) === seen[index]!.refusal)
      )
        return [];
      settle(books, requesterOf(ops));
      return [books];
    }),
  );
  play.books = agreeing(after, await linesOfWorld(play.world, play.ids));
};

/**
 * Plays a history. At the first difference it throws an error with the history's operations and
 * that difference.
 */
export const playHistory = async (
  world: World,
  history: History,
  counts = new Map<string, number>(),
): Promise<void> => {
  const play: Play = {
    world,
    books: [newBooks(world.app.clock.now().getTime())],
    ids: [],
    log: [],
    counts,
  };
  world.repeat = null;
  const parents = parentsOf(history);
  for (const [index, terms] of history.stations.entries()) {
    const way = index === history.other ? (((history.way % 3) + 1) as 1 | 2 | 3) : history.way;
    const station = {
      ...terms,
      way,
      parent: parents[index] === null ? null : play.ids[parents[index]!]!,
      frozen: 0,
    };
    const id = await addStation(world, station);
    play.ids.push(id);
    play.books[0]!.stations[id] = { ...station, id };
    play.books[0]!.cash -= station.money;
    play.log.push(JSON.stringify({ ...station, id }));
  }
  try {
    for (const steps of history.steps) {
      world.app.clock.advance(60_000);
      for (const books of play.books) books.now += 60_000;
      const ops = steps.flatMap((step) => opOf(step, play.books[0]!, world.orders) ?? []);
      // Time passes for all stations simultaneously, so this operation is not combined with others.
      const beside = ops.length > 1 ? ops.filter(({ op }) => op !== 'days') : ops;
      if (beside.length === 1) await one(play, beside[0]!);
      else if (beside.length > 1) await together(play, beside);
    }
    agreeing(play.books, await linesOfWorld(world, play.ids));
  } catch (error) {
    throw new Error(`${play.log.join('\n')}\n${(error as Error).stack ?? String(error)}`, {
      cause: error,
    });
  }
};
