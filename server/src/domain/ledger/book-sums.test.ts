import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { watchPlans } from '#testing/plans.ts';
import { at, holdOf, meta, next, openMoney, openOwner, price, scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  adjustment,
  charge,
  closeBooks,
  hold,
  listBooks,
  post,
  prepareClosing,
  prove,
  releaseHold,
  reopenBooks,
  reverse,
  rollUpBooks,
  topUp,
} from './ledger.ts';

let app: TestApp;
let owner: Db;
let plans: ReturnType<typeof watchPlans>;
let { tx } = {} as ReturnType<typeof openMoney>;
let top: number;
let stations: number[];
let people: number[];

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
  ({ tx } = openMoney(app));
  top = await addStation(app.db);
  stations = [
    await addStation(app.db, { parent_id: top }),
    await addStation(app.db, { parent_id: top }),
    await addStation(app.db),
  ];
  people = [await addAccount(app.db, 'admin'), await addAccount(app.db, 'admin')];
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const day = (date: string): Date => new Date(`${date}T10:00:00+08:00`);
const now = day('2026-04-20');

const rollUp = async (): Promise<void> => {
  while (await rollUpBooks(app.db));
};

const moved = (station_id: number, amount: number, date: string): Promise<unknown> =>
  tx((work) =>
    (amount > 0 ? topUp : adjustment)(work, {
      station_id,
      amount,
      description: '',
      ...meta(),
      at: day(date),
    }),
  );

/**
 * Holds the price of a parcel. Then it charges the price, charges and reverses it, or releases the
 * hold.
 */
const parcel = async (
  station_id: number,
  date: string,
  end: 'charged' | 'reversed' | 'released',
): Promise<void> => {
  const express_id = 5_000_000 + next();
  await tx((work) => hold(work, { ...holdOf(station_id, express_id), at: day(date) }));
  if (end === 'released') {
    await tx((work) => releaseHold(work, { express_id, attempt: 1, ...meta(), at: day(date) }));
    return;
  }
  await tx((work) =>
    charge(work, {
      express_id,
      attempt: 1,
      delivery_id: null,
      price,
      shares: [{ station_id: top, amount: 31 }],
      ...meta(),
      at: day(date),
    }),
  );
  if (end === 'reversed')
    await tx((work) => reverse(work, { express_id, reason: 'lost', ...meta(), at: day(date) }));
};

interface Month {
  period: string;
  entries: number;
  trial_balance: { account: string; amount: number }[];
}

const shown = async (work: Work): Promise<Month[]> =>
  (await listBooks(work, now)).flatMap(({ period, entries, trial_balance }) =>
    entries > 0 ? [{ period, entries, trial_balance }] : [],
  );

/** The sums of the entries themselves. */
const added = async (work: Work): Promise<Month[]> => {
  const { rows } = await sql<Month>`select period, sum(n)::bigint as entries,
    json_agg(json_build_object('account', account, 'amount', amount)
        order by array_position('{wallet,holds,cash,revenue,carrier_cost,carrier_payable}'::text[],
          account::text)) as trial_balance
    from (select period, account, count(*) as n, sum(amount)::bigint as amount
      from ledger_entries group by 1, 2) e group by 1 order by 1 desc`.execute(work.tx);
  return rows;
};

/** Compares the stored sums with the sums of the entries, in one snapshot. */
const compare = (): Promise<void> =>
  tx(async (work) => {
    await sql`set transaction isolation level repeatable read`.execute(work.tx);
    const entries = await added(work);
    expect(await shown(work)).toEqual(entries);
  });

/** Movements of all kinds, in an order that depends on the seed. */
const someMovements = async (seed: number, count: number, dates: string[]): Promise<void> => {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let n = 0; n < count; n += 1) {
    const station_id = stations[random(3)]!;
    const date = dates[random(dates.length)]!;
    const kind = random(5);
    if (kind === 0) await moved(station_id, 5_000 + random(1_000), date);
    else if (kind === 1) await moved(station_id, -1 - random(9), date);
    else await parcel(station_id, date, (['charged', 'reversed', 'released'] as const)[kind - 2]!);
  }
};

const months = ['2026-02-03', '2026-02-28', '2026-03-01', '2026-04-10'];

