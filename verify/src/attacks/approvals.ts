import { sql } from '@waystation/server/testing/product.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';
import { firstLogin, makeAccount } from './made-accounts.ts';

let keys = 0;
const post = <T>(system: TestSystem, token: string, path: string, body: object) =>
  system.call<T & { code?: string; status: string | number; id: number }>(
    { token, headers: { 'idempotency-key': `attack-approvals-${Date.now()}-${++keys}` } },
    'POST',
    `/api/arco${path}`,
    body,
  );
const deadlocks = async (system: TestSystem): Promise<number> => {
  await rowsOf(system, sql`select pg_stat_clear_snapshot()`);
  return (
    await rowsOf(
      system,
      sql<{ n: number }>`select deadlocks::int as n
    from pg_stat_database where datname = current_database()`,
    )
  )[0]!.n;
};

/** Creates administrators who have set their own passwords. Returns their tokens. */
const administrators = async (system: TestSystem, count: number): Promise<string[]> => {
  const manager = await system.login('super');
  const tokens: string[] = [];
  for (let n = 0; n < count; n++)
    tokens.push(
      await firstLogin(system, (await makeAccount(system, manager, { role: 'admin' })).data),
    );
  return tokens;
};

export const approvalAttacks: readonly Attack[] = [
  {
    name: 'four administrators approve one request at once, each of them twice',
    bound: 'one approval',
    slice: true,
    run: async (system, judge) => {
      const [station, people] = [await system.login('station'), await administrators(system, 4)];
      const { id } = system.station('nanshan');
      const money = async (): Promise<number> =>
        (
          await rowsOf(
            system,
            sql<{ money: number }>`select money
        from stations where id = ${id}`,
          )
        )[0]!.money;
      for (const kind of ['top-ups', 'withdrawals']) {
        await system.topUp('nanshan', 10_000);
        const request = await post(system, station, `/stations/${id}/${kind}`, {
          amount: 700,
          description: '攻击',
        });
        judge(request.data.status === 'pending', `the request is ${request.data.status}`);
        const before = await money();
        const answers = await Promise.all(
          [...people, ...people].map((token) =>
            post(system, token, `/statements/${request.data.id}/approve`, {}),
          ),
        );
        judge(
          answers.every(({ status }) => status < 500),
          `${kind} were answered ${answers.map(({ status }) => status).join(' ')}`,
        );
        judge(
          answers.filter(({ data }) => data.status === 'posted').length === 1,
          `${kind} were posted ${answers.filter(({ data }) => data.status === 'posted').length} times`,
        );
        judge(
          Math.abs((await money()) - before) === 700,
          `${Math.abs((await money()) - before)} fen were moved by a request for 700`,
        );
      }
    },
  },
  {
    name: 'an administrator tests a carrier account again and again while others open its push address',
    slice: true,
    run: async (system, judge) => {
      const office = await system.login('super');
      const before = await deadlocks(system);
      const calls = Array.from({ length: 12 }, (_, n) =>
        post(
          system,
          office,
          `/merchants/${system.network.merchant_id}/${n % 2 ? 'test' : 'push-address'}`,
          {},
        ),
      );
      const answers = await Promise.all(calls);
      judge(
        answers.every(({ status }) => status < 500),
        `the calls were answered ${answers.map(({ status }) => status).join(' ')}`,
      );
      judge((await deadlocks(system)) === before, 'the calls waited for each other');
    },
  },
];
