import { rowsOf, eventually, exampleOrder } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';

interface Line {
  id: number;
  status: string;
  code?: string;
}
let keys = 0;
const post = (system: TestSystem, token: string, path: string, body: object) =>
  system.call<Line>(
    { token, headers: { 'idempotency-key': `attack-money-${++keys}` } },
    'POST',
    `/api/arco${path}`,
    body,
  );

const statementsOf = async (system: TestSystem, id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ money: number }>`select money from stations
    where id = ${id}`,
    )
  )[0]!.money;

/** Creates a parcel without insurance. The carrier has picked it up, and it has been charged. */
const delivered = async (system: TestSystem): Promise<number> => {
  const clerk = await system.login('clerk');
  await system.topUp('nanshan', 1_000_000);
  const { data } = await post(system, clerk, '/expresses', exampleOrder());
  const read = async () =>
    (
      await system.call<{ state_code: number; delivery_id: string; charged_at: string | null }>(
        clerk,
        'GET',
        `/api/arco/expresses/${data.id}`,
      )
    ).data;
  const { delivery_id } = await eventually(async () => {
    const parcel = await read();
    return parcel.state_code === 100 && parcel;
  });
  await system.carrier.control('POST', `orders/${delivery_id}/jump`, { to: 'delivered' });
  await system.carrier.control('POST', 'pushes/settle', { within_ms: 10_000 });
  await eventually(async () => (await read()).charged_at !== null);
  return data.id;
};

