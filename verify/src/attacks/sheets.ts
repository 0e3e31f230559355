import { mostImportCellChars } from '@waystation/contract/base/limits.ts';
import { openImports } from '@waystation/server/testing/import-sheets.ts';
import type { TestImports } from '@waystation/server/testing/import-sheets.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { eventually, rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';

const lines = (imports: TestImports, count: number, changes = {}): string[][] =>
  Array.from({ length: count }, () => imports.line(changes));

const setStatus = async (system: TestSystem, username: string, status: 0 | 1): Promise<void> => {
  const [account] = await rowsOf(
    system,
    sql<{ id: number }>`select id from accounts
    where username = ${username}`,
  );
  await system.call(await system.login('super'), 'POST', `/api/arco/users/${account!.id}/status`, {
    status,
  });
};

export const sheetAttacks: readonly Attack[] = [
  {
    name: 'a clerk makes cells of 190,000 characters by replacing twice in all rows',
    bound: `${mostImportCellChars} characters a cell`,
    slice: true,
    run: async (system, judge) => {
      const clerk = await openImports(system);
      const { id } = await clerk.checked(
        clerk.sheet(...lines(clerk, 40, { 详细地址: 'a'.repeat(95) })),
      );
      const replace = async (find: string, value: string): Promise<void> => {
        const since = performance.now();
        const { status } = await clerk.call('POST', `/${id}/edits`, {
          version: (await clerk.get(id)).version,
          action: 'replace',
          find,
          value,
        });
        judge(status === 200 || isRefusal(status), `a replacement was answered ${status}`);
        judge(
          performance.now() - since < 20_000,
          `a replacement took ${Math.round(performance.now() - since)} ms`,
        );
        await clerk.settled(id);
      };
      await replace('a', 'a'.repeat(20));
      await replace('a', 'a'.repeat(2_000));
      await replace('aa', 'a'.repeat(200));
      await replace('a', 'aa');
      const [longest] = await rowsOf(
        system,
        sql<{ n: number }>`select max(length(t.text))::int as n
          from import_rows r, jsonb_each_text(r."values") t (name, text)
          where r.import_id = ${id}`,
      );
      judge(longest!.n <= mostImportCellChars, `a cell has ${longest!.n} characters`);
    },
  },
  {
    name: 'the office and a partner read whole phones in imports of other stations',
    slice: true,
    run: async (system, judge) => {
      const clerk = await openImports(system);
      const phone = '13812345678';
      const { id } = await clerk.checked(
        clerk.sheet(
          clerk.line({ 手机: phone }),
          clerk.line({ 手机: `${phone}9`, 详细地址: `示例路 1 号 请打 ${phone}` }),
        ),
      );
      for (const who of ['super', 'admin', 'partner']) {
        const reader = await openImports(system, who);
        const paths = [
          `/${id}`,
          '',
          `/${id}/rows`,
          `/${id}/rows?nos=1,2`,
          `/${id}/head`,
          `/${id}/failed.xlsx`,
        ];
        const answers = [
          ...(await Promise.all(paths.map((path) => reader.call('GET', path)))),
          await reader.call('POST', `/${id}/sample`, {}),
        ];
        judge(
          !answers.some(({ bytes }) => bytes.toString().includes(phone)),
          `${who} read the phone`,
        );
        for (const q of [phone, '1381', '5678', '138 1234', '１３８１２']) {
          const { data } = await reader.call<{ items: object[] }>(
            'GET',
            `/${id}/rows?q=${encodeURIComponent(q)}`,
          );
          judge(data.items.length === 0, `${who} found a row by ${q}`);
        }
        const { status } = await reader.call('POST', `/${id}/edits`, {
          version: (await clerk.get(id)).version,
          action: 'replace',
          find: '1381',
          value: '',
        });
        judge(isRefusal(status), `${who} counted phones by replacing their digits: ${status}`);
      }
    },
  },
  {
    name: 'an administrator reveals row after row of an import of another station',
    bound: '60 phones an hour',
    run: async (system, judge) => {
      const [clerk, admin] = [await openImports(system), await openImports(system, 'admin')];
      const { id } = await clerk.checked(clerk.sheet(...lines(clerk, 70)));
      await rowsOf(system, sql`delete from phone_searches`);
      let shown = 0;
      for (let no = 1; no <= 70; no++)
        if ((await admin.call('POST', `/${id}/rows/${no}/reveal`, {})).status === 200) shown++;
      judge(shown > 50 && shown <= 60, `${shown} rows were revealed`);
      await rowsOf(system, sql`delete from phone_searches`);
    },
  },
  {
    name: 'a clerk uploads large sheets without end, so that nobody else’s is read',
    bound: 'the sheet that is being read',
    run: async (system, judge) => {
      const [clerk, office] = [await openImports(system), await openImports(system, 'admin')];
      const large = (imports: TestImports) =>
        imports.sheet(...lines(imports, 15_000, { 详细地址: '路'.repeat(30) }));
      const own: number[] = [];
      for (let n = 0; n < 6; n++) own.push((await clerk.upload(large(clerk))).id);
      const keji = { station_id: String(system.station('keji').id) };
      const [small, beside] = [
        await office.upload(office.sheet(office.line()), keji),
        await office.upload(large(office), keji),
      ];
      const waiting = async (): Promise<number> => {
        const rows = await rowsOf(
          system,
          sql<{ n: number }>`select count(*)::int as n
          from imports where id = any(${own}::bigint[]) and status = 'reading'`,
        );
        return rows[0]!.n;
      };
      for (const [what, { id }, least] of [
        ['a small sheet', small, 3],
        ['a large sheet', beside, 2],
      ] as const) {
        await office.until(id, ({ status }) => status !== 'reading');
        const n = await waiting();
        judge(n >= least, `${what} of another station waited for all but ${n} of six`);
      }
      for (const id of own)
        await clerk.call('POST', `/${id}/cancel`, { version: (await clerk.get(id)).version });
    },
  },
  {
    name: 'a clerk who is disabled lets the import that runs order the rest',
    bound: 'the 50 rows whose transaction ends at that moment',
    run: async (system, judge) => {
      await system.topUp('nanshan', 10_000_000);
      const clerk = await openImports(system);
      const { id } = await clerk.checked(clerk.sheet(...lines(clerk, 300)));
      await clerk.confirm(await clerk.priced({ id }));
      const ordered = async (): Promise<{ n: number; status: string }> =>
        (
          await rowsOf(
            system,
            sql<{
              n: number;
              status: string;
            }>`select i.status, (select count(*)::int from import_rows r
              where r.import_id = i.id and r.mark = 'ordered') as n from imports i
              where id = ${id}`,
          )
        )[0]!;
      await eventually(async () => (await ordered()).n > 0);
      await setStatus(system, 'clerk', 0);
      const at = (await ordered()).n;
      await eventually(async () => (await ordered()).status === 'paused');
      const { n } = await ordered();
      judge(n < 300 && n <= at + 50, `${n - at} rows were ordered after the account was disabled`);
      await setStatus(system, 'clerk', 1);
    },
  },
];
