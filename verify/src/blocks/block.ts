import type { Chance } from '#chance.ts';

/** The correct data of one person. */
export interface Person {
  name: string;
  phone: string;
  province: string;
  city: string;
  county: string;
  address: string;
}

/**
 * A pasted text with several people. Each person is written in a different way, and there are no
 * empty lines between them.
 */
export interface Block {
  text: string;
  people: Person[];
  kinds: string[];
}

const surnames = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏付方邹熊白孟秦邱江尹',
];
const doubles = ['欧阳', '司马', '上官', '诸葛', '慕容'];
const given = [
  ...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉兰建国志红文斌浩宇轩梓涵欣怡思雨晨佳琪俊豪博雅婷雪鹏飞龙辉凯丹萍倩颖琳鑫',
];
const others = [
  'Tom Lee',
  'Mary Ann',
  '小花',
  '阿强',
  '老王',
  '陈先生',
  '李女士',
  '王老师',
  '阿卜杜拉·买买提',
  '刘总',
];

const places: readonly (readonly [string, string, string])[] = [
  ['广东省', '深圳市', '南山区'],
  ['广东省', '广州市', '天河区'],
  ['浙江省', '杭州市', '西湖区'],
  ['江苏省', '苏州市', '昆山市'],
  ['山东省', '青岛市', '黄岛区'],
  ['四川省', '成都市', '武侯区'],
  ['河南省', '郑州市', '金水区'],
  ['湖北省', '武汉市', '洪山区'],
  ['福建省', '厦门市', '思明区'],
  ['湖南省', '长沙市', '岳麓区'],
  ['陕西省', '西安市', '雁塔区'],
  ['河北省', '石家庄市', '裕华区'],
  ['辽宁省', '大连市', '甘井子区'],
  ['安徽省', '合肥市', '蜀山区'],
  ['江西省', '南昌市', '红谷滩区'],
  ['云南省', '昆明市', '官渡区'],
  ['北京市', '北京市', '海淀区'],
  ['上海市', '上海市', '闵行区'],
  ['重庆市', '重庆市', '渝北区'],
  ['天津市', '天津市', '武清区'],
  ['广西壮族自治区', '南宁市', '青秀区'],
  ['新疆维吾尔自治区', '喀什地区', '莎车县'],
  ['贵州省', '遵义市', '播州区'],
  ['黑龙江省', '哈尔滨市', '道里区'],
];
const towns = [
  '粤海街道',
  '花桥镇',
  '长安镇',
  '蛟川街道',
  '西乡街道',
  '沙河镇',
  '',
  '',
  '',
  '',
  '',
];
const streets = [
  '科技园路',
  '文三路',
  '建设大道',
  '解放北路',
  '中山东路',
  '滨河大道',
  '学府街',
  '关山大道',
  '世纪大道',
  '人民南路',
  '幸福里',
  '前进二路',
  '长江西路',
  '富康路',
];
const houses = [
  '号',
  '号3栋',
  '号楼1203室',
  '弄25号',
  '号创业大厦A座9楼',
  '号阳光花园6栋2单元501',
  '号院7号楼',
  '号联合广场B座',
  '号门口丰巢柜',
  '-8号商铺',
];

const personOf = (chance: Chance): Person => {
  const [province, city, county] = chance.pick(places);
  const common =
    (chance.below(8) === 0 ? chance.pick(doubles) : chance.pick(surnames)) +
    chance.pick(given) +
    (chance.below(3) === 0 ? '' : chance.pick(given));
  return {
    name: chance.below(9) === 0 ? chance.pick(others) : common,
    phone: `1${chance.pick(['38', '39', '50', '58', '76', '86', '99'])}${String(chance.below(100_000_000)).padStart(8, '0')}`,
    province,
    city,
    county,
    address:
      chance.pick(towns) +
      chance.pick(streets) +
      String(chance.between(1, 999)) +
      chance.pick(houses),
  };
};

const regionOf = ({ province, city, county }: Person, between: string): string =>
  [...new Set([province, city, county])].join(between);

/** Writes a phone number in one of the ways that people use. */
const phoneText = (phone: string, chance: Chance): string => {
  const shapes = [
    phone,
    phone,
    phone,
    `${phone.slice(0, 3)}-${phone.slice(3, 7)}-${phone.slice(7)}`,
    `${phone.slice(0, 3)} ${phone.slice(3, 7)} ${phone.slice(7)}`,
    `+86 ${phone}`,
  ];
  return chance.pick(shapes);
};

