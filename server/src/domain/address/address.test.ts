import { doubtfulBelow, longestPaste } from '@waystation/contract/parcels/address.ts';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';

const first = (text: string) => parseAddress(text).candidates[0]!;

describe('The confidence of a field', () => {
  test('the confidence of every parsed field is at least 95 if the pasted text contains the complete address', () => {
    const { confidence } = first(
      '收货人：张三\n电话：13800000001\n地址：广东省深圳市南山区示例路1号',
    );
    for (const value of Object.values(confidence)) expect(value).toBeGreaterThanOrEqual(95);
  });

  test.each([
    [
      'a county of several cities',
      '张三 13800000001 朝阳区示例路1号',
      ['province', 'city', 'county'],
    ],
    [
      'a county of several cities of one province',
      '张三 13800000001 河北省新华区示例路1号',
      ['city', 'county'],
    ],
    [
      'a county that only its short name tells',
      '张三 13800000001 义乌稠州北路1号',
      ['province', 'city', 'county'],
    ],
    ['a county that is another city’s', '张三 13800000001 广东省广州市南山区示例路1号', ['county']],
    ...[
      '张三 13800000001 深圳 广州市天河区示例路1号',
      '深圳 广州天河区示例路1号 张三 13800000001',
      '张三 13800000001 广州市天河区示例路1号 深圳',
      '张三 13800000001，深圳市，广东省广州市天河区示例路1号',
      '广东 杭州市西湖区示例路1号 张三 13800000001',
      '张三 13800000001 杭州市西湖区示例路1号 广东省',
      '上海 北京市朝阳区示例路1号 张三 13800000001',
      '张三 13800000001 重庆 四川省成都市武侯区示例路1号',
    ].map((text): [string, string, string[]] => [
      `every level where another city or province stands beside it (${text})`,
      text,
      ['province', 'city', 'county'],
    ]),
    ...[
      '张三 13800000001 广州 广东省广州市天河区示例路1号',
      '张三 13800000001 广东省广州市天河区示例路1号 广州',
      '张三 13800000001 广东省广州市天河区上海路1号',
      '张三 13800000001 广东省广州市天河区示例路1号 北京大厦',
      '姓名：金华 电话：13800000001 地址：广东省广州市天河区示例路1号',
      '安康 13800000001 广东省广州市天河区示例路1号',
    ].map((text): [string, string, string[]] => [
      `no field where the other name is the same place, a street or a person (${text})`,
      text,
      [],
    ]),
    [
      'a former county that is several today',
      '张三 13800000001 江苏省苏州市吴县市示例路1号',
      ['county'],
    ],
    [
      'a former county that is mostly one today',
      '张三 13800000001 山西省大同市城区示例街1号',
      ['county'],
    ],
    [
      'a former city that is several today',
      '张三 13800000001 安徽省巢湖地区示例路1号',
      ['city', 'county'],
    ],
    ['no field where a former county is one today', '张三 13800000001 北京市宣武区示例胡同1号', []],
    ['a missing county', '张三 13800000001 广东省深圳市示例路1号', ['county']],
    ['a masked phone', '张三 138****0001 广东省深圳市南山区示例路1号', ['phone']],
    ['a phone of another country', '张三 +852 9123 4567 香港九龙观塘区示例道1号', ['phone']],
    ['a phone one digit short', '张三 1380000001 广东省深圳市南山区示例路1号', ['phone']],
    ['a local number', '张三 电话：26000000 广东省深圳市南山区示例路1号', ['phone']],
    ['a name glued to an address', '广东省深圳市南山区示例路1号张三13800000001', ['name']],
    ['a nickname', '太阳当空照 13800000001 广东省深圳市南山区示例路1号', ['name']],
    ['no name', '13800000001 广东省深圳市南山区示例路1号', ['name']],
    ['no address', '张三 13800000001 广东省深圳市南山区', ['address']],
  ])('the fields with low confidence are the expected ones for %s', (_, text, doubtful) => {
    const { confidence } = first(text);
    const fields = Object.entries(confidence).flatMap(([field, value]) =>
      value < doubtfulBelow ? [field] : [],
    );
    expect(fields.toSorted()).toEqual(doubtful.toSorted());
  });

  test('the confidence of an empty county is 100 if the city has no counties', () => {
    expect(first('张三 13800000001 广东省东莞市长安镇示例路1号')).toMatchObject({
      city: '东莞市',
      county: '',
      confidence: { county: 100 },
    });
  });
});

describe('Several people in one text', () => {
  test('several people in one pasted text are listed in the order of the text, but senders are listed last', () => {
    const text =
      '发件人：张三 电话：13800000001 地址：广东省深圳市南山区示例路1号\n收件人：李四 电话：13900000002 地址：北京市朝阳区示例路2号';
    expect(parseAddress(text).candidates.map((candidate) => candidate.name)).toEqual([
      '李四',
      '张三',
    ]);
  });

  test('all people in a pasted text are found', () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `张三 138${String(at).padStart(8, '0')} 广东省深圳市南山区示例路${at + 1}号`,
    );
    const { candidates } = parseAddress(lines.join('\n'));
    expect(candidates).toHaveLength(300);
    expect(candidates[299]).toMatchObject({ phone: '13800000299', address: '示例路300号' });
  });
});

