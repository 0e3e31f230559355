import { describe, expect, it } from 'vitest';
import type { PriceList, PriceListChoices } from '@waystation/contract/money/price-list.ts';
import { workbookOf, zipOf } from '#testing/workbooks.ts';
import { readPriceList } from './price-sheets.ts';

type Rows = readonly (readonly string[])[];

const csv = (rows: Rows): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
const open = { first_g: null, step_g: null, up_to_g: null };
const withTop: PriceListChoices = { sheets: [], ...open, up_to_g: 50_000 };
const read = (file: string | Buffer, choices: PriceListChoices | null = null): Promise<PriceList> =>
  readPriceList(
    { name: typeof file === 'string' ? '报价.csv' : '报价.xlsx', bytes: Buffer.from(file) },
    choices,
    { language: 'zh', isBusy: () => false },
  );
const list = (rows: Rows, choices: PriceListChoices | null = withTop): Promise<PriceList> =>
  read(csv(rows), choices);

/** Maps each province to its first weight, first price, brackets and minimum as short text. */
const pricesOf = ({ zones }: PriceList): Record<string, string> =>
  Object.fromEntries(
    (zones ?? []).flatMap(({ zone, has_minimum }) =>
      zone.areas.map((area) => [
        area.slice(0, 2),
        zone.not_served
          ? 'closed'
          : [
              `${zone.first.max_g}:${zone.first.price}`,
              ...zone.brackets.map((each) => `${each.up_to_g}/${each.step_g}:${each.price}`),
              ...(has_minimum ? [`min ${zone.minimum}`] : []),
            ].join(' '),
      ]),
    ),
  );
const problemsOf = ({ problems }: PriceList) =>
  problems.map(({ sheet, line, column, reason }) => [sheet, line, column, reason.code]);
const needsOf = async (rows: Rows, choices: PriceListChoices | null = null) =>
  (await list(rows, choices)).needs;

const column = (letter: number, line: number): string =>
  `${String.fromCodePoint(65 + letter)}${line}`;
/**
 * The XML of a cell. A text that begins with "=" becomes a formula, and the text after "→" is its
 * result.
 */
