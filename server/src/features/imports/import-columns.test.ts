import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import, ImportValues } from '@waystation/contract/imports/import.ts';
import { openArchive } from '#domain/workbook/archive.ts';
import { readLimits } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

interface Sample {
  header_at: number;
  columns: { title: string }[];
  mapping: Import['mapping'];
  rows: { line: number; values: ImportValues; problems: unknown[] }[];
}
const sampled = async (id: number, question: object = {}): Promise<Sample> =>
  (await imports.call<Sample>('POST', `/${id}/sample`, question)).data;

let files = 0;
/**
 * A sheet with unknown column titles. The row above the titles looks more like titles, and no
 * column can be identified by its contents.
 */
const oddSheet = (): string =>
  [
    '姓名,电话,说明',
    '甲栏,乙栏,丙栏,丁栏',
    ...Array.from(
      { length: 3 },
      (_, at) => `示例 ${++files},1370000${1_000 + files},上海市浦东新区示例路 ${at} 号,2`,
    ),
  ].join('\n');
const mapping = { receive_name: 0, receive_phone: 1, receive_address: 2, weight: 3 };
const uploaded = async (text: string): Promise<Import> =>
  imports.settled((await imports.upload(new File([text], `表 ${++files}.csv`))).id);

describe('choosing the title row of an import', () => {
  it('after the user chooses another title row, the import is read again from the row after the title row', async () => {
    const { id, version, header_at } = await uploaded(oddSheet());
    expect(header_at).toBe(0);
    const { rows: head } = (
      await imports.call<{ rows: { line: number; cells: string[] }[] }>('GET', `/${id}/head`)
    ).data;
    expect(head.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, '姓名'],
      [2, '甲栏'],
      [3, expect.stringContaining('示例')],
      [4, expect.anything()],
      [5, expect.anything()],
    ]);
    const below = await sampled(id, { header_at: 1, mapping, defaults: { goods: '文件' } });
    expect(below).toMatchObject({
      header_at: 1,
      columns: [{ title: '甲栏' }, {}, {}, { title: '丁栏' }],
      mapping,
    });
    expect(
      below.rows.map(({ line, values, problems }) => [
        line,
        values.receive_city,
        values.goods,
        problems,
      ]),
    ).toEqual([3, 4, 5].map((line) => [line, '上海市', '文件', []]));
    // The import does not change until the choice is confirmed.
    expect(await imports.get(id)).toMatchObject({ version, header_at: 0 });
    const { status, data } = await imports.call('POST', `/${id}/mapping`, {
      version,
      header_at: 1,
      mapping,
      defaults: { goods: '文件' },
    });
    expect([status, data.status]).toEqual([200, 'reading']);
    expect(await imports.settled(id)).toMatchObject({
      status: 'ready',
      header_at: 1,
      rows_total: 3,
      counts: { ok: 3 },
      columns: [{ title: '甲栏' }, {}, {}, {}],
    });
    expect((await imports.rows(id)).map(({ no, line }) => [no, line])).toEqual([
      [1, 3],
      [2, 4],
      [3, 5],
    ]);
    // The title row is remembered: the next sheet of this kind is read below it at once.
    expect(await uploaded(oddSheet())).toMatchObject({
      status: 'ready',
      header_at: 1,
      mapping,
      defaults: { goods: '文件' },
      counts: { ok: 3 },
    });
  });

  it('if another title row is chosen, the import’s preview recognizes the street column like the import itself', async () => {
    const { id, version, header_at } = await uploaded(
      [
        '姓名,电话,说明',
        '甲栏,乙栏,丙栏,街道',
        '示例,13700001999,上海市浦东新区示例路 1 号,花木街道',
      ].join('\n'),
    );
    expect(header_at).toBe(0);
    const chosen = {
      mapping: { receive_name: 0, receive_phone: 1, receive_address: 2 },
      defaults: { goods: '文件', weight: '1' },
    };
    const { rows } = await sampled(id, { header_at: 1, ...chosen });
    await imports.call('POST', `/${id}/mapping`, { version, header_at: 1, ...chosen });
    expect(await imports.settled(id)).toMatchObject({ status: 'ready' });
    const [read] = await imports.rows(id);
    expect(read!.values.receive_address).toBe('花木街道示例路 1 号');
    expect(rows[0]!.values).toEqual(read!.values);
  });

  it('if the user states that an import has no title row, every row is read as a parcel', async () => {
    const { id, version } = await uploaded(
      ['示例甲,x,y', ...oddSheet().split('\n').slice(2)].join('\n'),
    );
    await imports.call('POST', `/${id}/mapping`, {
      version,
      header_at: -1,
      mapping,
      defaults: { goods: '文件' },
    });
    expect(await imports.settled(id)).toMatchObject({
      status: 'ready',
      header_at: -1,
      rows_total: 4,
    });
  });

  it('choosing a title row below an import’s first rows is refused, and so is any choice of a title row after a row was ordered', async () => {
    const { id, version } = await imports.checked(imports.sheet(imports.line()));
    const beyond = await imports.call<FailureData>('POST', `/${id}/mapping`, {
      version,
      mapping: { receive_name: 0, receive_phone: 1, receive_address: 5 },
      header_at: 40,
    });
    expect([beyond.status, beyond.data.fields]).toMatchObject([
      422,
      { header_at: { code: 'invalid' } },
    ]);
    const done = await imports.ordered({ id });
    await rowsOf(system, sql`update imports set status = 'ready' where id = ${id}`);
    const late = await imports.call<FailureData>('POST', `/${id}/mapping`, {
      version: done.version,
      mapping: done.mapping,
      header_at: -1,
    });
    expect([late.status, late.data.code]).toEqual([409, 'import_row_ordered']);
  });
});

