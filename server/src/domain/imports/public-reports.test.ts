import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ImportField, ImportValues } from '@waystation/contract/imports/import.ts';
import { checkRow } from './check.ts';
import type { SheetRules } from './check.ts';
import { extraColumns } from './extra-columns.ts';
import { layoutOf } from './layout.ts';
import { titleUnits } from './title-units.ts';

interface Case {
  kind: string;
  head?: string[];
  cols?: string[];
  a?: string;
  b?: string;
  va?: string;
  vb?: string;
  what?: string;
  over?: ImportValues;
  want?: ImportValues & { problem?: ImportField };
}
const cases = readFileSync(
  new URL('../../testing/public-reports/cases.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);
const casesOf = (kind: string): Case[] => cases.filter((one) => one.kind === kind);

const references: SheetRules['references'] = {
  goods: [
    { name: '文件', type: 1, banned: 0, banned_reason: '' },
    { name: '服装', type: 2, banned: 0, banned_reason: '' },
  ],
  promises: [{ provider: 'jdl', promise_id: 'ed-1', promise_name: '标快', promise_name_en: '' }],
  allow_select: 1,
  max_weight: 50_000,
};
const sender: ImportValues = {
  sender_name: '示例网点',
  sender_phone: '13800001011',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
};
/** Reads a sheet with these titles and one row. */
const read = (head: readonly string[], row: readonly string[]) => {
  const layout = layoutOf([head, row]);
  const { columns, mapping } = layout;
  const rules = {
    mapping,
    defaults: sender,
    references,
    extra: extraColumns(columns, mapping),
    units: titleUnits(columns, mapping),
  };
  return { ...layout, row: checkRow(row, rules) };
};

const people = {
  s: ['仓库甲', '13900000099', '上海市浦东新区世纪大道1号'],
  r: ['王小明', '13800011000', '广东省深圳市南山区科技园路1号'],
} as const;
const textOf = (code: string): string =>
  /^[sr][012]$/.test(code) ? people[code[0] as 's'][Number(code[1])]! : code;
const recipient = ['receive_name', 'receive_phone', 'receive_address'] as const;

describe('the column titles of an import with sender and recipient', () => {
  /**
   * Expects that each column of the recipient is either recognized or left for the user to choose,
   * and that no other person's column is used.
   */
  const expectRecipient = (head: readonly string[], cols: readonly string[]): void => {
    const { mapping, certain } = read(head, cols.map(textOf));
    for (const [at, field] of recipient.entries()) {
      const code = mapping[field] === undefined ? null : cols[mapping[field]];
      expect([field, code]).toEqual([field, certain ? `r${at}` : (code ?? null) && `r${at}`]);
    }
  };

  it.each(casesOf('header').map(({ head, cols }) => [head!.join(','), head!, cols!] as const))(
    'the titles of an import with sender and recipient are recognized: %s',
    (_title, head, cols) => {
      expectRecipient(head, cols);
      // The titles are from public reports of sheets with sender and recipient. The user need not
      // choose a column for any of them.
      expect(read(head, cols.map(textOf)).certain).toBe(true);
    },
  );

  it.each([
    ['收件人,电话,地址,寄件人,电话,地址', 'r0,r1,r2,s0,s1,s2'],
    ['联系人（发）,电话（发）,地址（发）,联系人（收）,电话（收）,地址（收）', 's0,s1,s2,r0,r1,r2'],
    ['联系人（收）,电话（收）,地址（收）,联系人（发）,电话（发）,地址（发）', 'r0,r1,r2,s0,s1,s2'],
    ['付款人电话,收货电话,收货人,收货地址', 's1,r1,r0,r2'],
    ['发货仓库,仓库电话,仓库地址,收货人,收货电话,收货地址', 's0,s1,s2,r0,r1,r2'],
    ['下单人,下单人手机,收货人,收货人手机,收货地址', 's0,s1,r0,r1,r2'],
    [
      'Billing Name,Billing Phone,Billing Address,Shipping Name,Shipping Phone,Shipping Address',
      's0,s1,s2,r0,r1,r2',
    ],
    [
      'Name (Billing),Phone (Billing),Address (Billing),Name (Shipping),Phone (Shipping),Address (Shipping)',
      's0,s1,s2,r0,r1,r2',
    ],
    [
      'senderName,senderPhone,senderAddress,receiverName,receiverPhone,receiverAddress',
      's0,s1,s2,r0,r1,r2',
    ],
    [
      'sender_name,sender_phone,sender_address,recipient_name,recipient_phone,recipient_address',
      's0,s1,s2,r0,r1,r2',
    ],
    [
      'Origin Contact,Origin Phone,Origin Address,Destination Contact,Destination Phone,Destination Address',
      's0,s1,s2,r0,r1,r2',
    ],
    ['店铺,姓名,电话,地址', '店,r0,r1,r2'],
    ['寄件公司,联系电话,寄件地址,收件公司,收件人,联系电话,收件地址', '店,s1,s2,店,r0,r1,r2'],
    ['发件方,发件方手机,收件方,收件方手机,收件方地址', 's0,s1,r0,r1,r2'],
    ['退货人,退货电话,退货地址,姓名,电话,地址', 's0,s1,s2,r0,r1,r2'],
    ['寄件人手机,收件人手机,寄件人,收件人,寄件地址,收件地址', 's1,r1,s0,r0,s2,r2'],
    ['寄到姓名,寄到电话,寄到地址,发货人,发货人电话', 'r0,r1,r2,s0,s1'],
    ['收货人/提货人,收货人手机号/提货人手机号,详细收货地址/提货地址', 'r0,r1,r2'],
  ])(
    'the recipient’s columns of an import with the titles %s are recognized without asking the user',
    (head, cols) => {
      expectRecipient([...head.split(','), '物品', '重量'], [...cols.split(','), '文件', '1']);
      expect(
        read([...head.split(','), '物品', '重量'], [...cols.split(',').map(textOf), '文件', '1'])
          .certain,
      ).toBe(true);
    },
  );

  it.each([
    ['姓名,电话,地址,姓名,电话,地址', [0, 1, 2, 3, 4, 5]],
    ['姓名,电话,地址,收件人,电话,地址', [1, 2, 4, 5]],
    ['电话,地址,寄件人,电话,地址,收件人', [0, 1, 3, 4]],
    ['姓名,电话,地址,寄件人,电话,地址', [1, 2, 4, 5]],
    ['收件人,电话,电话,地址', [1, 2]],
    ['收件人,收件人电话,收件人电话,地址', [1, 2]],
    ['收件人,电话,地址,重量,重量', [3, 4]],
  ])('an import whose columns %s have equal titles asks the user to choose', (head, equal) => {
    const titles = head.split(',');
    const row = titles.map((title, at) =>
      title === '重量' ? String(at) : title.includes('电话') ? `1380001100${at}` : `${title}${at}`,
    );
    const found = read(titles, row);
    expect(found).toMatchObject({ certain: false, equal });
    for (const index of equal)
      if (titles[index] !== '重量') expect(Object.values(found.mapping)).not.toContain(index);
  });

  it('two columns of an import that have the same title and the same cells are read as one column', () => {
    expect(
      read(
        ['收件人', '电话', '电话', '地址'],
        ['王小明', '13800011000', '13800011000', '科技园路1号'],
      ),
    ).toMatchObject({ certain: true, equal: [] });
  });

  it.each([
    '下单人,下单人电话,收件地址',
    '收件人,付款电话,收货地址',
    '代发姓名,代发电话,代发地址',
    '寄送人,寄送电话,寄送地址',
    '寄件人/收件人,电话,地址',
  ])(
    'an import whose titles %s name no recipient asks the user, and suggests no other person’s phone',
    (head) => {
      const { certain, mapping } = read(head.split(','), [
        '王小明',
        '13900000099',
        '广东省深圳市南山区科技园路1号',
      ]);
      expect([certain, mapping.receive_phone]).toEqual([false, undefined]);
    },
  );

  it('a missing phone of the recipient in an import is never replaced by the sender’s phone', () => {
    const { row } = read(
      ['寄件人', '电话', '固定电话', '收件人', '手机', '固话', '地址', '物品', '重量'],
      [
        '仓库甲',
        '13900000099',
        '021-50000000',
        '王小明',
        '',
        '0755-26000003',
        '广东省深圳市南山区科技园路1号',
        '文件',
        '1',
      ],
    );
    expect(row.values.receive_phone).toBe('0755-26000003');
    expect(row.values.sender_phone).toBe('13900000099');
  });

  it('a given name and a family name in separate columns of an import become one name', () => {
    const head = [
      'First Name (Shipping)',
      'Last Name (Shipping)',
      'Phone (Shipping)',
      'Address 1&2 (Shipping)',
      'Item Name',
      'Weight',
    ];
    const name = (...names: string[]) =>
      read(head, [...names, '13800011000', '广东省深圳市南山区科技园路1号', '文件', '1']).row.values
        .receive_name;
    expect([name('小明', '王'), name('Ming', 'Wang'), name('小明', '')]).toEqual([
      '王小明',
      'Ming Wang',
      '小明',
    ]);
  });
});

describe('several address columns of an import', () => {
  const region = {
    head: ['收件人', '电话', '省', '市', '区'],
    row: ['王小明', '13800011000', '广东省', '深圳市', '南山区'],
  };
  const addressOf = (titles: readonly string[], cells: readonly string[]) => {
    const { row } = read(
      [...region.head, ...titles, '物品', '重量'],
      [...region.row, ...cells, '文件', '1'],
    );
    return {
      address: row.values.receive_address,
      problems: row.problems.filter(({ level }) => level !== 'repaired'),
    };
  };

  it.each(casesOf('address2').map(({ a, b, va, vb }) => [a!, b!, va!, vb!] as const))(
    'the address columns %s + %s of an import are joined in order',
    (a, b, va, vb) => {
      expect(addressOf([a, b], [va, vb])).toEqual({ address: va + vb, problems: [] });
    },
  );

  it.each([
    [
      '地址,小区,楼栋,单元,室号',
      '科技园路1号,阳光小区,3,2,302',
      '科技园路1号阳光小区3栋2单元302室',
    ],
    ['地址,楼栋,楼层', '科技园路1号,A座,5', '科技园路1号A座5层'],
    ['街道,村,详细地址', '粤海街道,大冲村,9号', '粤海街道大冲村9号'],
    ['详细地址,街道', '科技园路1号,粤海街道', '粤海街道科技园路1号'],
    ['收件地址,收件门牌号', '科技园路,12', '科技园路12号'],
    ['Shipping Address1,Shipping Address2', '科技园路1号,Room 5', '科技园路1号Room 5'],
    ['Street,Apt', '1 Keji Road,5B', '1 Keji Road Apt 5B'],
    ['address_line_1,address_line_2', '科技园路1号,A栋302', '科技园路1号A栋302'],
    ['地址,门牌号', '科技园路1号A栋302,302', '科技园路1号A栋302'],
    ['地址,门牌号', '科技园路1号A栋302,A栋302', '科技园路1号A栋302'],
    ['地址,门牌号', '科技园路11号,1号', '科技园路11号1号'],
    ['地址,门牌号', '科技园路1号,', '科技园路1号'],
    ['地址,门牌号', '科技园路1号,null', '科技园路1号'],
  ])('several address columns of an import are joined: %s: %s is %s', (titles, cells, address) =>
    expect(addressOf(titles.split(','), cells.split(',')).address).toBe(address),
  );

  it('a column of an import that contains the unit of the goods is not appended to the address', () => {
    expect(addressOf(['地址', '商品', 'Unit'], ['科技园路1号', '文件', 'pcs']).address).toBe(
      '科技园路1号',
    );
  });

  it('an import joins the sender’s address with the sender’s house number, and the recipient’s address with the recipient’s house number', () => {
    const { row } = read(
      ['寄件人', '电话', '地址', '门牌号', '收件人', '电话', '地址', '门牌号', '物品', '重量'],
      [
        '仓库甲',
        '13900000099',
        '上海市浦东新区世纪大道',
        '1号',
        '王小明',
        '13800011000',
        '广东省深圳市南山区科技园路1号',
        'A栋302',
        '文件',
        '1',
      ],
    );
    expect([row.values.sender_address, row.values.receive_address]).toEqual([
      '世纪大道1号',
      '科技园路1号A栋302',
    ]);
  });

  it('if a second address column of the recipient contains another address, it is not used, and a warning shows the column’s title', () => {
    const { problems, address } = addressOf(['详细地址', '备用地址'], ['科技园路1号', '示例路9号']);
    expect(address).toBe('科技园路1号');
    expect(problems).toMatchObject([
      {
        field: 'receive_address',
        level: 'warning',
        reason: { code: 'import_column_unused', params: { title: '备用地址' } },
      },
    ]);
    expect(addressOf(['详细地址', '收货地址'], ['科技园路1号', '科技园路1号']).problems).toEqual(
      [],
    );
  });
});

describe('reading the cells of an import row', () => {
  const base: ImportValues = {
    receive_name: '王小明',
    receive_phone: '13800006001',
    receive_province: '广东省',
    receive_city: '深圳市',
    receive_county: '南山区',
    receive_address: '科技园路1号',
    goods: '文件',
    weight: '1.5',
    package_count: '1',
    guarantee_value_amount: '',
    thr_order_id: '',
    remark: '',
    length: '',
    width: '',
    height: '',
  };
  const fields = Object.keys(base) as ImportField[];
  const check = (over: ImportValues) =>
    checkRow(
      fields.map((field) => over[field] ?? base[field]!),
      {
        mapping: Object.fromEntries(fields.map((field, at) => [field, at])),
        defaults: sender,
        references,
      },
    );

  const cells = casesOf('cell');
  it.each(cells.map(({ what, over, want }) => [what!, over!, want!] as const))(
    'the cells of an import row are read as expected: %s',
    (_what, over, { problem, ...values }) => {
      const checked = check(over);
      expect(checked.values).toMatchObject(values);
      const found = checked.problems
        .filter(({ level }) => level !== 'repaired')
        .map(({ field }) => field);
      expect(found).toEqual(problem === undefined ? [] : [problem]);
    },
  );

  it.each([
    ['weight', '0,5kg', '0.5'],
    ['weight', '0，5', '0.5'],
    ['weight', '2·5公斤', '2.5'],
    ['weight', '0.002吨', '2'],
    ['receive_name', '王小明\u2060', '王小明'],
    ['remark', '-', ''],
    ['remark', '--', ''],
    ['remark', '无', '无'],
    ['remark', 'None', ''],
    ['thr_order_id', '\\N', ''],
    ['thr_order_id', 'ＴＢ－２０２６１', 'TB-20261'],
    ['thr_order_id', '＃１００２', '#1002'],
    ['thr_order_id', '261101123456789012', '261101123456789012'],
    ['thr_order_id', '2.61101123456E+11', '261101123456'],
  ] as const)(
    'the cell of an import’s column %s with the text %s is read as %s',
    (field, text, meant) => expect(check({ [field]: text }).values[field]).toBe(meant),
  );

  it.each(['1,500', '1,234'])(
    'an import row with the ambiguous weight %s is an error, which the user corrects',
    (text) => {
      expect(check({ weight: text }).problems).toMatchObject([{ field: 'weight', level: 'error' }]);
    },
  );

  it('an import row with an order number whose last digits a spreadsheet has lost has a warning', () => {
    expect(check({ thr_order_id: '261101123456789000' })).toMatchObject({
      mark: 'warning',
      problems: [{ reason: { code: 'import_digits_lost' } }],
    });
    expect(check({ thr_order_id: '2611011234567800' }).mark).toBe('ok');
    expect(check({ thr_order_id: '2.61101123456789E+15' })).toMatchObject({
      mark: 'warning',
      problems: [{ reason: { code: 'import_digits_lost' } }],
    });
  });

  it('an import row whose name cell contains “null” has no recipient name, which is an error', () => {
    expect(check({ receive_name: 'null' }).problems).toContainEqual(
      expect.objectContaining({ field: 'receive_name', level: 'error' }),
    );
  });
});
