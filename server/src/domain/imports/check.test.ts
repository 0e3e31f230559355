import { describe, expect, it } from 'vitest';
import type { ImportValues } from '@waystation/contract/imports/import.ts';
import { checkRow } from './check.ts';
import { layoutOf } from './layout.ts';
import { rules, titles, good, row } from '#testing/import-rows.ts';

const check = (changes: Record<number, string>, edits: ImportValues = {}) =>
  checkRow(row(changes), rules(titles), edits);
const codes = (changes: Record<number, string>): string[] =>
  check(changes).problems.map(({ field, level, reason }) => `${level} ${field} ${reason.code}`);

describe('checking an import row', () => {
  it('a text of an import row that the carrier would refuse is repaired if the repaired text looks the same, else it is an error', () => {
    const repaired = (
      field: string,
      text: string,
      changes: Record<number, string>,
      edits: ImportValues = {},
    ): void => {
      const { values, mark, problems, fields } = check(changes, edits);
      expect([mark, values[field as 'goods'], fields?.[field as 'goods']]).toEqual([
        'repaired',
        text,
        text,
      ]);
      expect(problems).toMatchObject([
        { field, level: 'repaired', reason: { code: 'import_repaired' } },
      ]);
    };
    repaired('receive_address', '世纪大道3号楼A座', { 5: '世纪大道3#楼A座' });
    repaired('receive_name', '李 ”小” 四', { 0: '李 "小" 四\u{1f600}' });
    repaired('sender_name', 'A＆B', {}, { sender_name: 'A&B' });
    // A rare character may belong to a name, so that it is never replaced.
    expect(check({ 0: '张\u{20bb7}' }).problems).toEqual([
      {
        field: 'receive_name',
        level: 'error',
        reason: { code: 'carrier_rare_characters', params: { characters: '\u{20bb7}' } },
      },
    ]);
    expect(codes({ 5: '世'.repeat(195) })).toEqual(['error receive_address carrier_too_long']);
    expect(codes({ 0: '*'.repeat(60), 1: '' })).not.toContain(
      'error receive_name carrier_too_long',
    );
  });

  it('an import row with characters that the label cannot print has a warning with these characters; the text is ordered unchanged', () => {
    const left = (field: string, changes: Record<number, string>, edits: ImportValues = {}) => {
      const { mark, problems, fields, values } = check(changes, edits);
      expect([mark, fields?.[field as 'goods']]).toEqual(['warning', values[field as 'goods']]);
      return problems.map(({ reason, fixes }) => [
        reason.code,
        reason.params?.['characters'],
        ...(fixes ?? []),
      ]);
    };
    expect(left('receive_address', { 5: '世纪大道😀100号 ئۇ' })).toEqual([
      ['label_unprintable', '😀 ئ ۇ', '世纪大道100号'],
    ]);
    expect(left('remark', {}, { remark: '轻放❤️' })).toEqual([['label_unprintable', '❤️', '轻放']]);
    expect(left('thr_order_id', {}, { thr_order_id: 'TB1😀' })).toEqual([
      ['label_unprintable', '😀', 'TB1'],
    ]);
    expect(left('sender_address', {}, { sender_address: '科技路\ue0001号' })).toEqual([
      ['label_unprintable', '\ue000', '科技路1号'],
    ]);
    expect(codes({ 5: '世纪大道𠮷䶮100号' })).toEqual([]);
    expect(codes({ 5: 'محمد محمد' })).toEqual(['error receive_address label_nothing_printable']);
  });

  it('an import row whose cell contains several phones, goods or weights has each of them as a suggested correction', () => {
    const fixes = (changes: Record<number, string>) =>
      check(changes).problems.map((problem) => problem.fixes);
    expect(fixes({ 1: '13900139001/13900139002' })).toEqual([['13900139001', '13900139002']]);
    expect(fixes({ 1: '13900139001（李女士）' })).toEqual([['13900139001']]);
    expect(fixes({ 1: '139OO1390O1' })).toEqual([['13900139001']]);
    expect(fixes({ 1: '1390013900' })).toEqual([undefined]);
    expect(fixes({ 6: '文件/服装' })).toEqual([['文件', '服装']]);
    expect(fixes({ 7: '约2kg' })).toEqual([['2']]);
    expect(fixes({ 7: '1-2.5公斤' })).toEqual([['1', '2.5']]);
  });

  it('an import row becomes a parcel with its weight in grams, its money in fen, and the station’s defaults', () => {
    expect(check({ 10: '300.5' })).toMatchObject({
      mark: 'ok',
      problems: [],
      fields: {
        receive_name: '张三',
        weight: 1_500,
        guarantee_value_amount: 30_050,
        package_count: 1,
        goods: '文件',
        sender_city: '深圳市',
      },
    });
  });

  it.each([
    [
      'full-width digits of a phone',
      { 1: '１３９００１３９００１' },
      'receive_phone',
      '13900139001',
    ],
    [
      'spaces and a country code of a phone',
      { 1: '+86 139 0013 9001' },
      'receive_phone',
      '13900139001',
    ],
    [
      'a whole phone that a spreadsheet wrote with an exponent',
      { 1: '1.3900139001E+10' },
      'receive_phone',
      '13900139001',
    ],
    ['grams, kilograms and catties', { 7: '500g' }, 'weight', '0.5'],
    ['catties', { 7: '3斤' }, 'weight', '1.5'],
    [
      'a province without its suffix',
      { 2: '广东', 3: '深圳', 4: '南山' },
      'receive_province',
      '广东省',
    ],
    ['pieces with a counter', { 8: '2件' }, 'package_count', '2'],
    ['a weight that a formula divided', { 7: '0.333333333333333' }, 'weight', '0.333'],
    ['the error of a formula where a parcel needs no text', { 11: '#N/A' }, 'remark', ''],
  ])(
    'an import row is repaired where only one meaning is possible: %s',
    (_what, changes, field, text) => {
      const checked = check(changes as Record<number, string>);
      expect(checked.mark).toBe('repaired');
      expect(checked.values[field as 'weight']).toBe(text);
      expect(checked.problems.find((problem) => problem.field === field)).toMatchObject({
        level: 'repaired',
        was: Object.values(changes)[0],
      });
    },
  );

  it.each([
    ['no name', { 0: '' }, 'error receive_name required'],
    [
      'a phone whose digits are lost',
      { 1: '1.39E+10' },
      'error receive_phone import_phone_scientific',
    ],
    ['a masked phone', { 1: '139****9001' }, 'error receive_phone phone_masked'],
    ['a phone that is none', { 1: '12345' }, 'error receive_phone phone_invalid'],
    ['a county of another city', { 4: '天河区' }, 'error receive_county division_county_elsewhere'],
    ['goods that are not offered', { 6: '文献' }, 'error goods goods_not_offered'],
    ['goods that may not be shipped', { 6: '打火机' }, 'error goods cargo_banned'],
    ['no weight', { 7: '' }, 'error weight required'],
    ['a weight that is none', { 7: '很重' }, 'error weight import_weight_unreadable'],
    ['a weight above the limit', { 7: '51' }, 'error weight over_weight'],
    ['pieces that are no number', { 8: '两' }, 'error package_count import_number_unreadable'],
    ['an unknown delivery time', { 9: '次晨达' }, 'error promise_id import_promise_unknown'],
    [
      'a value that is none',
      { 10: '很贵' },
      'error guarantee_value_amount import_amount_unreadable',
    ],
    ['an address of one character', { 5: '路' }, 'error receive_address too_short'],
    ['a formula that found no address', { 5: '#N/A' }, 'error receive_address import_cell_error'],
    ['a formula that found no name', { 0: '#REF!' }, 'error receive_name import_cell_error'],
    ['a formula that found no weight', { 7: 'Err:502' }, 'error weight import_cell_error'],
  ])('an import row with %s is an error that names the reason', (_what, changes, code) => {
    expect(codes(changes as Record<number, string>)).toContain(code);
    expect(check(changes as Record<number, string>)).toMatchObject({
      mark: 'error',
      fields: null,
      key: null,
    });
  });

  it('an import row whose county exists in several cities suggests these cities, and is complete after one is chosen', () => {
    const lines = ['李四', '13900139002', '朝阳区示例路6号', '文件', '1'];
    const short = rules(['收件人', '手机', '收件地址', '物品', '重量']);
    const checked = checkRow(lines, short);
    expect(checked.problems[0]).toMatchObject({
      field: 'receive_city',
      reason: { code: 'division_county_ambiguous' },
      fixes: ['北京市', '长春市'],
    });
    expect(checkRow(lines, short, { receive_city: '长春市' })).toMatchObject({
      mark: 'ok',
      values: { receive_province: '吉林省', receive_county: '朝阳区' },
    });
  });

  it('an import row in a sheet with one column of free text is split into name, phone and address', () => {
    expect(
      checkRow(
        ['王五 13900139003 浙江省杭州市西湖区文三路9号', '文件', '1'],
        rules(['收件信息', '物品', '重量']),
      ),
    ).toMatchObject({
      fields: {
        receive_name: '王五',
        receive_phone: '13900139003',
        receive_city: '杭州市',
        receive_address: '文三路9号',
      },
    });
  });

  it('an import column with name and phone in one cell is split into name and phone if the address has its own column', () => {
    const rows = [
      ['收件人及电话', '收件地址', '物品', '重量'],
      ['王五 13900139003', '浙江省杭州市西湖区文三路9号', '文件', '1'],
      ['赵六，13900139004', '上海市浦东新区示例路1号', '文件', '1'],
    ];
    const { mapping, certain } = layoutOf(rows);
    expect([mapping, certain]).toEqual([
      { receive_text: 0, receive_address: 1, goods: 2, weight: 3 },
      false,
    ]);
    expect(checkRow(rows[1]!, { ...rules([]), mapping })).toMatchObject({
      fields: {
        receive_name: '王五',
        receive_phone: '13900139003',
        receive_city: '杭州市',
        receive_address: '文三路9号',
      },
    });
  });

  it('an import cell whose formula failed gets the error “import_cell_error” and no other error', () => {
    expect(codes({ 2: '#N/A', 5: '#VALUE!', 6: '#NAME?' })).toEqual([
      'error receive_province import_cell_error',
      'error receive_address import_cell_error',
      'error goods import_cell_error',
    ]);
  });

  it('an import row gets a warning if its address begins with another region than its region columns, but not if it begins with a road named after a city', () => {
    expect(codes({ 5: '北京市朝阳区建国路1号' })).toEqual([
      'warning receive_address import_other_region',
    ]);
    for (const address of [
      '北京西路1号',
      '上海市浦东新区世纪大道1号',
      '浦东新区世纪大道1号',
      '城市之光1号楼',
    ])
      expect(codes({ 5: address })).toEqual([]);
  });

  it('an import row uses a text that a user typed instead of the cell’s text; a field that a user emptied gets no default', () => {
    expect(check({}, { goods: '服装' }).fields?.goods).toBe('服装');
    expect(checkRow(row({ 6: '' }), rules(titles, { goods: '文件' })).fields?.goods).toBe('文件');
    expect(checkRow(row({ 6: '' }), rules(titles, { goods: '文件' }), { goods: '' }).mark).toBe(
      'error',
    );
  });

  it('an import row whose delivery time the station may not choose has a warning and can be ordered without it', () => {
    const fixed = rules(titles);
    expect(
      checkRow(row({ 9: '示例标快' }), {
        ...fixed,
        references: { ...fixed.references, allow_select: 0 },
      }),
    ).toMatchObject({
      mark: 'warning',
      fields: { promise_id: '' },
    });
    expect(check({ 9: '示例标快' }).fields?.promise_id).toBe('ed-1');
  });

  it('an import row is an error if two carriers offer its delivery time, unless the cell also contains the carrier’s name or is a product code', () => {
    const own = rules(titles);
    const sf = { provider: 'sf', promise_id: '2', promise_name: '示例标快', promise_name_en: '' };
    const promises = [...own.references.promises, { ...sf, provider: 'sf' as const }];
    const read = (text: string) =>
      checkRow(row({ 9: text }), { ...own, references: { ...own.references, promises } });
    const { mark, problems } = read('示例 标快');
    expect(mark).toBe('error');
    expect(problems).toEqual([
      {
        field: 'promise_id',
        level: 'error',
        reason: { code: 'import_promise_ambiguous', params: { text: '示例 标快', count: 2 } },
        fixes: ['京东物流 示例标快', '顺丰速运 示例标快'],
      },
    ]);
    for (const fix of ['顺丰速运 示例标快', '顺丰速运·示例标快', 'SF Express示例标快', '2'])
      expect(read(fix).fields?.promise_id, fix).toBe('2');
    expect(read('京东物流示例标快').fields?.promise_id).toBe('ed-1');
  });
});