describe('the remembered columns of imports', () => {
  const sheetOf = (...lines: string[]): Promise<Import> => uploaded(lines.join('\n'));
  const confirmed = async ({ id, version }: Import, chosen: object): Promise<Import> => {
    await imports.call('POST', `/${id}/mapping`, {
      version,
      mapping: chosen,
      defaults: { goods: '文件' },
    });
    return imports.settled(id);
  };

  it('the columns remembered from an earlier import are not used if the parentheses in the column titles differ', async () => {
    const row =
      '仓库甲,13900000099,上海市浦东新区世纪大道1号,示例,13700001888,广东省深圳市南山区示例路1号,1';
    const first = await sheetOf(
      '姓名(寄件人),电话(寄件人),地址(寄件人),姓名(收件人),电话(收件人),地址(收件人),重量',
      row,
    );
    const chosen = { receive_name: 3, receive_phone: 4, receive_address: 5, weight: 6 };
    await confirmed(first, chosen);
    const second = await sheetOf(
      '姓名(收件人),电话(收件人),地址(收件人),姓名(寄件人),电话(寄件人),地址(寄件人),重量',
      row,
    );
    expect(second.mapping).toMatchObject({
      receive_name: 0,
      receive_phone: 1,
      receive_address: 2,
      sender_name: 3,
    });
    // The same titles are recognised too if spaces and the width of characters differ.
    const again = await sheetOf(
      '姓名（寄件人）,电话（寄件人）,地址（寄件人）, 姓名(收件人),电话(收件人),地址(收件人),重量',
      row,
    );
    expect(again).toMatchObject({ mapping: chosen, defaults: { goods: '文件' } });
  });

  it('a remembered weight column is read in the unit that the column title of the new import contains', async () => {
    const weightOf = async (title: string): Promise<string | undefined> => {
      const found = await sheetOf(
        `收件人,手机,收件地址,物品,${title}`,
        '示例,13700001777,广东省深圳市南山区示例路1号,文件,9',
      );
      await confirmed(found, {
        receive_name: 0,
        receive_phone: 1,
        receive_address: 2,
        goods: 3,
        weight: 4,
      });
      return (await imports.rows(found.id))[0]!.values.weight;
    };
    expect([
      await weightOf('重量(kg)'),
      await weightOf('重量(g)'),
      await weightOf('重量(斤)'),
    ]).toEqual(['9', '0.009', '4.5']);
  });

  it('an import whose column titles are the same for two people asks for the columns, and remembers the choice', async () => {
    const lines = [
      '姓名,电话,地址,姓名,电话,地址,重量',
      '仓库甲,13900000099,上海市浦东新区世纪大道1号,示例,13700001666,广东省深圳市南山区示例路1号,1',
    ];
    const asked = await sheetOf(...lines);
    expect(asked).toMatchObject({
      status: 'mapping',
      reason: {
        code: 'import_columns_equal',
        params: { columns: 'A 姓名、B 电话、C 地址、D 姓名、E 电话、F 地址' },
      },
    });
    const chosen = { receive_name: 3, receive_phone: 4, receive_address: 5, weight: 6 };
    expect(await confirmed(asked, chosen)).toMatchObject({ status: 'ready' });
    expect((await imports.rows(asked.id))[0]!.values).toMatchObject({
      receive_phone: '13700001666',
      receive_address: '示例路1号',
    });
    expect(await sheetOf(...lines, lines[1]!)).toMatchObject({ status: 'ready', mapping: chosen });
  });
});

/** The XML of a part of a workbook. */
const partOf = async (file: Uint8Array, name: string): Promise<string> => {
  let text = '';
  for await (const piece of openArchive(Buffer.from(file), readLimits).open(name))
    text += piece.toString();
  return text;
};