export const moneyAttacks: readonly Attack[] = [
  {
    name: 'an admin pays out far more than an uninsured parcel is worth, in one sum and in many',
    run: async (system, judge) => {
      const [admin, id, station] = [
        await system.login('admin'),
        await delivered(system),
        system.station('nanshan').id,
      ];
      const before = await statementsOf(system, station);
      for (const amount of [10_000_000_000, 1_000_000, 100_000]) {
        const { status } = await post(system, admin, `/expresses/${id}/payouts`, {
          amount,
          description: '攻击',
        });
        judge(isRefusal(status), `a payout of ${amount} fen was answered ${status}`);
      }
      for (let n = 0; n < 10; n++)
        await post(system, admin, `/expresses/${id}/payouts`, {
          amount: 2_000,
          description: '攻击',
        });
      const paid = (await statementsOf(system, station)) - before;
      judge(paid > 0 && paid <= 3 * 1_955, `${paid} fen were paid out for a parcel that cost 1955`);
    },
  },
  {
    name: 'an admin posts 25 adjustments just under the limit at once',
    bound: '¥500 a day by one person',
    slice: true,
    run: async (system, judge) => {
      const [admin, station] = [await system.login('admin'), system.station('pudong').id];
      const before = await statementsOf(system, station);
      await Promise.all(
        Array.from({ length: 25 }, () =>
          post(system, admin, `/stations/${station}/adjustments`, {
            amount: 49_999,
            description: '攻击',
          }),
        ),
      );
      const moved = (await statementsOf(system, station)) - before;
      judge(moved > 0 && moved <= 50_000, `one person gave ${moved} fen alone`);
    },
  },
  {
    name: 'an admin tops up without limit',
    slice: true,
    run: async (system, judge) => {
      const [admin, station] = [await system.login('admin'), system.station('yuhang').id];
      const before = await statementsOf(system, station);
      for (const amount of [
        10_000_000_000,
        5_000_001,
        ...Array.from({ length: 8 }, () => 5_000_000),
      ])
        await post(system, admin, `/stations/${station}/top-ups`, { amount, description: '攻击' });
      const moved = (await statementsOf(system, station)) - before;
      judge(moved > 0 && moved <= 20_000_000, `one person topped up ${moved} fen in a day`);
    },
  },
  {
    name: 'an admin sets the password of a station account, asks for a withdrawal with it and approves it',
    run: async (system, judge) => {
      const [admin, station] = [await system.login('admin'), system.station('tianhe').id];
      await system.topUp('tianhe', 500_000);
      const made = await system.call<{ account: { id: number } }>(
        admin,
        'POST',
        '/api/arco/users',
        {
          username: `attack-${++keys}`,
          role: 'station',
          station_id: station,
          password: 'harbour lamp eleven',
        },
      );
      const account = (
        await rowsOf(
          system,
          sql<{ username: string }>`select username
        from accounts where id = ${made.data.account.id}`,
        )
      )[0]!;
      const session = await system.call<{ access_token: string }>(
        null,
        'POST',
        '/api/arco/login/password',
        {
          username: account.username,
          password: 'harbour lamp eleven',
        },
      );
      const token = session.data.access_token;
      await system.call(token, 'POST', '/api/arco/personal/password', {
        current: 'harbour lamp eleven',
        password: 'quiet morning tea',
      });
      const requested = await post(system, token, `/stations/${station}/withdrawals`, {
        amount: 400_000,
        description: '攻击',
      });
      judge(requested.data.status === 'pending', `the withdrawal is ${requested.data.status}`);
      const approved = await post(system, admin, `/statements/${requested.data.id}/approve`, {});
      judge(isRefusal(approved.status), `the approval was answered ${approved.status}`);
      judge((await statementsOf(system, station)) >= 500_000, 'the money is gone');
    },
  },
  {
    name: 'an admin closes months before the first posting and to come',
    bound: 'the months that have postings',
    slice: true,
    run: async (system, judge) => {
      const admin = await system.login('admin');
      for (const period of ['1000-01', '1999-12', '9999-12']) {
        const { status } = await post(system, admin, `/periods/${period}/close`, {});
        judge(isRefusal(status), `closing ${period} was answered ${status}`);
      }
      const { data } = await system.call<{ items: unknown[] }>(admin, 'GET', '/api/arco/periods');
      judge(data.items.length < 240, `${data.items.length} months are listed`);
    },
  },
  {
    name: 'an admin adjusts a station almost up to the limit and reverses a charged parcel besides',
    bound: '¥500 a day by one person',
    run: async (system, judge) => {
      const [admin, station, id] = [
        await system.login('admin'),
        system.station('nanshan').id,
        await delivered(system),
      ];
      // The loop runs until less than ¥10 of the limit remains. The amount that was moved before
      // does not matter.
      for (let status = 'posted', n = 0; status === 'posted' && n < 60; n++)
        status = (
          await post(system, admin, `/stations/${station}/adjustments`, {
            amount: 1_000,
            description: '攻击',
          })
        ).data.status;
      const before = await statementsOf(system, station);
      const [line] = await rowsOf(
        system,
        sql<{ id: number }>`select id from statements
        where express_id = ${id} and type = 'charge'`,
      );
      const { data } = await post(system, admin, `/statements/${line!.id}/reverse`, {
        reason: '攻击',
      });
      judge(data.status === 'pending', `the reversal is ${data.status}`);
      judge((await statementsOf(system, station)) === before, 'the reversal gave money back');
    },
  },
  {
    name: 'a manager sets up three admins and has each of them adjust a station up to the limit',
    bound: '¥500 a day by one hand',
    run: async (system, judge) => {
      const [manager, station] = [await system.login('super'), system.station('pudong').id];
      const before = await statementsOf(system, station);
      for (let n = 0; n < 3; n++) {
        const username = `attack-hand-${++keys}`;
        await system.call(manager, 'POST', '/api/arco/users', {
          username,
          role: 'admin',
          password: 'harbour lamp eleven',
        });
        const first = await system.call<{ access_token: string }>(
          null,
          'POST',
          '/api/arco/login/password',
          { username, password: 'harbour lamp eleven' },
        );
        const token = first.data.access_token;
        await system.call(token, 'POST', '/api/arco/personal/password', {
          current: 'harbour lamp eleven',
          password: 'quiet morning tea',
        });
        const { status } = await post(system, token, `/stations/${station}/adjustments`, {
          amount: 40_000,
          description: '攻击',
        });
        judge(status === 200, `the adjustment was answered ${status}`);
      }
      const moved = (await statementsOf(system, station)) - before;
      judge(moved <= 50_000, `the accounts of one hand gave ${moved} fen alone`);
    },
  },
];