describe('A numbered list', () => {
  const people = [
    '李四 13900139001 上海市浦东新区世纪大道100号',
    '王五 13900139002 北京市朝阳区建国路88号',
  ];
  test.each([
    ['1. ', '2. '],
    ['1、', '2、'],
    ['(1)', '(2)'],
    ['No.1 ', 'No.2 '],
    ['第1单：', '第2单：'],
    ['①', '②'],
  ])(
    'a numbered list with %j and %j before its people gives names and addresses without the numbers',
    (...numbers) => {
      for (const between of ['\n', ' '])
        expect(
          parseAddress(people.map((person, at) => numbers[at]! + person).join(between)).candidates,
        ).toMatchObject([
          { name: '李四', address: '世纪大道100号' },
          { name: '王五', address: '建国路88号' },
        ]);
    },
  );

  test('a numbered list is read line by line, even if its numbers are not followed by a punctuation mark', () => {
    expect(
      parseAddress(people.map((person, at) => `${at + 1} ${person}`).join('\n')).candidates,
    ).toMatchObject([
      { name: '李四', address: '世纪大道100号' },
      { name: '王五', address: '建国路88号' },
    ]);
  });

  test('a house number at the start of a line in a numbered list is not read as a list number', () => {
    expect(first('李四\n13900139001\n上海市浦东新区世纪大道\n88 号 3 栋')).toMatchObject({
      name: '李四',
      address: '世纪大道 88 号 3 栋',
    });
  });
});

describe('A block of people who are written in different ways', () => {
  const mixed =
    '张三 13800000001\n广东省深圳市南山区科技园路1号\n李四 13900000002 北京市朝阳区建国路88号\n上海市浦东新区世纪大道100号\n王五\n13700000003';
  test('in a pasted text about three people, each person gets the right lines even if the lines are ordered differently for each person', () => {
    const { candidates } = parseAddress(mixed);
    expect(candidates).toMatchObject([
      { name: '张三', county: '南山区', source: '张三 13800000001\n广东省深圳市南山区科技园路1号' },
      { name: '李四', county: '朝阳区', source: '李四 13900000002 北京市朝阳区建国路88号' },
      {
        name: '王五',
        county: '浦东新区',
        source: '上海市浦东新区世纪大道100号\n王五\n13700000003',
      },
    ]);
    for (const { confidence } of candidates)
      expect(Math.min(...Object.values(confidence))).toBeGreaterThanOrEqual(doubtfulBelow);
  });

  test('if the lines of a pasted text could be assigned to its people in two ways, all of its addresses are doubtful', () => {
    const text =
      '张三 13800000001\n广东省深圳市南山区科技园路1号\n北京市朝阳区建国路88号\n上海市浦东新区世纪大道100号\n李四 13900000002';
    for (const { confidence } of parseAddress(text).candidates)
      expect(confidence.address).toBeLessThan(doubtfulBelow);
  });
});

describe('A text without people', () => {
  test.each(['', ' ', '\n\n', '，。；', '😀', '收货人：\n电话：\n地址：', '----'])(
    'the text %j without people gives no candidate',
    (text) => {
      expect(parseAddress(text)).toEqual({ candidates: [] });
    },
  );
});

describe('A text above the length limit', () => {
  test('A text above the length limit is read up to the limit', () => {
    const text = `张三 13800000001 广东省深圳市南山区示例路1号\n${' '.repeat(longestPaste)}\n李四 13900000002 北京市朝阳区示例路2号`;
    expect(parseAddress(text).candidates.map((candidate) => candidate.name)).toEqual(['张三']);
  });
});

/** Parsing each text would take minutes to years if any step took more than linear time. */
describe('100,000 malicious characters', () => {
  const seeds = [
    '吉林',
    '吉林 ',
    '海南',
    '海南省海南',
    '新华区',
    '北京市',
    '广东省',
    '广东省深圳市',
    '重庆县',
    '中国',
    '市辖区',
    '1',
    '13800000001',
    '13800000001 ',
    '13800000001-',
    '138****',
    '0755-',
    '+86-',
    '+852 ',
    '400-',
    '-',
    '_',
    '_张',
    ' ',
    '\n',
    '\n \n',
    '\t,',
    ':',
    '省:',
    '姓名:',
    '备注:',
    '备注:13800000001',
    '收货人',
    '收货人张三',
    '(',
    '((1234',
    '[1',
    '[1234]',
    '张',
    '张·',
    '张三 ',
    'a',
    'a ',
    '1*',
    '*',
    '#',
    '1.',
    '1.\n',
    '2026-11-2',
    '12:3',
    '😀',
    '\ud83d',
    '\udc00',
    '\u200b',
    '/',
    ',1',
    '收',
    '收 ',
    '麻烦寄',
    '地址',
    '邮编:',
    '510000 ',
    '号张三',
    '张三 13800000001 广东省深圳市南山区示例路1号 ',
    '收货人:张三 地址:北京市朝阳区 ',
    '张三,13800000001,广东省深圳市;',
  ];
  test.each(seeds)('100,000 characters of %j are read to the end', (seed) => {
    const text = seed.repeat(Math.ceil(100_000 / seed.length));
    for (const around of [
      text,
      `${text.slice(0, longestPaste - 1)}x`,
      `张${text}`,
      `广东省深圳市${text}13800000001`,
    ])
      expect(Array.isArray(parseAddress(around).candidates)).toBe(true);
  });
});

