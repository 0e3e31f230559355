import {
  mostAccountsMadeInDay,
  mostOpenJobs,
  mostStationsMadeInDay,
  mostViews,
} from '@waystation/contract/base/limits.ts';
import { listenTo } from '@waystation/server/testing/event-client.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { exampleOrder, rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';
import { firstLogin, makeAccount } from './made-accounts.ts';

let count = 0;
const post = <T>(system: TestSystem, token: string, path: string, body: object) => {
  const key = { 'idempotency-key': `attack-ceilings-${Date.now()}-${++count}` };
  return system.call<T & { code: string }>(
    { token, headers: key },
    'POST',
    `/api/arco/${path}`,
    body,
  );
};

export const ceilingAttacks: readonly Attack[] = [
  {
    name: 'an administrator reveals phone after phone of other stations',
    bound: '60 phones an hour',
    run: async (system, judge) => {
      const [clerk, admin] = [await system.login('clerk'), await system.login('admin')];
      let shown = 0;
      for (let n = 0; n < 75; n++) {
        const { data } = await post<{ id: number }>(
          system,
          clerk,
          'expresses',
          exampleOrder({ draft: 1, receive_phone: `139777700${String(n).padStart(2, '0')}` }),
        );
        const { status } = await post(system, admin, `expresses/${data.id}/reveal`, {});
        if (status === 200) shown++;
        judge(
          status === 200 ? shown < 60 : status === 429,
          `reveal ${n + 1} was answered ${status}`,
        );
      }
    },
  },
  {
    name: 'somebody keeps views of invented lists, and views without end',
    bound: `${mostViews} views`,
    slice: true,
    run: async (system, judge) => {
      const token = await system.login('partner');
      const save = (list: string, title: string) =>
        post(system, token, 'views', { list, title, search: { tab: 'x'.repeat(4_000) } });
      for (const list of ['nothing', 'constructor', 'a'.repeat(40)])
        judge((await save(list, 'x')).status === 422, `a view of the list ${list} was kept`);
      const lists = ['expresses', 'statements', 'prints', 'audit', 'stations'];
      let kept = 0;
      for (let n = 0; n < 55 * lists.length; n++)
        if ((await save(lists[n % lists.length]!, `attack ${n}`)).status === 200) kept++;
      judge(kept <= mostViews, `${kept} views were kept`);
      await rowsOf(system, sql`delete from saved_views where title like 'attack %'`);
    },
  },
  {
    name: 'somebody starts bulk actions and exports without end',
    bound: `${mostOpenJobs} unfinished`,
    slice: true,
    run: async (system, judge) => {
      const token = await system.login('clerk');
      const { data } = await post<{ id: number }>(
        system,
        token,
        'expresses',
        exampleOrder({ draft: 1 }),
      );
      await system.worker.stop();
      const start = () =>
        post(system, token, 'expresses/bulk', { action: 'cancel', ids: [data.id], reason: '攻击' });
      const answers = await Promise.all(Array.from({ length: mostOpenJobs * 2 }, start));
      const started = answers.filter(({ status }) => status === 200).length;
      judge(started <= mostOpenJobs, `${started} jobs wait`);
      judge(
        answers.every(({ status, data: { code } }) => status === 200 || code === 'too_many_jobs'),
        'a refusal does not name the bound',
      );
      system.worker = await system.startWorker();
    },
  },
  {
    name: 'a partner makes accounts and stations without end, by itself and by the accounts it made',
    bound: `${mostAccountsMadeInDay} accounts and ${mostStationsMadeInDay} stations a day`,
    run: async (system, judge) => {
      const partner = await system.login('partner');
      const keji = { station_id: system.station('keji').id };
      const deputy = await makeAccount(system, partner, { role: 'station', ...keji });
      const tokens = [partner, await firstLogin(system, deputy.data)];
      let made = 1;
      for (let n = 0; n < mostAccountsMadeInDay + 10; n++)
        if ((await makeAccount(system, tokens[n % 2]!, keji)).status === 200) made++;
      judge(made === mostAccountsMadeInDay, `${made} accounts were made`);
      let stations = 0;
      for (let n = 0; n < mostStationsMadeInDay + 5; n++)
        if ((await post(system, partner, 'stations', { name: `攻击网点 ${n}` })).status === 200)
          stations++;
      judge(stations <= mostStationsMadeInDay, `${stations} stations were made`);
    },
  },
];

/**
 * The limits are so low that a test can reach all of them. Their proportions are the same as in
 * production.
 */
export const streamConfig = { streams: { perSession: 4, perAccount: 4, perManager: 8, total: 40 } };

export const streamAttacks: readonly Attack[] = [
  {
    name: 'a partner takes all live connections by the accounts that it made',
    bound: 'a fifth of a process’s connections',
    run: async (system, judge) => {
      const partner = await system.login('partner');
      const open = (token: string) => listenTo(`${system.url}/api/arco/events`, token, null);
      const streams: Awaited<ReturnType<typeof open>>[] = [];
      for (let n = 0; n < 12; n++) {
        const { data } = await makeAccount(system, partner, {
          station_id: system.station('keji').id,
        });
        const token = await firstLogin(system, data);
        for (let m = 0; m < 4; m++) streams.push(await open(token));
      }
      const taken = streams.filter(({ status }) => status === 200).length;
      judge(taken <= 8, `${taken} of 40 streams were taken`);
      for (const who of ['station', 'admin', 'clerk']) {
        const stream = await open(await system.login(who));
        judge(stream.status === 200, `${who} got no stream: ${stream.status}`);
        stream.close();
      }
      for (const stream of streams) stream.close();
    },
  },
];