const cellXml = (text: string, at: string): string => {
  if (!text.startsWith('=')) return `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const [formula, result] = text.slice(1).split('→');
  return `<c r="${at}"><f>${formula}</f>${result === undefined ? '' : `<v>${result}</v>`}</c>`;
};
const sheetXml = (rows: Rows, merged = ''): string =>
  `<worksheet><sheetData>${rows
    .map(
      (cells, line) =>
        `<row r="${line + 1}">${cells.map((text, at) => cellXml(text, column(at, line + 1))).join('')}</row>`,
    )
    .join(
      '',
    )}</sheetData>${merged === '' ? '' : `<mergeCells><mergeCell ref="${merged}"/></mergeCells>`}</worksheet>`;
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
const workbook = (sheets: Readonly<Record<string, string>>): Buffer => {
  const names = Object.keys(sheets);
  return zipOf({
    ...workbookOf('<worksheet/>'),
    'xl/workbook.xml': Buffer.from(
      `<workbook><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': Buffer.from(
      `<Relationships>${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${relation}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((xml, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        Buffer.from(xml),
      ]),
    ),
  });
};

describe('reading a price list in another layout', () => {
  it('a price list with columns of first and further weights is read in any column order, with groups of provinces', async () => {
    const found = await list([
      ['2027 年报价'],
      ['续重价（元/kg）', '首重价（元）', '目的地', '首重（kg）', '续重（kg）', '备注'],
      ['1.5', '8', '广东、广西，海南', '1', '0.5', ''],
      ['2', '¥10', '江浙沪', '1', '1', '含乡镇'],
      ['3元/kg', '12元', '内蒙', '1', '1', ''],
      ['', '不送达', '西藏', '', '', ''],
      ['', '', '以上价格不含保价费', '', '', ''],
    ]);
    expect(found.needs).toEqual([]);
    expect(pricesOf(found)).toEqual({
      15: '1000:1200 50000/1000:300',
      31: '1000:1000 50000/1000:200',
      32: '1000:1000 50000/1000:200',
      33: '1000:1000 50000/1000:200',
      44: '1000:800 50000/500:150',
      45: '1000:800 50000/500:150',
      46: '1000:800 50000/500:150',
      54: 'closed',
    });
    expect(found.rows).toBe(4);
  });

  it('a price list may have the weights in its column titles, and the minimum charge and the weight limit in separate columns', async () => {
    const found = await list(
      [
        ['省份', '首重1kg（元）', '续重1kg（元）', '上限（kg）', '最低收费'],
        ['北京市', '10', '2', '30', '12'],
        ['天津', '10', '2', '30', '-'],
      ],
      null,
    );
    expect(pricesOf(found)).toEqual({
      11: '1000:1000 30000/1000:200 min 1200',
      12: '1000:1000 30000/1000:200 min 0',
    });
  });

  it('prices for whole weight ranges in a price list become weight brackets that add up to the same prices', async () => {
    const found = await list(
      [
        ['收件省份', '0-1kg', '1-3kg 整段', '3-5公斤'],
        ['四川', '8', '11', '15'],
      ],
      {
        ...withTop,
        sheets: [
          { index: 0, used: 1, header_at: 0, roles: ['province', 'range', 'range', 'range'] },
        ],
      },
    );
    expect(pricesOf(found)).toEqual({ 51: '1000:800 3000/2000:300 5000/2000:400' });
  });

  it('each weight range of a price list has its own price per step, also the last range without an upper limit', async () => {
    const found = await list([
      ['Destination', 'First weight 1kg price', '1-10kg per kg', '10kg以上 元/kg'],
      ['Sichuan', '9', '2', '1.5'],
      ['Inner Mongolia', '12', '3', '2.5'],
    ]);
    expect(found.needs).toEqual([]);
    expect(pricesOf(found)).toEqual({
      15: '1000:1200 10000/1000:300 50000/1000:250',
      51: '1000:900 10000/1000:200 50000/1000:150',
    });
  });

  it('province names without separators and known abbreviations in a price list are read, and ambiguous names are reported', async () => {
    const titles = ['地区', '首重1kg价格', '续重价/kg'];
    const found = await list([
      titles,
      ['粤桂琼', '8', '1'],
      ['江苏浙江上海', '9', '2'],
      ['京津冀', '10', '2'],
      ['东三省', '11', '3'],
      ['黑龙江以外', '1', '1'],
      ['东北', '1', '1'],
      ['全国', '1', '1'],
    ]);
    expect(problemsOf(found)).toEqual([
      ['', 6, 'A', 'price_list_province'],
      ['', 7, 'A', 'price_list_province'],
      ['', 8, 'A', 'price_list_province'],
    ]);
    expect(found.zones).toBeNull();
  });

  it('the sheets of a price list are read together; a merged cell counts for each of its rows; a sheet without prices is left out', async () => {
    const found = await read(
      workbook({
        说明: sheetXml([['本报价自 2027 年起执行']]),
        近区: sheetXml(
          [
            ['省份', '首重价1kg', '续重价1kg'],
            ['广东', '8', '1'],
            ['广西', '', ''],
          ],
          'B2:B3',
        ),
        远区: sheetXml([
          ['续重价1kg', '省份', '首重价1kg'],
          ['3', '新疆', '=10+5→15'],
        ]),
      }),
      withTop,
    );
    expect(found.sheets.map(({ name, used }) => [name, used])).toEqual([
      ['说明', 0],
      ['近区', 1],
      ['远区', 1],
    ]);
    expect(problemsOf(found)).toEqual([['近区', 3, 'C', 'price_sheet_missing']]);
  });

  it('a formula in a price list is read by its stored result; a formula without a result is reported with its sheet, row and column', async () => {
    const rows = (result: string) => [
      ['省份', '首重价1kg', '续重价1kg'],
      ['新疆', `=10+5${result}`, '3'],
    ];
    const counted = await read(workbook({ 远区: sheetXml(rows('→15')) }), withTop);
    expect(pricesOf(counted)).toEqual({ 65: '1000:1500 50000/1000:300' });
    const empty = await read(workbook({ 远区: sheetXml(rows('')) }), withTop);
    expect(problemsOf(empty)).toEqual([['远区', 2, 'B', 'price_sheet_missing']]);
  });
});

describe('questions about an unclear price list', () => {
  it('the user is asked about a price list’s column title that has two meanings, and about two columns with the same meaning', async () => {
    const found = await list(
      [
        ['省份', '首重', '续重'],
        ['北京', '8', '2'],
      ],
      null,
    );
    expect(found.needs).toContain('column');
    expect(found.sheets[0]?.columns.map(({ role, asked }) => [role, asked])).toEqual([
      ['province', []],
      [null, ['first_weight', 'first_price']],
      [null, ['step_weight', 'step_price']],
    ]);
    const twice = await list(
      [
        ['省份', '首重价（普通）', '首重价（会员）'],
        ['北京', '8', '7'],
      ],
      null,
    );
    expect(twice.sheets[0]?.columns.map(({ role, asked }) => [role, asked])).toEqual([
      ['province', []],
      [null, ['first_price']],
      [null, ['first_price']],
    ]);
    expect(twice.zones).toBeNull();
  });

  it('a price list is read with the column meanings that the user chose, and the user must enter the weights that no column has', async () => {
    const rows = [
      ['省份', '首重', '续重'],
      ['北京', '8', '2'],
    ];
    const roles = ['province', 'first_price', 'step_price'] as const;
    const choices = {
      ...open,
      sheets: [{ index: 0, used: 1 as const, header_at: 0, roles: [...roles] }],
    };
    expect(await needsOf(rows, choices)).toEqual(['first_g', 'step_g', 'up_to_g']);
    const found = await list(rows, { ...choices, first_g: 500, step_g: 500, up_to_g: 20_000 });
    expect(pricesOf(found)).toEqual({ 11: '500:800 20000/500:200' });
    expect(
      await needsOf(rows, {
        ...choices,
        sheets: [
          { index: 0, used: 1, header_at: 0, roles: ['province', 'first_price', 'first_price'] },
        ],
      }),
    ).toContain('column');
  });

  it('the user is asked about a price list’s weight ranges that have a gap, overlap, or end above the chosen top weight', async () => {
    const titles = ['省份', '0-1kg', '2-3kg续重/kg'];
    expect(await needsOf([titles, ['北京', '8', '2']])).toEqual(['ranges']);
    expect(
      await needsOf([
        ['省份', '首重价1kg', '0-1kg'],
        ['北京', '8', '2'],
      ]),
    ).toEqual(['ranges']);
    expect(
      await needsOf(
        [
          ['省份', '0-3kg', '3kg以上/kg'],
          ['北京', '8', '2'],
        ],
        { ...withTop, up_to_g: 2_000 },
      ),
    ).toEqual(['up_to_g']);
  });

  it('a price list’s sheet without provinces is not read until a person chooses', async () => {
    expect(
      await needsOf([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toEqual(['sheet']);
    expect(
      await needsOf(
        [
          ['a', 'b'],
          ['1', '2'],
        ],
        {
          ...open,
          sheets: [{ index: 0, used: 1, header_at: 0, roles: [null, 'first_price'] }],
        },
      ),
    ).toEqual(['province', 'first_g']);
  });
});

describe('an invalid or oversized price list', () => {
  it('a price in words, a negative price and a step that does not fit are reported, each with its row and column in the price list', async () => {
    const found = await list([
      ['省份', '首重（kg）', '首重价', '续重（kg）', '续重价'],
      ['北京', '1', '八元', '1', '2'],
      ['天津', '一公斤', '8', '1', '-2'],
      ['河北', '1', '8', '3', '2'],
      ['', '1', '8', '1', '2'],
      ['火星', '1', '8', '1', '2'],
    ]);
    expect(problemsOf(found)).toEqual([
      ['', 2, 'C', 'price_sheet_price'],
      ['', 3, 'B', 'price_sheet_weight'],
      ['', 4, 'E', 'price_sheet_step'],
      ['', 5, 'A', 'price_sheet_missing'],
      ['', 6, 'A', 'price_list_province'],
    ]);
  });

  it('if a price list contains a province twice, different prices are reported with the other line, and equal prices are not reported', async () => {
    const found = await list([
      ['省份', '首重价1kg', '续重价1kg'],
      ['北京', '8', '2'],
      ['京津冀', '9', '2'],
      ['北京市', '8', '2'],
    ]);
    expect(found.problems).toMatchObject([
      {
        line: 3,
        column: 'A',
        reason: { code: 'price_list_repeated', params: { province: '北京', line: 2 } },
      },
    ]);
  });

  it('a price list of 10,000 rows is read and returns its first 200 problems, and a price list of 20,001 rows is refused', async () => {
    const titles = ['省份', '首重价1kg', '续重价1kg'];
    const rows = (count: number): Rows => [
      titles,
      ...Array.from({ length: count }, (_, at) => [`省${at}`, 'x元', '2']),
    ];
    const found = await list(rows(10_000));
    expect([found.problems.length, found.problems_total]).toEqual([200, 20_000]);
    await expect(list(rows(20_000))).rejects.toMatchObject({
      details: { fields: { file: { code: 'price_sheet_too_many_rows' } } },
    });
  });

  it('a price list file that is empty, damaged or has too many sheets is refused', async () => {
    const refusal = (file: string | Buffer) =>
      read(file).then(
        () => null,
        (error: { details: { fields: { file: { code: string } } } }) =>
          error.details.fields.file.code,
      );
    expect(await refusal('')).toBe('file_empty');
    expect(await refusal(Buffer.from('PK\u0003\u0004nonsense'))).toBe('file_unreadable');
    const sheets = Array.from({ length: 21 }, (_, at) => [`s${at}`, sheetXml([['a']])]);
    expect(await refusal(workbook(Object.fromEntries(sheets)))).toBe('file_sheets');
  });
});