describe('the ledger’s monthly sums', () => {
  beforeAll(async () => {
    for (const station_id of stations) await moved(station_id, 100_000, '2026-02-01');
    await someMovements(1, 20, months);
  });

  it.each(['before any entry is added up', 'after all are', 'with entries behind the sums'])(
    'the ledger’s monthly sums (%s) equal the sums of the entries',
    async (when) => {
      if (when !== 'before any entry is added up') await rollUp();
      if (when === 'with entries behind the sums') await someMovements(7, 15, months);
      await compare();
    },
  );

  it('the ledger’s monthly sums equal the entries at every moment while other transactions post', async () => {
    let posting = true;
    let compared = 0;
    const read = async (): Promise<void> => {
      for (; posting; compared += 1) await compare();
    };
    const add = async (): Promise<void> => {
      while (posting) await rollUpBooks(app.db);
    };
    const run = Promise.all([2, 3, 4].map((seed) => someMovements(seed, 15, months))).finally(
      () => (posting = false),
    );
    await Promise.all([run, read(), read(), add(), add()]);
    expect(compared).toBeGreaterThan(3);
    await rollUp();
    await compare();
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('the ledger’s monthly sums do not miss a posting that is not committed yet while a posting with a higher number is committed', async () => {
    const committed = Promise.withResolvers<void>();
    const posted = Promise.withResolvers<void>();
    const slow = tx(async (work) => {
      await topUp(work, {
        station_id: stations[0]!,
        amount: 77,
        description: '',
        ...meta(),
        at: day('2026-04-11'),
      });
      posted.resolve();
      await committed.promise;
    });
    await posted.promise;
    await moved(stations[1]!, 88, '2026-04-11');
    const adding = rollUp();
    await compare();
    committed.resolve();
    await slow;
    await adding;
    await compare();
    expect(
      await tx(
        async (work) =>
          (
            await sql`select *
      from ledger_month_entries_proof('2026-04')`.execute(work.tx)
          ).rows,
      ),
    ).toEqual([]);
  });

  it('the sums of a closed month of the ledger keep the values of its closing, and include new postings after the month is reopened', async () => {
    const closeMonth = async (): Promise<void> => {
      const prepared = await prepareClosing(app.db, '2026-02', now);
      await tx((work) => closeBooks(work, prepared, { by: people[0]!, at: now }));
    };
    await closeMonth();
    await compare();
    await moved(stations[0]!, 55, '2026-02-20');
    await rollUp();
    await compare();
    expect((await prove(app, { full: true, at: now })).breaks).toEqual([]);
    await tx((work) =>
      reopenBooks(work, '2026-02', { by: people[1]!, at: now, reason: 'forgotten' }),
    );
    await moved(stations[0]!, 66, '2026-02-20');
    await compare();
    await rollUp();
    await compare();
    await closeMonth();
    expect((await prove(app, { full: true, at: now })).breaks).toEqual([]);
  });

  it('reading the ledger’s monthly sums reads no more rows after the entries and the picked-up parcels have quadrupled', async () => {
    const account = await addAccount(app.db, 'user', stations[2]);
    const { rows } = await owner.tx(systemScope('test'), (work) =>
      sql<{ id: number }>`insert into merchants (name, provider, customer_code, base_url)
        values ('京东', 'jdl', '010K9', '') returning id`.execute(work.tx),
    );
    const merchant = rows[0]!.id;
    const unbilled = async () =>
      (await tx((work) => listBooks(work, now)))
        .find(({ period }) => period === '2026-04')!
        .missing_bills.map(({ parcels }) => parcels);
    const fillUp = async (count: number): Promise<number> => {
      await owner.tx(systemScope('test'), (work) =>
        sql`insert into expresses (station_id, user_id, order_id, merchant_id, state_code,
          picked_up_at)
          select ${stations[2]}, ${account}, 'B' || ${count} || '-' || n, ${merchant}, 210,
            timestamptz '2026-04-01 00:00+08' + n * interval '1 minute'
          from generate_series(0, ${count}::int - 1) n`.execute(work.tx),
      );
      await tx((work) => sql`select express_uses_roll_up()`.execute(work.tx));
      for (let from = 0; from < count; from += 500)
        await tx((work) =>
          post(
            work,
            Array.from({ length: 500 }, () => ({
              movement: 'top_up' as const,
              station_id: stations[2]!,
              amount: 5,
              description: '',
              ...meta(),
              at: day('2026-04-12'),
            })),
          ),
        );
      await rollUp();
      await owner.pool.query(
        'vacuum analyze ledger_entries, ledger_transfers, ledger_month_sums, ledger_months_rolled, expresses, express_uses',
      );
      for (let n = 0; n < 3; n += 1) await moved(stations[2]!, 5, '2026-04-12');
      return (await plans.readBy(() => tx((work) => listBooks(work, now)))).reduce(
        (sum, { rows }) => sum + rows,
        0,
      );
    };
    const few = await fillUp(2_000);
    expect(await unbilled()).toEqual([2_000]);
    const many = await fillUp(6_000);
    expect(await unbilled()).toEqual([8_000]);
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few + 10);
    await compare();
    // The steps that are not added yet are as exact as the sums: one pickup moves to another month,
    // and one is removed.
    await owner.tx(systemScope('test'), async (work) => {
      await sql`update expresses set picked_up_at = timestamptz '2026-03-31 23:59:59+08'
        where order_id = 'B2000-1'`.execute(work.tx);
      await sql`update expresses set picked_up_at = null
        where order_id = 'B2000-2'`.execute(work.tx);
    });
    expect(await unbilled()).toEqual([7_998]);
  });
});

describe('the ledger check of the monthly sums', () => {
  const invariants = async (full: boolean) =>
    (await prove(app, { full, at: now })).breaks.map(({ invariant }) => invariant);
  const alter = (change: ReturnType<typeof sql>): Promise<unknown> =>
    owner.tx(systemScope('test'), (work) => change.execute(work.tx));

  it('the ledger check finds an altered sum of a month, and does not block any station', async () => {
    await rollUp();
    expect(await invariants(true)).toEqual([]);
    await alter(sql`update ledger_month_sums set amount = amount + 1 where period = '2026-04'
      and account = 'wallet'`);
    expect(new Set(await invariants(false))).toEqual(new Set(['I13']));
    expect(new Set(await invariants(true))).toEqual(new Set(['I13']));
    await alter(sql`update ledger_month_sums set amount = amount - 1 where period = '2026-04'
      and account = 'wallet'`);
    await alter(sql`update ledger_month_sums set n = n + 1 where period = '2026-04'
      and account = 'wallet'`);
    expect(new Set(await invariants(true))).toEqual(new Set(['I13']));
    await alter(sql`update ledger_month_sums set n = n - 1 where period = '2026-04'
      and account = 'wallet'`);
    // The incremental check also compares the sums of a closed month with its closing.
    await alter(sql`update ledger_month_sums set n = n + 1 where period = '2026-02'
      and account = 'wallet'`);
    expect(new Set(await invariants(false))).toEqual(new Set(['I13']));
    await alter(sql`update ledger_month_sums set n = n - 1 where period = '2026-02'
      and account = 'wallet'`);
    expect(await invariants(true)).toEqual([]);
    expect(
      (
        await tx((work) =>
          sql`select 1 from ledger_blocks
      where cleared_at is null`.execute(work.tx),
        )
      ).rows,
    ).toEqual([]);
  });

  it('the ledger check finds that the stored sums of a month are missing', async () => {
    const { rows } = await owner.tx(systemScope('test'), (work) =>
      sql<object>`delete
      from ledger_month_sums where period = '2026-03' returning *`.execute(work.tx),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(await invariants(true))).toEqual(new Set(['I13']));
    await alter(sql`truncate ledger_month_sums, ledger_months_rolled`);
    await rollUp();
    expect(await invariants(true)).toEqual([]);
    await compare();
  });
});

describe('the rights to the monthly sums', () => {
  it('the application cannot delete the ledger’s monthly sums, and a user with a restricted scope sees none of them', async () => {
    for (const table of ['ledger_month_sums', 'ledger_months_rolled']) {
      await expect(
        tx((work) =>
          sql`delete
        from ${sql.table(table)}`.execute(work.tx),
        ),
      ).rejects.toThrow('permission denied');
      const { rows } = await tx(
        (work) =>
          sql`select 1
        from ${sql.table(table)}`.execute(work.tx),
        { kind: 'stations', stations, account: null },
      );
      expect(rows).toEqual([]);
    }
    expect(scope.kind).toBe('all');
  });
});