describe('the sender of an import row', () => {
  const names = ['寄件人', '寄件电话', '寄件地址', ...titles];
  const sent = (cells: readonly string[], edits: ImportValues = {}) =>
    checkRow([...cells, ...good], rules(names), edits);

  it('if the sender address of an import row contains a region, the sender has this region, not the station’s region', () => {
    expect(sent(['王五', '13900139009', '北京市朝阳区建国路1号'])).toMatchObject({
      mark: 'ok',
      fields: {
        sender_province: '北京市',
        sender_city: '北京市',
        sender_county: '朝阳区',
        sender_address: '建国路1号',
      },
    });
    // A region that a user typed stays, and its missing parts are filled from the address.
    expect(
      sent(['王五', '13900139009', '北京市朝阳区建国路1号'], { sender_county: '海淀区' }).values,
    ).toMatchObject({
      sender_city: '北京市',
      sender_county: '海淀区',
    });
  });

  it('a sender address without a region gets the station’s region; a row with the sender’s province but no sender city is an error', () => {
    expect(sent(['王五', '13900139009', '示例大道1号'])).toMatchObject({
      mark: 'ok',
      fields: { sender_city: '深圳市', sender_address: '示例大道1号' },
    });
    expect(sent(['王五', '13900139009', '福田区示例大道1号'])).toMatchObject({
      mark: 'ok',
      fields: { sender_city: '深圳市', sender_county: '福田区' },
    });
    expect(sent(['', '', ''])).toMatchObject({
      mark: 'ok',
      fields: { sender_city: '深圳市', sender_address: '示例科技路2号' },
    });
    const named = rules(['寄件省份', ...names]);
    expect(checkRow(['北京市', '王五', '13900139009', '建国路1号', ...good], named)).toMatchObject({
      mark: 'error',
      values: { sender_city: '' },
    });
  });
});

describe('a recipient that a shop has masked with stars', () => {
  it('an import row is an error if its address or name is masked, even if the phone is not', () => {
    expect(codes({ 5: '世纪大道****' })).toContain('error receive_address import_masked');
    expect(codes({ 0: '张**' })).toContain('error receive_name import_masked');
    expect(codes({ 0: '张*三', 5: '世纪大道 100 号 A*B' })).toEqual([]);
  });
});
