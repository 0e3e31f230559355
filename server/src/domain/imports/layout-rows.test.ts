import { describe, expect, it } from 'vitest';
import { importFields } from '@waystation/contract/imports/import.ts';
import type { ImportValues } from '@waystation/contract/imports/import.ts';
import { checkRow } from './check.ts';
import type { SheetRules } from './check.ts';
import { fieldTitles } from './field-titles.ts';
import { extraColumns } from './extra-columns.ts';
import { layoutOf, mostRecognized } from './layout.ts';
import { longestText } from './row-regions.ts';
import { titleUnits } from './title-units.ts';
import { rules, titles, good, row } from '#testing/import-rows.ts';

describe('recognizing the columns of an import', () => {
  it.each([
    [
      'a shop',
      ['订单编号', '收货人姓名', '收货地址', '联系手机', '宝贝标题', '订单备注'],
      { thr_order_id: 0, receive_name: 1, receive_address: 2, receive_phone: 3, remark: 5 },
    ],
    [
      'another shop',
      ['订单号', '收货人', '收货人手机', '省', '市', '区', '详细地址', '商品名称'],
      { receive_phone: 2, receive_province: 3, receive_address: 6, goods: 7 },
    ],
    [
      'English titles',
      ['Order Number', 'Recipient Name', 'Phone', 'Address 1', 'City', 'Province', 'Weight (kg)'],
      { thr_order_id: 0, receive_name: 1, weight: 6 },
    ],
    [
      'both sides',
      ['寄件人', '寄件人手机', '收件人', '收件人手机', '收件地址'],
      { sender_name: 0, sender_phone: 1, receive_name: 2, receive_phone: 3 },
    ],
  ])('the columns of an import are recognized by the titles of %s', (_whose, head, mapping) => {
    expect(layoutOf([head]).mapping).toMatchObject(mapping);
  });

  it.each(['zh', 'en'] as const)(
    'the columns of an import are recognized by the product’s own titles in %s',
    (language) => {
      const head = importFields.map((field) => fieldTitles[field][language]);
      expect(layoutOf([head]).mapping).toEqual(
        Object.fromEntries(importFields.map((field, index) => [field, index])),
      );
      for (const field of importFields)
        expect(layoutOf([[fieldTitles[field][language], 'x', '失败原因']]).mapping).toEqual({
          [field]: 0,
        });
    },
  );

  it.each(['省市区', '省/市/区', '省市', '所在省市区'])(
    'the title %s of an import’s column is recognized as whole regions',
    (title) => {
      const { mapping } = layoutOf([['收件人', '手机', title, '详细地址']]);
      expect(mapping).toMatchObject({ receive_province: 2, receive_address: 3 });
    },
  );

  it('the columns of an import are found by the row of column titles, or by the contents of the cells if the sheet has no titles', () => {
    const lines = [['赵六', '13900139006', '上海市浦东新区世纪大道8号', '1.5']];
    expect(layoutOf([['六月订单'], ['收件人', '手机', '地址', '重量'], ...lines])).toMatchObject({
      header_at: 1,
      certain: true,
      mapping: { receive_name: 0, weight: 3 },
    });
    expect(layoutOf(lines)).toMatchObject({
      header_at: -1,
      certain: false,
      mapping: { receive_name: 0, receive_phone: 1, receive_address: 2, weight: 3 },
    });
  });

  it('two rows of column titles are joined, and the upper title decides if a name, phone or address belongs to the sender or the recipient', () => {
    const upper = ['寄件人信息', '', '', '收件人', '', '', '物品', '重量', '订单号'];
    const lower = ['姓名', '电话', '地址', '姓名', '手机', '详细地址', '', '', ''];
    const titles = [
      '寄件姓名',
      '寄件电话',
      '寄件地址',
      '收件姓名',
      '收件手机',
      '收件详细地址',
      '物品',
      '重量',
      '订单号',
    ];
    const cells = [
      '示例甲',
      '13900139001',
      '上海市浦东新区示例路1号',
      '示例乙',
      '13900139002',
      '上海市浦东新区示例路2号',
      '文件',
      '1',
      'A-1',
    ];
    const found = layoutOf([['十一月订单'], upper, lower, cells]);
    expect(found).toMatchObject({
      header_at: 2,
      certain: true,
      columns: titles.map((title) => ({ title })),
    });
    expect(found.mapping).toEqual({
      sender_name: 0,
      sender_phone: 1,
      sender_address: 2,
      receive_name: 3,
      receive_phone: 4,
      receive_address: 5,
      goods: 6,
      weight: 7,
      thr_order_id: 8,
    });
    // The downloaded file of rows that were not ordered has all titles in one row, with the same
    // meaning.
    const again = layoutOf([titles, cells]);
    expect([again.mapping, again.fingerprint]).toEqual([found.mapping, found.fingerprint]);
    // A single text above the titles is the name of the sheet, even if it contains a word for a
    // person. A group title such as 客户 shows no role, so it is not added to the titles below it.
    expect(
      layoutOf([['收件人信息表'], ['姓名', '电话', '地址', ''], cells]).columns[0],
    ).toMatchObject({ title: '姓名' });
    expect(
      layoutOf([['客户', '', '', '包裹'], ['姓名', '电话', '地址', '物品'], cells]).columns[0],
    ).toMatchObject({ title: '姓名' });
  });

  it('columns without titles are recognized by their cells only up to a limit of text, so that a hostile sheet cannot delay other imports', () => {
    const below = (columns: number) =>
      layoutOf(
        Array.from({ length: 40 }, (_, line) => [
          ...Array.from({ length: columns }, (_empty, at) =>
            `${line} ${at} `.padEnd(longestText, '路'),
          ),
          '赵六',
          '13900139006',
          `上海市浦东新区世纪大道${line}号`,
        ]),
        -1,
      );
    const shown = Math.floor(mostRecognized / longestText / 40) - 1;
    expect(below(shown).mapping).toEqual({
      receive_name: shown,
      receive_phone: shown + 1,
      receive_address: shown + 2,
    });
    expect(below(shown + 2).mapping).toEqual({ receive_name: shown + 2, receive_phone: shown + 3 });
  });
});

