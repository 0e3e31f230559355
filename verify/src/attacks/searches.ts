import { exampleOrder } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';

const base = '/api/arco/expresses';
interface Found {
  items: object[];
  missing: string[];
}
const search = (system: TestSystem, token: string, q: string) =>
  system.call<Found>(token, 'GET', `${base}?q=${encodeURIComponent(q)}`);

const lists = [
  'expresses',
  'stations',
  'contacts',
  'statements',
  'audit',
  'users',
  'cargos',
  'merchants',
  'projects',
  'vouchers',
  'promises',
];

export const searchAttacks: readonly Attack[] = [
  {
    name: 'somebody searches every list for 800 letters',
    slice: true,
    run: async (system, judge) => {
      const office = await system.login('super');
      for (const list of lists)
        for (const q of ['深'.repeat(800), 'a'.repeat(800)]) {
          const { status } = await system.call(
            office,
            'GET',
            `/api/arco/${list}?q=${encodeURIComponent(q)}`,
          );
          judge(isRefusal(status), `${list} answered ${status} to 800 times ${q[0]}`);
        }
    },
  },
  {
    name: 'a clerk searches eighteen times at once for the longest name there may be',
    slice: true,
    run: async (system, judge) => {
      const [clerk, station] = [await system.login('clerk'), await system.login('station')];
      const names = Array.from({ length: 18 }, (_, at) =>
        String.fromCodePoint(...Array.from({ length: 100 }, (_, n) => 0x4e_00 + at * 100 + n)),
      );
      const hard = names.map((name) => search(system, clerk, name));
      const others = await Promise.all(
        ['expresses', 'contacts', 'statements'].map((list) =>
          system.call(station, 'GET', `/api/arco/${list}`),
        ),
      );
      for (const { status } of others)
        judge(status === 200, `a list of somebody else answered ${status} meanwhile`);
      for (const { status } of await Promise.all(hard))
        judge(status === 200 || status === 429 || status === 503, `a search answered ${status}`);
    },
  },
  {
    name: 'somebody pastes phone numbers to learn which of them ship with others',
    slice: true,
    run: async (system, judge) => {
      const [clerk, partner, office] = [
        await system.login('clerk'),
        await system.login('partner'),
        await system.login('super'),
      ];
      const phone = '13955550001';
      const order = exampleOrder({ draft: 1, receive_phone: phone });
      const { status } = await system.call(
        { token: clerk, headers: { 'idempotency-key': `attack-phones-${Date.now()}` } },
        'POST',
        base,
        order,
      );
      judge(status === 200, `the parcel to be looked for was answered ${status}`);
      for (const token of [partner, office])
        for (const q of [`${phone} 13955550002`, `${phone},JDVE00000000000`, `张三 ${phone}`]) {
          const { data } = await search(system, token, q);
          const revealed =
            data.items.length > 0 || (data.missing.length > 0 && !data.missing.includes(phone));
          judge(!revealed, `"${q}" told of a parcel of another station`);
        }
    },
  },
];