describe('A place whose region names contradict one another', () => {
  test.each([
    ['张三 13800006001 广东省深圳市天河区体育西路101号', '广东省|深圳市|天河区|体育西路101号'],
    ['张三 13800006001 深圳天河区体育西路101号', '广东省|深圳市|天河区|体育西路101号'],
    ['张三广东省深圳市天河区体育西路101号13800006001', '广东省|深圳市|天河区|体育西路101号'],
    ['张三 13800006001 天河区体育西路101号 深圳', '广东省|深圳市|天河区|体育西路101号'],
    [
      '张三 13800006001 体育西路101号，天河区，深圳市，广东省',
      '广东省|深圳市|天河区|体育西路101号',
    ],
    ['张三 13800006001 浙江省深圳市南山区科技园1号', '浙江省|深圳市|南山区|科技园1号'],
    ['张三 13800006001 广东省朝阳区建国路1号', '广东省||朝阳区|建国路1号'],
    ['张三 13800006001 北京市天河区体育西路101号', '北京市|北京市|天河区|体育西路101号'],
    ['张三 13800006001 湖南省株洲市长沙县星沙镇1号', '湖南省|株洲市|长沙县|星沙镇1号'],
  ])(
    'the contradictory place %s is read as written, but its county is doubtful',
    (text, expected) => {
      const [found] = parseAddress(text).candidates;
      expect([found!.province, found!.city, found!.county, found!.address].join('|')).toBe(
        expected,
      );
      expect(found!.name).toBe('张三');
      expect(found!.confidence.county).toBeLessThan(doubtfulBelow);
    },
  );

  test.each([
    '李深圳 13800006001 天河区体育西路101号',
    '张三 13800006001 广州市天河区体育西路101号',
    '上海市南京市场路1号 张三 13800006001',
  ])('the place %s is read with the right province and city', (text) => {
    const [found] = parseAddress(text).candidates;
    expect([found!.province, found!.city].join('')).toMatch(/广东省广州市|上海市上海市/);
  });
});

describe('A phone extension', () => {
  test.each([
    '(转1234)',
    '，转1234',
    '转接1234',
    '-转1234',
    ' P1234',
    'ext. 1234',
    '转１２３４',
    '转 分机 1234',
    '接1234',
    ' 转1234号',
    '按1234',
    '~1234',
    '。转1234',
    ';1234',
    '转1234#',
    '转1234接',
    '（输入1234）',
    '，输入分机号1234',
    '虚拟号转1234',
    '、1234',
    '（拨通后请转分机号1234）',
  ])('an extension written %j is kept, and not repeated in the address', (written) => {
    const [found] = parseAddress(
      `张三 13800006001${written} 广东省深圳市南山区科技园1号`,
    ).candidates;
    expect([found!.name, found!.phone, found!.extension, found!.address]).toEqual([
      '张三',
      '13800006001',
      '1234',
      '科技园1号',
    ]);
  });

  test.each([' 12号楼', ' P12号楼', '，1234号院', ' 接待室1号'])(
    'the house number or room %j is not read as a phone extension',
    (house) => {
      const [found] = parseAddress(
        `张三 13800006001${house} 广东省深圳市南山区科技园1号`,
      ).candidates;
      expect([found!.extension, found!.address.endsWith(house.replace(/^[ ，]/, ''))]).toEqual([
        '',
        true,
      ]);
    },
  );
});

describe('A label before an address', () => {
  test.each([
    '单位地址',
    '现住址',
    '详细收货地址',
    '客户地址',
    '户籍地址',
    '收貨地址',
    '地 址',
    '地　址',
    'Add',
    'Delivery address',
    '工作单位地址',
    '驿站地址',
    '小区地址',
  ])('a label such as %s is not part of the address', (label) => {
    const [found, ...others] = parseAddress(
      `姓 名：张三\n电　话：13800006001\n${label}：广东省深圳市南山区科技园1号`,
    ).candidates;
    expect(others).toEqual([]);
    expect([found!.name, found!.phone, found!.county, found!.address]).toEqual([
      '张三',
      '13800006001',
      '南山区',
      '科技园1号',
    ]);
  });
});
