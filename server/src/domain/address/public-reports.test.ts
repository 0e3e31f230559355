import { expect, test } from 'vitest';
import { publicCases } from '#testing/public-cases.ts';
import { parseAddress } from './address.ts';

interface ParseCase {
  id: string;
  t: string;
  /** The expected name, phone, extension, province, city, county and address. */
  x?: [string, string, string, string, string, string, string];
  n?: number;
}

test.each(publicCases<ParseCase>('parse').map((line) => [line.id, line] as const))(
  'the reported text %s is read as its author expects',
  (_, { t, x, n = 1 }) => {
    const { candidates } = parseAddress(t);
    expect(candidates).toHaveLength(n);
    if (!x) return;
    const [found] = candidates;
    expect([
      found!.name,
      found!.phone,
      found!.extension,
      found!.province,
      found!.city,
      found!.county,
      found!.address,
    ]).toEqual(x);
  },
);

const formerCases = publicCases<{ old: string; want: string }>('former', 'former-above').map(
  ({ old, want }) => [old, want] as const,
);

test.each(formerCases)('the former place %s in a pasted text becomes %s', (old, want) => {
  const [found] = parseAddress(`张三 13800001234 ${old}人民路12号`).candidates;
  expect([found!.province, found!.city, found!.county].join('|')).toBe(want);
});

test.each([
  ['朝阳区人民大街100号 长春', '吉林省|长春市|朝阳区|人民大街100号'],
  ['朝阳区人民大街100号，长春市，吉林省', '吉林省|长春市|朝阳区|人民大街100号'],
  ['鼓楼区五四路1号，福州', '福建省|福州市|鼓楼区|五四路1号'],
  ['天河区体育西路101号 广州', '广东省|广州市|天河区|体育西路101号'],
  ['广州市天河区天河区体育西路101号', '广东省|广州市|天河区|体育西路101号'],
  ['广州市天河区天河区人民路5号', '广东省|广州市|天河区|人民路5号'],
  ['广州市天河区天河区人民政府', '广东省|广州市|天河区|天河区人民政府'],
  ['上海市南汇区南汇区惠南镇1号', '上海市|上海市|浦东新区|惠南镇1号'],
  ['上海南汇惠南镇人民路1号', '上海市|上海市|浦东新区|南汇惠南镇人民路1号'],
  ['天津塘沽洋货市场3号', '天津市|天津市|滨海新区|塘沽洋货市场3号'],
  ['上海市卢湾淮海中路1号', '上海市|上海市|黄浦区|卢湾淮海中路1号'],
  ['北京宣武菜市口大街2号', '北京市|北京市|西城区|宣武菜市口大街2号'],
  ['北京市崇文天坛东路5号', '北京市|北京市|东城区|崇文天坛东路5号'],
  ['重庆双桥龙水湖路1号', '重庆市|重庆市|大足区|双桥龙水湖路1号'],
  ['南京市下关热河路1号', '江苏省|南京市|鼓楼区|下关热河路1号'],
  ['南京白下路100号', '江苏省|南京市||白下路100号'],
  ['天津塘沽路1号', '天津市|天津市||塘沽路1号'],
  ['武汉市汉阳钟家村1号', '湖北省|武汉市|汉阳区|钟家村1号'],
  ['江苏省江阴县澄江镇1号', '江苏省|无锡市|江阴市|澄江镇1号'],
  ['重庆市江北县两路镇1号', '重庆市|重庆市|渝北区|两路镇1号'],
  ['四川省涪陵市枳城区兴华路1号', '重庆市|重庆市|涪陵区|兴华路1号'],
  ['四川省黔江地区酉阳县钟多镇1号', '重庆市|重庆市|酉阳土家族苗族自治县|钟多镇1号'],
  ['湖北襄樊樊城区长虹路1号', '湖北省|襄阳市|樊城区|长虹路1号'],
  ['海南通什市河北西路1号', '海南省|五指山市||河北西路1号'],
  ['广西南宁地区崇左县太平镇1号', '广西壮族自治区|崇左市|江州区|太平镇1号'],
  ['新疆哈密地区哈密市广东路1号', '新疆维吾尔自治区|哈密市|伊州区|广东路1号'],
  ['新疆石河子北三路12小区', '新疆维吾尔自治区|石河子市||北三路12小区'],
  ['新疆自治区直辖县级行政单位五家渠市长征路1号', '新疆维吾尔自治区|五家渠市||长征路1号'],
  ['海南省文昌文城镇文建路1号', '海南省|文昌市||文城镇文建路1号'],
  ['海南省省直辖县级行政区划琼海市嘉积镇1号', '海南省|琼海市||嘉积镇1号'],
  ['湖北潜江园林办事处1号', '湖北省|潜江市||园林办事处1号'],
  ['湖北神农架松柏镇1号', '湖北省|神农架林区||松柏镇1号'],
  ['河南济源市沁园街道1号', '河南省|济源市||沁园街道1号'],
  ['伊犁哈萨克自治州阿勒泰市文化路1号', '新疆维吾尔自治区|阿勒泰地区|阿勒泰市|文化路1号'],
  ['河北雄安新区容城县奥威路1号', '河北省|保定市|容城县|奥威路1号'],
])('the address %s is parsed as %s', (text, expected) => {
  const [found] = parseAddress(`张三 13800001234 ${text}`).candidates;
  expect([found!.province, found!.city, found!.county, found!.address].join('|')).toBe(expected);
});

test.each([
  '单位',
  '公司',
  '家庭',
  '邮寄',
  '寄送',
  '收件',
  '学校',
  '办公',
  '维修',
  '仓库',
  '取件',
  '现住',
])('%s地址 before a colon is a label', (word) => {
  const [found] = parseAddress(
    `${word}地址：广东省深圳市南山区科技园路9号\n李梅 13800003014`,
  ).candidates;
  expect([found!.name, found!.county, found!.address]).toEqual(['李梅', '南山区', '科技园路9号']);
});

test.each([
  '(转1234)',
  '（转接1234）',
  '-转1234',
  'P1234',
  ' 分机1234',
  '（分机号：1234）',
  '[1234]',
  ' ext.1234',
  '转1234',
])('the extension %s behind a phone is kept, and is not part of the address', (written) => {
  const [found] = parseAddress(
    `李二 18473460101${written} 湖北省荆门市掇刀区白云大道9号`,
  ).candidates;
  expect([found!.name, found!.phone, found!.extension, found!.address]).toEqual([
    '李二',
    '18473460101',
    '1234',
    '白云大道9号',
  ]);
});

test.each(['18473460101-2栋501', '18473460101 P3停车场'])(
  'the text behind the phone in %s is not an extension',
  (text) => {
    expect(
      parseAddress(`李二 湖北省荆门市掇刀区白云大道9号 ${text}`).candidates[0]!.extension,
    ).toBe('');
  },
);
