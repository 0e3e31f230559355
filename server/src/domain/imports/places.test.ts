import { expect, test } from 'vitest';
import { fixesByField } from './places.ts';

test.for([
  ['广东省', '深圳市', '天河区', 'county', 'city 广州市; county 罗湖区 福田区'],
  ['浙江省', '深圳市', '南山区', 'city', 'province 广东省'],
  ['广东省', '', '朝阳区', 'county', 'province 北京市 吉林省'],
  ['', '', '鼓楼区', 'county', 'city 南京市 徐州市'],
  ['江苏省', '', '鼓楼区', 'county', 'city 南京市 徐州市'],
  ['河北省', '石家庄市', '桥东区', 'county', 'county 长安区 桥西区'],
  ['广东省', '广州市', '天和区', 'county', 'county 天河区 荔湾区'],
  ['广东省', '珠海市', '', 'county', 'county 香洲区 斗门区'],
  ['安徽省', '巢湖地区', '', 'city', 'city 合肥市 芜湖市'],
] as const)(
  'an import row with the division names %s %s %s suggests every text that would correct it, at its field',
  ([province, city, county, field, expected]) => {
    const fixes = fixesByField(field, { province, city, county });
    expect(fixes.map(([one, texts]) => [one, ...texts.slice(0, 2)].join(' ')).join('; ')).toBe(
      expected,
    );
    expect(fixes.every(([one, texts]) => !texts.includes({ province, city, county }[one]))).toBe(
      true,
    );
  },
);