/**
 * The columns of a template that have a drop-down list, each with the cell range of its choices.
 */
const listsOf = async (file: Uint8Array): Promise<(string | undefined)[][]> =>
  [
    ...(await partOf(file, 'xl/worksheets/sheet1.xml')).matchAll(
      /sqref="([A-Z]+)2:[A-Z]+10000"><formula1>([^<]+)</g,
    ),
  ].map(([, column, from]) => [column, from]);

/**
 * Cancels an import of the example rows, because their order numbers would give warnings in the
 * next import.
 */
const cancel = ({ id }: Pick<Import, 'id'>): Promise<unknown> =>
  imports.call('POST', `/${id}/cancel`, {});

describe('the import template', () => {
  it('the import template offers lists of the station’s choices in both languages, and its example rows can be ordered unchanged', async () => {
    const token = await system.login('clerk');
    const template = async (language: string): Promise<Uint8Array<ArrayBuffer>> => {
      const answer = await fetch(
        `${system.url}/api/arco/imports/template.xlsx?language=${language}`,
        { headers: { authorization: `Bearer ${token}` } },
      );
      expect(answer.status).toBe(200);
      return new Uint8Array(await answer.arrayBuffer());
    };
    const file = await template('zh');
    const lists = [
      ['C', 'choices!$A$1:$A$34'],
      // Columns D and E offer the cities of the row's province and the districts of the row's city.
      [
        'D',
        expect.stringMatching(
          /^OFFSET\(choices!\$B\$1,MATCH\(\$C2,choices!\$C\$1:\$C\$\d+,0\)-1,0,COUNTIF\(choices!\$C\$1:\$C\$\d+,\$C2\),1\)$/,
        ),
      ],
      [
        'E',
        expect.stringMatching(
          /^OFFSET\(choices!\$D\$1,MATCH\(\$C2&amp;&quot;\/&quot;&amp;\$D2,choices!\$E/,
        ),
      ],
      ['G', expect.stringMatching(/^choices!\$F\$1:\$F\$\d+$/)],
      ['J', expect.stringMatching(/^choices!\$G\$1:\$G\$\d+$/)],
    ];
    expect(await listsOf(file)).toEqual(lists);
    const choices = await partOf(file, 'xl/worksheets/sheet2.xml');
    for (const text of ['广东省', '深圳市', '广东省/深圳市', '文件', '京东标快'])
      expect(choices).toContain(`<t>${text}</t>`);
    const english = await template('en');
    expect(await listsOf(english)).toEqual(lists);
    expect(await partOf(english, 'xl/worksheets/sheet1.xml')).toContain('<t>Recipient phone</t>');
    const names = await rowsOf(
      system,
      sql<{ name: string }>`select promise_name_en as name
      from promises where promise_name = '京东标快'`,
    );
    expect(await partOf(english, 'xl/worksheets/sheet2.xml')).toContain(`<t>${names[0]!.name}</t>`);
    for (const [at, one] of [file, english].entries()) {
      const found = await imports.checked(new File([one], `模板 ${at}.xlsx`));
      expect(found).toMatchObject({
        status: 'ready',
        rows_total: 2,
        sheets: [{ hidden: 0 }],
        counts: { ok: 2 },
      });
      await cancel(found);
    }
  });

  it('the import template for administrators lists delivery times that some station can order, and its example rows can be ordered', async () => {
    await rowsOf(
      system,
      sql`insert into promises (provider, promise_id, promise_name, promise_name_en)
        values ('jdl', 'of-no-scheme', '无方案时效', 'Of no scheme')`,
    );
    const promises = await rowsOf(
      system,
      sql<{ promise_id: string; zh: string; en: string }>`select promise_id,
        promise_name as zh, promise_name_en as en from promises where status = 1`,
    );
    expect(promises.length).toBeGreaterThan(2);
    for (const username of ['super', 'admin'])
      for (const language of ['zh', 'en'] as const) {
        const answer = await fetch(
          `${system.url}/api/arco/imports/template.xlsx?language=${language}`,
          {
            headers: { authorization: `Bearer ${await system.login(username)}` },
          },
        );
        const file = new Uint8Array(await answer.arrayBuffer());
        expect((await listsOf(file)).map(([column]) => column)).toEqual(['C', 'D', 'E', 'G', 'J']);
        const choices = await partOf(file, 'xl/worksheets/sheet2.xml');
        for (const { promise_id, ...name } of promises)
          expect(choices.includes(`<t>${name[language]}</t>`), promise_id).toBe(
            promise_id !== 'of-no-scheme',
          );
        const found = await imports.checked(new File([file], `模板 ${username} ${language}.xlsx`));
        expect(found).toMatchObject({ status: 'ready', counts: { ok: 2 } });
        await cancel(found);
      }
  });
});
