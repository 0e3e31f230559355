import { sql } from '@waystation/server/testing/product.ts';
import { eventually } from '@waystation/server/testing/test-system.ts';
import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';
import { makeAccount } from './made-accounts.ts';

const login = '/api/arco/login/password';

export const doorAttacks: readonly Attack[] = [
  {
    name: 'credentials in a query string, which proxies write down',
    slice: true,
    run: async (system, judge) => {
      const password = system.app.config.demoPassword;
      const both = await system.call(
        null,
        'POST',
        `${login}?username=clerk&password=${password}`,
        {},
      );
      judge(isRefusal(both.status), `a login from the query alone was answered ${both.status}`);
      const token = await system.login('clerk');
      const inQuery = await system.call(null, 'GET', `/api/arco/personal?access_token=${token}`);
      judge(isRefusal(inQuery.status), `a token in the query was answered ${inQuery.status}`);
      const beside = await system.call(
        token,
        'POST',
        '/api/arco/preferences?key=attack&value=1',
        {},
      );
      judge(isRefusal(beside.status), `a change from the query was answered ${beside.status}`);
    },
  },
  {
    name: 'answers of the API read again from a cache',
    slice: true,
    run: async (system, judge) => {
      const token = await system.login('station');
      for (const [method, path, who] of [
        ['GET', '/api/arco/personal', token],
        ['GET', '/api/arco/expresses', token],
        ['GET', '/api/arco/expresses/999999999', token],
        ['GET', '/api/arco/personal', null],
        ['GET', '/api/none', null],
      ] as const) {
        const answer = await system.call(who, method, path);
        judge(
          answer.headers.get('cache-control') === 'no-store',
          `${path} may be kept: ${answer.headers.get('cache-control')}`,
        );
      }
    },
  },
  {
    name: 'a manager resets a password and takes the forced change off again',
    run: async (system, judge) => {
      const [office, clerk] = [await system.login('admin'), system.station('keji').clerks[0]!];
      const reset = await system.call<{ account: { version: number } }>(
        office,
        'POST',
        `/api/arco/users/${clerk}/password`,
        {},
      );
      const edit = await system.call(office, 'PATCH', `/api/arco/users/${clerk}`, {
        version: reset.data.account.version,
        must_change: 0,
      });
      judge(isRefusal(edit.status), `the forced change was taken off: ${edit.status}`);
    },
  },
  {
    name: 'a partner tells names of other trees from free ones',
    run: async (system, judge) => {
      const partner = await system.login('partner');
      const create = (name: string) =>
        system.call<{ fields?: Record<string, { code: string }> }>(
          partner,
          'POST',
          '/api/arco/stations',
          { name },
        );
      const [foreign, own] = [await create('示例上海浦东站'), await create('示例深圳南山站')];
      judge(
        isRefusal(foreign.status) && foreign.data.fields?.['name']?.code === 'name_unavailable',
        `a foreign name was told by ${JSON.stringify(foreign.data)}`,
      );
      judge(isRefusal(own.status), `a change of the own name was answered ${own.status}`);
    },
  },
  {
    name: 'a client writes a request id of its own into the log and the audit',
    run: async (system, judge) => {
      const token = await system.login('clerk');
      const answer = await system.call(
        { token, headers: { 'x-request-id': 'forged-by-client' } },
        'GET',
        '/api/arco/personal',
      );
      judge(
        answer.headers.get('x-request-id') !== 'forged-by-client',
        'the request id is the client’s',
      );
    },
  },
  {
    name: 'the stored secrets are sent to another spelling of the own machine',
    run: async (system, judge) => {
      const office = await system.login('super');
      const id = system.network.merchant_id;
      for (const base_url of [
        'http://127.0.0.1:1',
        'http://127.1:1',
        'http://0x7f.1:1',
        `http://127.0.0.2:${system.carrier.port}`,
      ]) {
        const { data } = await system.call<{ version: number }>(
          office,
          'GET',
          `/api/arco/merchants/${id}`,
        );
        const answer = await system.call(office, 'PATCH', `/api/arco/merchants/${id}`, {
          version: data.version,
          base_url,
        });
        judge(isRefusal(answer.status), `${base_url} was taken`);
      }
    },
  },
  {
    name: 'a colleague at the same browser asks for the key of what waits there for somebody else',
    slice: true,
    run: async (system, judge) => {
      const keyOf = async (token: string): Promise<string> =>
        (await system.call<{ storage_key: string }>(token, 'GET', '/api/arco/personal')).data
          .storage_key;
      const [clerk, again, station, office] = [
        await system.login('clerk'),
        await system.login('clerk'),
        await system.login('station'),
        await system.login('super'),
      ];
      const key = await keyOf(clerk);
      judge(
        key.length === 64 && key === (await keyOf(again)),
        'the key is another one at the next login',
      );
      judge(
        key !== (await keyOf(station)) && key !== (await keyOf(office)),
        'two accounts have one key',
      );
      const { id } = (await system.call<{ id: number }>(clerk, 'GET', '/api/arco/personal')).data;
      for (const [who, token] of [
        ['the station', station],
        ['the office', office],
      ] as const)
        for (const path of [
          '/api/arco/personal',
          `/api/arco/personal?account_id=${id}`,
          `/api/arco/users/${id}`,
          '/api/arco/users',
          '/api/arco/audit',
        ])
          judge(
            !(await system.call(token, 'GET', path)).bytes.toString().includes(key),
            `${who} read the key from ${path}`,
          );
      await system.call(again, 'POST', '/api/arco/logout', {});
      judge(
        (await system.call(again, 'GET', '/api/arco/personal')).status === 401,
        'a session that ended still gets the key',
      );
    },
  },
  {
    name: 'a partner enables what the office disabled, by itself, in bulk, and by undoing the office’s entry',
    slice: true,
    run: async (system, judge) => {
      const [partner, office] = [await system.login('partner'), await system.login('admin')];
      let count = 0;
      const post = <T>(token: string, path: string, body: object = {}) =>
        system.call<T>(
          { token, headers: { 'idempotency-key': `attack-undo-${Date.now()}-${++count}` } },
          'POST',
          `/api/arco${path}`,
          body,
        );
      const inBulk = async (action: string, id: number): Promise<void> => {
        const { data: job } = await post<{ job_id: number }>(partner, '/stations/bulk', {
          action,
          ids: [id],
        });
        const open = sql`select 1 from user_jobs where id = ${job.job_id}
          and status in ('queued', 'running')`;
        await eventually(async () => (await system.rows(open)).length === 0);
      };
      const { data: station } = await post<{ id: number }>(partner, '/stations', {
        name: `攻击停用 ${Date.now()}`,
      });
      const { data } = await makeAccount(system, partner, {
        station_id: system.station('keji').id,
      });
      const account = data.account.id;
      const [before] = await system.rows(sql<{ id: number }>`select max(id) as id
        from audit_log`);
      // Makes an audit entry of the partner. The partner may undo this entry, but not the
      // administrator's entry.
      await inBulk('disable', station.id);
      judge(
        (await post(office, `/stations/${station.id}/status`, { status: 0 })).status === 200,
        'the office does not disable the station',
      );
      judge(
        (await post(office, `/users/${account}/status`, { status: 0 })).status === 200,
        'the office does not disable the account',
      );
      const entries = await system.rows(sql<{ id: number }>`select id from audit_log
        where id > ${before!.id} and action like '%disable'`);
      judge(entries.length >= 3, `only ${entries.length} entries were written`);
      for (const { id } of entries) await post(partner, `/audit/${id}/undo`);
      await post(partner, `/stations/${station.id}/status`, { status: 1, with_children: 1 });
      await post(partner, `/users/${account}/status`, { status: 1 });
      await inBulk('enable', station.id);
      const [now] = await system.rows(
        sql<{
          station: number;
          account: number;
        }>`select (select status from stations where id = ${station.id}) as station,
          (select status from accounts where id = ${account}) as account`,
      );
      judge(now!.station === 0, 'the station is enabled');
      judge(now!.account === 0, 'the account is enabled');
    },
  },
];
