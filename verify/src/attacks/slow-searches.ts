import { exampleOrder } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';

interface Found {
  items: { id: number }[];
  missing: string[];
}
const search = (system: TestSystem, token: string, q: string) =>
  system.call<Found>(token, 'GET', `/api/arco/expresses?q=${encodeURIComponent(q)}`);

/** Orders a parcel from the clerk's station to this phone number. Returns the parcel's id. */
const parcelTo = async (system: TestSystem, receive_phone: string): Promise<number> => {
  const clerk = await system.login('clerk');
  const body = exampleOrder({ draft: 1, receive_phone });
  return (
    await system.call<{ id: number }>(
      { token: clerk, headers: { 'idempotency-key': `attack-${receive_phone}` } },
      'POST',
      '/api/arco/expresses',
      body,
    )
  ).data.id;
};

const slowest = 5_000;

export const slowSearchAttacks: readonly Attack[] = [
  {
    name: 'a clerk searches for words of 40, 100 and 800 Chinese characters and for 5,000 numbers',
    run: async (system, judge) => {
      const clerk = await system.login('clerk');
      for (const [what, q, taken] of [
        ['40 characters', '广东深圳南山示例科技'.repeat(4), true],
        ['100 characters', '深'.repeat(100), true],
        ['101 characters', '深'.repeat(101), false],
        ['800 letters', 'ab'.repeat(400), false],
        [
          '5,000 numbers',
          Array.from({ length: 5_000 }, (_, n) => `JD${n + 10_000}`).join(' '),
          false,
        ],
      ] as const) {
        const since = performance.now();
        const { status } = await search(system, clerk, q);
        judge(taken ? status === 200 : isRefusal(status), `${what} were answered ${status}`);
        judge(
          performance.now() - since < slowest,
          `${what} took ${Math.round(performance.now() - since)} ms`,
        );
      }
    },
  },
  {
    name: 'a clerk sends 60 searches at once, so that nobody else is answered',
    run: async (system, judge) => {
      const [clerk, station] = [await system.login('clerk'), await system.login('station')];
      const storm = Array.from({ length: 60 }, (_, n) =>
        search(system, clerk, `${'深圳南山'.repeat(20)}${n}`),
      );
      for (let n = 0; n < 10; n++) {
        const { status } = await system.call(station, 'GET', '/api/arco/expresses');
        judge(status === 200, `a colleague's list was answered ${status}`);
      }
      for (const { status } of await Promise.all(storm))
        judge(status === 200 || status === 429, `a search of the storm was answered ${status}`);
    },
  },
];

export const phoneAttacks: readonly Attack[] = [
  {
    name: 'a partner pastes a list of phones to learn whose parcels go to them',
    run: async (system, judge) => {
      const own = await parcelTo(system, '13911117001');
      const pasted = '13911117001 13911117002 13911117003';
      for (const who of ['partner', 'admin', 'super']) {
        const { data } = await search(system, await system.login(who), pasted);
        judge(data.items.length === 0, `${who} was answered ${data.items.length} parcels`);
        judge(data.missing.length === 3, `${who} learns from missing: ${data.missing.join(' ')}`);
      }
      const { data } = await search(system, await system.login('clerk'), pasted);
      judge(
        data.items.some(({ id }) => id === own),
        'the station does not find its own parcel any more',
      );
    },
  },
  {
    name: 'a partner asks for one phone after another',
    run: async (system, judge) => {
      const partner = await system.login('partner');
      let heard = 0;
      for (let n = 0; n < 70; n++)
        if ((await search(system, partner, `139222${String(n).padStart(5, '0')}`)).status === 200)
          heard++;
      judge(heard === 60, `${heard} of 70 different phones were looked up within an hour`);
      const { data } = await system.call<{ total: number }>(
        await system.login('super'),
        'GET',
        `/api/arco/audit/counts?action=search_phone&account_name=partner&at_from=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}`,
      );
      judge(data.total >= 60, `${data.total} of the searches stand in the audit log`);
    },
  },
];
