import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';

const mappingOf = (title: string) =>
  layoutOf([
    ['收件人', '手机', '收件地址', title, '件数'],
    ['张三', '13900139001', '上海市浦东新区世纪大道100号', '文件', '1'],
  ]).mapping;

it('an import column titled exactly 货品, 货物 or 宝贝 is the goods column; a longer title that begins with such a word is not', () => {
  for (const title of ['货品', '货物', '宝贝']) expect(mappingOf(title).goods, title).toBe(3);
  for (const title of ['货品编码', '货物重量'])
    expect(mappingOf(title).goods, title).toBeUndefined();
  expect(mappingOf('货物重量').weight).toBe(3);
});