/** The ways in which one person can be written. Each function returns lines of text. */
const ways: Readonly<Record<string, (person: Person, chance: Chance) => string[]>> = {
  'one line': (person, chance) => {
    const address = regionOf(person, chance.pick(['', '', ' '])) + person.address;
    const parts = chance.pick([
      [person.name, phoneText(person.phone, chance), address],
      [address, person.name, phoneText(person.phone, chance)],
      [phoneText(person.phone, chance), person.name, address],
      [person.name, address, phoneText(person.phone, chance)],
      [address, phoneText(person.phone, chance), person.name],
    ]);
    return [parts.join(chance.pick([' ', '，', ',', ' ', '\t']))];
  },
  'three lines': (person, chance) => {
    const address = regionOf(person, '') + person.address;
    const phone = phoneText(person.phone, chance);
    return chance.pick([
      [person.name, phone, address],
      [address, person.name, phone],
      [person.name, address, phone],
      [phone, person.name, address],
    ]);
  },
  'two lines': (person, chance) => {
    const address = regionOf(person, '') + person.address;
    const who = chance.pick([
      `${person.name} ${phoneText(person.phone, chance)}`,
      `${person.name}，${person.phone}`,
      `${person.phone} ${person.name}`,
      `${person.name}${person.phone}`,
    ]);
    return chance.pick([
      [who, address],
      [address, who],
      [person.name, `${phoneText(person.phone, chance)} ${address}`],
      [`${person.name} ${address}`, phoneText(person.phone, chance)],
    ]);
  },
  'region apart': (person, chance) => {
    const lines = [regionOf(person, chance.pick(['', ' '])), person.address];
    return chance.pick([
      [person.name, person.phone, ...lines],
      [...lines, person.name, person.phone],
      [`${person.name} ${person.phone}`, ...lines],
      [...lines, `${person.name} ${person.phone}`],
    ]);
  },
  form: (person, chance) => {
    const colon = chance.pick(['：', ': ', ':']);
    const [who, number, where] = chance.pick([
      ['收货人', '手机号码', '详细地址'],
      ['收件人', '电话', '地址'],
      ['姓名', '联系电话', '收货地址'],
      ['联系人', '手机', '详细地址'],
    ] as const);
    const isApart = chance.below(2) === 0;
    const place = isApart
      ? [
          `所在地区${colon}${regionOf(person, chance.pick(['', ' ']))}`,
          `${where}${colon}${person.address}`,
        ]
      : [`${where}${colon}${regionOf(person, '')}${person.address}`];
    return chance.pick([
      [`${who}${colon}${person.name}`, `${number}${colon}${person.phone}`, ...place],
      [...place, `${who}${colon}${person.name}`, `${number}${colon}${person.phone}`],
      [`${who}${colon}${person.name}`, ...place, `${number}${colon}${person.phone}`],
    ]);
  },
};
const kinds = Object.keys(ways);
const remarks = ['谢谢老板', '备注：轻拿轻放', '麻烦尽快发货', '------', '加急', '2件'];

/**
 * Returns a pasted block of two to eight people, who are written in at least two different ways. In
 * some blocks the people are numbered. Some people have a remark on the next line.
 */
export const blockOf = (chance: Chance): Block => {
  const count = chance.between(2, 8);
  const people = Array.from({ length: count }, () => personOf(chance));
  const chosen = people.map((_, at) =>
    at < 2 ? chance.pick(at === 0 ? ['one line'] : kinds.slice(1)) : chance.pick(kinds),
  );
  // The kinds are put in random order.
  for (let at = count - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1);
    [chosen[at], chosen[other]] = [chosen[other]!, chosen[at]!];
  }
  const isNumbered = chance.below(8) === 0;
  const lines = people.flatMap((person, at) => {
    const own = ways[chosen[at]!]!(person, chance);
    if (isNumbered) own[0] = `${at + 1}${chance.pick(['.', '、', '. '])}${own[0]!}`;
    return chance.below(12) === 0 ? [...own, chance.pick(remarks)] : own;
  });
  return { text: lines.join('\n'), people, kinds: chosen };
};
