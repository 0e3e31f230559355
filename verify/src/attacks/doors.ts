import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';

const login = '/api/arco/login/password';

export const doorAttacks: readonly Attack[] = [
  {
    name: 'credentials in a query string, which proxies write down',
    slice: true,
    run: async (system, judge) => {
      const password = system.app.config.demoPassword;
      const both = await system.call(null, 'POST', `${login}?username=clerk&password=${password}`, {});
      judge(isRefusal(both.status), `a login from the query alone was answered ${both.status}`);
      const token = await system.login('clerk');
      const inQuery = await system.call(null, 'GET', `/api/arco/personal?access_token=${token}`);
      judge(isRefusal(inQuery.status), `a token in the query was answered ${inQuery.status}`);
      const beside = await system.call(token, 'POST', '/api/arco/preferences?key=attack&value=1', {});
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
        judge(answer.headers.get('cache-control') === 'no-store', `${path} may be kept: ${answer.headers.get('cache-control')}`);
      }
    },
  },
  {
    name: 'a manager resets a password and takes the forced change off again',
    run: async (system, judge) => {
      const [office, clerk] = [await system.login('admin'), system.station('keji').clerks[0]!];
      const reset = await system.call<{ account: { version: number } }>(office, 'POST', `/api/arco/users/${clerk}/password`, {});
      const edit = await system.call(office, 'PATCH', `/api/arco/users/${clerk}`, { version: reset.data.account.version, must_change: 0 });
      judge(isRefusal(edit.status), `the forced change was taken off: ${edit.status}`);
    },
  },
  {
    name: 'a partner tells names of other trees from free ones',
    run: async (system, judge) => {
      const partner = await system.login('partner');
      const create = (name: string) => system.call<{ fields?: Record<string, { code: string }> }>(partner, 'POST', '/api/arco/stations', { name });
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
      const answer = await system.call(token, 'GET', '/api/arco/personal', undefined, { 'x-request-id': 'forged-by-client' });
      judge(answer.headers.get('x-request-id') !== 'forged-by-client', 'the request id is the client’s');
    },
  },
  {
    name: 'the stored secrets are sent to another spelling of the own machine',
    run: async (system, judge) => {
      const office = await system.login('super');
      const id = system.network.merchant_id;
      for (const base_url of ['http://127.0.0.1:1', 'http://127.1:1', 'http://0x7f.1:1', `http://127.0.0.2:${system.carrier.port}`]) {
        const { data } = await system.call<{ version: number }>(office, 'GET', `/api/arco/merchants/${id}`);
        const answer = await system.call(office, 'PATCH', `/api/arco/merchants/${id}`, { version: data.version, base_url });
        judge(isRefusal(answer.status), `${base_url} was taken`);
      }
    },
  },
];
