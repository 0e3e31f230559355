import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import { readTable } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: TestImports;
const readers: Record<string, TestImports> = {};
let id: number;
const phone = '13812345678';
const inRemark = '请打 138-9999-8888';
beforeAll(async () => {
  system = await openTestSystem();
  clerk = await openImports(system);
  for (const name of ['super', 'admin', 'partner', 'station'])
    readers[name] = await openImports(system, name);
  const found = await clerk.checked(
    clerk.sheet(
      clerk.line({ 手机: phone, 详细地址: `示例路 1 号 ${inRemark}` }),
      clerk.line({ 手机: `${phone}9` }),
    ),
  );
  id = found.id;
});
afterAll(() => system.close());

const foreign = ['super', 'admin', 'partner'];
const leaks = (text: string): string[] =>
  [phone, '138-9999-8888', '13899998888', '1234567', '9999'].filter((digits) =>
    text.includes(digits),
  );

describe('phones in an import of another station', () => {
  it.each(foreign)(
    'if %s reads an import of another station, no phone in its rows, first rows, sample or edited row is complete',
    async (who) => {
      const reader = readers[who]!;
      const read = await reader.call<{ items: ImportRow[] }>('GET', `/${id}/rows`);
      expect(read.status, JSON.stringify(read.data)).toBe(200);
      const version = read.data.items[0]!.version;
      const answers = [
        await reader.call('GET', `/${id}`),
        await reader.call('GET', ''),
        await reader.call('GET', `/${id}/rows`),
        await reader.call('GET', `/${id}/rows?nos=1,2`),
        await reader.call('GET', `/${id}/head`),
        await reader.call('POST', `/${id}/sample`, {}),
        await reader.call('PATCH', `/${id}/rows/1`, { version, values: { remark: who } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers.flatMap(({ data }) => leaks(JSON.stringify(data)))).toEqual([]);
      expect((answers[0]!.data as Import).phones_shown).toBe(0);
      expect(JSON.stringify(answers[2]!.data)).toContain('138****5678');
    },
  );

  it.each(foreign)(
    'a search or an edit by %s in another station’s import does not match digits of masked phones',
    async (who) => {
      const reader = readers[who]!;
      for (const q of [phone, '1381', '5678', '138 1234', '１３８１２', '8888'])
        expect(
          (
            await reader.call<{ items: ImportRow[] }>(
              'GET',
              `/${id}/rows?q=${encodeURIComponent(q)}`,
            )
          ).data.items,
        ).toEqual([]);
      expect(
        (
          await reader.call<{ items: ImportRow[] }>(
            'GET',
            `/${id}/rows?q=${encodeURIComponent('示例路')}`,
          )
        ).data.items,
      ).toHaveLength(2);
      const { version } = await reader.get(id);
      for (const edit of [
        { find: '1381' },
        { find: '1', field: 'receive_phone' },
        { find: '8888', field: 'receive_address' },
      ]) {
        const answer = await reader.call<FailureData>('POST', `/${id}/edits`, {
          version,
          action: 'replace',
          value: '',
          ...edit,
        });
        expect([answer.status, answer.data.fields?.['find']?.code]).toEqual([
          422,
          'import_find_masked',
        ]);
      }
    },
  );

  it.each(foreign)(
    'a masked row of another station’s import is revealed to %s with an entry in the audit log',
    async (who) => {
      const { data } = await readers[who]!.call<ImportRow>('POST', `/${id}/rows/1/reveal`, {});
      expect(data.values.receive_phone).toBe(phone);
      const entries = await rowsOf(
        system,
        sql`select 1 from audit_log where action = 'reveal' and subject = 'imports'
        and subject_id = ${id} and account_name = ${who}`,
      );
      expect(entries).toHaveLength(1);
    },
  );

  it('revealing an import row counts each of its phones, and is refused if a user’s revealed phones would exceed sixty an hour', async () => {
    const account = sql`(select id from accounts where username = 'admin')`;
    const learnt = sql`insert into phone_searches (account_id, hour, digest)
      select ${account}, date_trunc('hour', now()), 'test ' || n
      from generate_series(1, 60) n`;
    await rowsOf(system, sql`delete from phone_searches`);
    await rowsOf(system, learnt);
    const refused = await readers['admin']!.call<FailureData>('POST', `/${id}/rows/1/reveal`, {});
    expect([refused.status, refused.data.code, refused.data.params]).toMatchObject([
      429,
      'too_many_reveals',
      { limit: 60 },
    ]);
    await rowsOf(system, sql`delete from phone_searches`);
    expect((await readers['admin']!.call('POST', `/${id}/rows/1/reveal`, {})).status).toBe(200);
    expect(
      (
        await rowsOf(
          system,
          sql`select 1 from phone_searches
      where account_id = ${account}`,
        )
      ).length,
    ).toBeGreaterThan(0);
  });

  it('the file of another station’s unordered import rows masks phones, and accounts without the right to export cannot get the file', async () => {
    const download = async () => {
      const answer = await readers['partner']!.call<unknown>('GET', `/${id}/failed.xlsx`);
      return answer;
    };
    await rowsOf(system, sql`update accounts set may_export = 0 where username = 'partner'`);
    expect((await download()).status).toBe(403);
    await rowsOf(system, sql`update accounts set may_export = 1 where username = 'partner'`);
    const { status, data } = await download();
    expect(status).toBe(200);
    if (data instanceof Uint8Array) {
      const rows = await Array.fromAsync(readTable('xlsx', Buffer.from(data)));
      expect(leaks(JSON.stringify(rows))).toEqual([]);
    }
  });
});

describe('phones in an import of the user’s own station or account', () => {
  it.each(['station', 'clerk'])(
    'an import of the own station shows %s its phones and finds them',
    async (who) => {
      const reader = who === 'clerk' ? clerk : readers[who]!;
      const { data } = await reader.call<{ items: ImportRow[] }>('GET', `/${id}/rows?q=${phone}`);
      expect(data.items[0]!.values.receive_phone).toBe(phone);
      expect((await reader.get(id)).phones_shown).toBe(1);
    },
  );
});
