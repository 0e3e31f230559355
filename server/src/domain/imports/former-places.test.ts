import { expect, test } from 'vitest';
import { publicCases } from '#testing/public-cases.ts';
import { checkRow } from './check.ts';
import type { SheetRules } from './check.ts';
import { layoutOf } from './layout.ts';

const titles = ['收件人', '手机', '省', '市', '区', '详细地址', '物品', '重量'];
const rules: SheetRules = {
  mapping: layoutOf([titles, titles.map(() => '')]).mapping,
  defaults: {
    sender_name: '示例网点',
    sender_phone: '13800001011',
    sender_province: '广东省',
    sender_city: '深圳市',
    sender_county: '南山区',
    sender_address: '示例科技路2号',
    promise_id: 'ed-1',
  },
  references: {
    goods: [{ name: '文件', type: 1, banned: 0, banned_reason: '' }],
    promises: [
      {
        provider: 'jdl',
        promise_id: 'ed-1',
        promise_name: '示例标快',
        promise_name_en: 'Example standard',
      },
    ],
    allow_select: 1,
    max_weight: 50_000,
  },
};
const checked = (province: string, city: string, county: string, address = '人民路12号') =>
  checkRow(['张三', '13900139001', province, city, county, address, '文件', '1.5'], rules, {});
const placeIn = (province: string, city: string, county: string, address?: string): string => {
  const { values } = checked(province, city, county, address);
  return [values.receive_province, values.receive_city, values.receive_county].join('|');
};

/** The columns of a sheet for a place such as 福建省三明市梅列区: province, city and the rest. */
const columnsOf = (old: string): [string, string, string] => {
  const [, province = '', rest = ''] =
    /^(.+?(?:省|自治区)|重庆市|西藏|广西|新疆)(.*)$/.exec(old) ?? [];
  const [, city = '', county = ''] = /^(.+?(?:地区|市|县(?=.*镇)))(.*)$/.exec(rest) ?? [];
  return city === '' ? [province, '', rest] : [province, city, county];
};

const former = publicCases<{ old: string; want: string }>('former', 'former-above').map(
  ({ old, want }) => [...columnsOf(old), want] as const,
);

test.each(former)(
  'the former place %s %s %s in the columns of an import becomes %s',
  (province, city, county, want) => {
    expect(placeIn(province, city, county)).toBe(want);
  },
);

test('a county of an import row that was renamed or merged into one county is repaired, and the row can be ordered', () => {
  const { mark, problems } = checked('北京市', '北京市', '宣武区');
  expect(mark).toBe('repaired');
  expect(problems).toEqual([
    {
      field: 'receive_county',
      level: 'repaired',
      reason: { code: 'import_repaired', params: { was: '宣武区' } },
      was: '宣武区',
    },
  ]);
});

test('a county of an import row that no longer exists becomes the county which has most of its area, with a warning that lists all counties', () => {
  const { mark, problems, values } = checked('山西省', '大同市', '城区');
  expect([mark, values.receive_county]).toEqual(['warning', '平城区']);
  expect(problems.find(({ level }) => level === 'warning')).toMatchObject({
    field: 'receive_county',
    reason: {
      code: 'division_county_former',
      params: { name: '城区', candidates: '平城区 / 云冈区' },
    },
    fixes: ['平城区', '云冈区'],
  });
});

test('a county of an import row that was divided into several counties is an error, with these counties as suggested corrections', () => {
  const { mark, problems } = checked('江苏省', '苏州市', '吴县市');
  expect(mark).toBe('error');
  expect(problems).toMatchObject([
    {
      field: 'receive_county',
      level: 'error',
      reason: { code: 'division_county_former' },
      fixes: ['吴中区', '相城区'],
    },
  ]);
});

test.each([
  ['江苏省', '江阴县', '', '江苏省|无锡市|江阴市'],
  ['江苏省', '无锡市', '江阴县', '江苏省|无锡市|江阴市'],
  ['上海市', '上海市', '南汇区', '上海市|上海市|浦东新区'],
  ['上海', '', '卢湾区', '上海市|上海市|黄浦区'],
  ['天津市', '市辖区', '塘沽区', '天津市|天津市|滨海新区'],
  ['重庆市', '重庆市', '江北县', '重庆市|重庆市|渝北区'],
  ['湖北省', '武汉市', '汉阳县', '湖北省|武汉市|蔡甸区'],
  ['湖北省', '襄樊市', '樊城区', '湖北省|襄阳市|樊城区'],
  ['四川省', '涪陵市', '丰都县', '重庆市|重庆市|丰都县'],
  ['四川省', '重庆市', '沙坪坝区', '重庆市|重庆市|沙坪坝区'],
  ['广东省', '海南行政区', '文昌县', '海南省|文昌市|'],
  ['广西', '南宁地区', '崇左县', '广西壮族自治区|崇左市|江州区'],
  ['新疆', '哈密地区', '哈密市', '新疆维吾尔自治区|哈密市|伊州区'],
  ['新疆', '伊犁哈萨克自治州', '乌苏市', '新疆维吾尔自治区|塔城地区|乌苏市'],
  ['新疆', '自治区直辖县级行政区划', '石河子市', '新疆维吾尔自治区|石河子市|'],
  ['海南省', '文昌市', '文昌市', '海南省|文昌市|'],
  ['海南省', '省直辖县级行政区划', '琼海市', '海南省|琼海市|'],
  ['河南省', '济源市', '', '河南省|济源市|'],
  ['江苏省', '吴江市', '盛泽镇', '江苏省|苏州市|吴江区'],
] as const)(
  'the former divisions %s %s %s in the region columns of an import are read as %s',
  (province, city, county, want) => {
    expect(placeIn(province, city, county)).toBe(want);
  },
);

test('if the city of an import row is a county-level city and its county is a town, the town is moved to the front of the address', () => {
  expect(checked('江苏省', '吴江市', '盛泽镇').values.receive_address).toBe('盛泽镇人民路12号');
});