describe('units in the column titles of an import', () => {
  const held = (names: readonly string[]): SheetRules => {
    const { columns, mapping } = layoutOf([names, names.map(() => '')]);
    return { ...rules(names), units: titleUnits(columns, mapping) };
  };
  const names = (weight: string, length = '长') => [
    ...titles.map((title) => (title === '重量' ? weight : title)),
    length,
  ];

  it.each([
    ['重量(g)', '30', '0.03'],
    ['毛重/克', '500', '0.5'],
    ['重量（单位：斤）', '3', '1.5'],
    ['weight_g', '1,200', '1.2'],
    ['重量(g)', '2kg', '2'],
    ['Weight (lb)', '2', '0.907'],
    ['重量（kg）', '1.5', '1.5'],
    ['重量(公斤)', '1.5', '1.5'],
    ['重量/千克', '1.5', '1.5'],
    ['gross weight', '1.5', '1.5'],
  ])('a weight in an import below the title %s: %s is %s kg', (title, text, kg) => {
    expect(checkRow(row({ 7: text }), held(names(title))).values.weight).toBe(kg);
  });

  it.each([
    ['长(mm)', '305', '31'],
    ['长(m)', '0.3', '30'],
    ['长（厘米）', '30', '30'],
    ['长度cm', '30', '30'],
  ])('a side in an import below the title %s: %s is %s cm', (title, text, cm) => {
    expect(checkRow([...good, text], held(names('重量', title))).values.length).toBe(cm);
  });

  it('a weight that a user types into an import row is in kilograms, whatever unit the title of the column contains', () => {
    expect(
      checkRow(row({ 7: '30' }), held(names('重量(g)')), { weight: '30' }).fields?.weight,
    ).toBe(30_000);
  });
});

describe('the street and second-phone columns of an import', () => {
  const names = [...titles, '街道', '电话'];
  const layout = layoutOf([names, names.map(() => '')]);
  const held = { ...rules(names), extra: extraColumns(layout.columns, layout.mapping) };
  const checked = (changes: Record<number, string>, edits: ImportValues = {}) => {
    const cells = [...good, '', ''].map((cell, at) => changes[at] ?? cell);
    return checkRow(cells, held, edits);
  };

  it('the street column and the second phone column of an import are found by their titles', () => {
    const part = { index: 12, place: 'before', unit: '' };
    expect(held.extra).toEqual({ parts: { receive: [part], sender: [] }, phone: 13, unused: [] });
    expect(extraColumns(layout.columns, { ...layout.mapping, remark: 12 })).toEqual({
      parts: { receive: [], sender: [] },
      phone: 13,
      unused: [],
    });
  });

  it('an import’s street column is put before an address that does not contain the street, and the row is marked as repaired', () => {
    expect(checked({ 12: '花木街道' })).toMatchObject({
      mark: 'repaired',
      fields: { receive_address: '花木街道世纪大道100号' },
    });
    expect(checked({ 5: '花木街道世纪大道100号', 12: '花木街道' })).toMatchObject({
      mark: 'ok',
      fields: { receive_address: '花木街道世纪大道100号' },
    });
  });

  it('an import reads the second phone column if the first phone is empty in the sheet; a phone that a user typed or cleared is kept', () => {
    expect(checked({ 1: '', 13: '021-50000000' })).toMatchObject({
      fields: { receive_phone: '021-50000000' },
    });
    expect(checked({ 13: '021-50000000' })).toMatchObject({
      fields: { receive_phone: '13900139001' },
    });
    expect(checked({ 1: '', 13: '021-50000000' }, { receive_phone: '' }).fields).toBeNull();
    expect(checked({ 12: '花木街道' }, { receive_address: '示例路1号' })).toMatchObject({
      fields: { receive_address: '示例路1号' },
    });
  });
});

describe('the samples of an import’s columns', () => {
  it('the samples of an import’s columns are cut to 200 characters', () => {
    expect(layoutOf([titles, titles.map(() => '长'.repeat(2_000))]).columns[11]!.samples).toEqual([
      '长'.repeat(200),
    ]);
  });
});
