import { sql } from '@waystation/server/testing/product.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';
import { firstLogin, makeAccount } from './made-accounts.ts';

interface Try {
  username: string;
  password: string;
  address: string;
  cookie?: string | undefined;
}

/** Logs in from the given IP address. Returns the answer and its cookie. */
const logInFrom = async (
  system: TestSystem,
  { username, password, address, cookie }: Try,
): Promise<{ status: number; cookie: string | undefined; line: string }> => {
  const answer = await system.http.inject({
    method: 'POST',
    url: '/api/arco/login/password',
    payload: { username, password },
    remoteAddress: address,
    headers: cookie === undefined ? {} : { cookie },
  });
  const line = String(answer.headers['set-cookie'] ?? '');
  return { status: answer.statusCode, line, cookie: line === '' ? undefined : line.split(';')[0] };
};

const right = (system: TestSystem): string => system.app.config.demoPassword;
const clearFailures = (system: TestSystem): Promise<unknown> =>
  rowsOf(
    system,
    sql`delete
  from login_failures`,
  );

export const loginAttacks: readonly Attack[] = [
  {
    name: 'a stranger locks a clerk out of the clerk’s own browser',
    slice: true,
    run: async (system, judge) => {
      const own = await logInFrom(system, {
        username: 'clerk',
        password: right(system),
        address: '192.0.2.10',
      });
      for (let n = 0; n < 30; n++)
        await logInFrom(system, {
          username: 'clerk',
          password: `guess ${n}`,
          address: `198.51.100.${n}`,
        });
      const again = await logInFrom(system, {
        username: 'clerk',
        password: right(system),
        address: '192.0.2.10',
        cookie: own.cookie,
      });
      judge(again.status === 200, `the clerk's own browser was answered ${again.status}`);
      const stranger = await logInFrom(system, {
        username: 'clerk',
        password: right(system),
        address: '203.0.113.10',
      });
      judge(
        stranger.status === 429,
        `a stranger was not throttled after thirty wrong guesses: ${stranger.status}`,
      );
      await clearFailures(system);
    },
  },
  {
    name: 'a stranger gains tries by inventing browser ids',
    slice: true,
    run: async (system, judge) => {
      const checked: number[] = [];
      for (let n = 0; n < 20; n++) {
        const cookie = `waystation_browser=${`forged-${n}`.padEnd(43, 'x')}`;
        checked.push(
          (
            await logInFrom(system, {
              username: 'clerk',
              password: `guess ${n}`,
              address: `198.51.101.${n}`,
              cookie,
            })
          ).status,
        );
      }
      judge(
        checked.filter((status) => status === 400).length === 5,
        `of twenty guesses with invented ids ${checked.filter((status) => status === 400).length} were checked`,
      );
      await clearFailures(system);
    },
  },
  {
    name: 'a colleague guesses a manager’s password with the id of the colleague’s own browser',
    run: async (system, judge) => {
      const own = await logInFrom(system, {
        username: 'clerk',
        password: right(system),
        address: '192.0.2.11',
      });
      const checked: number[] = [];
      for (let n = 0; n < 20; n++)
        checked.push(
          (
            await logInFrom(system, {
              username: 'station',
              password: `guess ${n}`,
              address: `198.51.102.${n}`,
              cookie: own.cookie,
            })
          ).status,
        );
      judge(
        checked.filter((status) => status === 400).length === 5,
        `of twenty guesses ${checked.filter((status) => status === 400).length} were checked`,
      );
      await clearFailures(system);
    },
  },
  {
    name: 'a colleague who shares the clerk’s browser resets the count by logging in to an own account between guesses',
    run: async (system, judge) => {
      const address = '192.0.2.13';
      let { cookie } = await logInFrom(system, {
        username: 'clerk',
        password: right(system),
        address,
      });
      let checked = 0;
      for (let n = 0; n < 20; n++) {
        cookie = (
          await logInFrom(system, { username: 'station', password: right(system), address, cookie })
        ).cookie;
        if (
          (await logInFrom(system, { username: 'clerk', password: `guess ${n}`, address, cookie }))
            .status === 400
        )
          checked++;
      }
      judge(checked === 5, `of twenty guesses ${checked} were checked`);
      await clearFailures(system);
    },
  },
  {
    name: 'a script reads the browser id, or another site sends it',
    run: async (system, judge) => {
      const { line } = await logInFrom(system, {
        username: 'clerk',
        password: right(system),
        address: '192.0.2.12',
      });
      judge(/; HttpOnly/i.test(line) && /; SameSite=Strict/i.test(line), `the cookie is "${line}"`);
      const value = line.split(';')[0]!.split('=')[1] ?? '';
      const stored = await rowsOf(
        system,
        sql<{ n: number }>`select count(*) as n
        from known_browsers b where b::text like ${`%${value}%`}`,
      );
      judge(value !== '' && stored[0]!.n === 0, 'the id itself is stored');
    },
  },
  {
    name: 'a stranger guesses from many addresses of one IPv6 network',
    bound: '10 guesses in 15 minutes',
    slice: true,
    run: async (system, judge) => {
      const checked = async (addressOf: (n: number) => string): Promise<number> => {
        let count = 0;
        for (let n = 0; n < 14; n++) {
          const { status } = await logInFrom(system, {
            username: `nobody-${n}`,
            password: 'guess',
            address: addressOf(n),
          });
          if (status === 400) count++;
        }
        await clearFailures(system);
        return count;
      };
      const inNetwork = await checked((n) => `2001:db8:1:2::${(n * 997 + 1).toString(16)}`);
      judge(inNetwork === 10, `${inNetwork} guesses from one /64 were checked`);
      const elsewhere = await checked((n) => `2001:db8:${n + 1}:2::1`);
      judge(elsewhere === 14, `${elsewhere} of 14 people in networks of their own were checked`);
    },
  },
  {
    name: 'somebody at an unlocked screen guesses the code while two-factor authentication is set up',
    bound: '5 codes in 15 minutes',
    slice: true,
    run: async (system, judge) => {
      const manager = await system.login('super');
      const { data } = await makeAccount(system, manager, {
        role: 'station',
        station_id: system.station('keji').id,
      });
      const token = await firstLogin(system, data);
      const post = (path: string, body: object) =>
        system.call<{ code: string }>(
          token,
          'POST',
          `/api/arco/personal/second-factor/${path}`,
          body,
        );
      judge(
        (await post('start', { password: data.password })).status === 200,
        'the set-up does not start',
      );
      let checked = 0;
      for (let n = 0; n < 20; n++)
        if ((await post('confirm', { otp: String(n).padStart(6, '0') })).status !== 429) checked++;
      judge(checked === 5, `${checked} codes were checked`);
      await clearFailures(system);
    },
  },
];
