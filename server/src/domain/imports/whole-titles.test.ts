import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';

const mappingOf = (title: string) =>
  layoutOf([
    ['收件人', '手机', '收件地址', title, '件数'],
    ['张三', '13900139001', '上海市浦东新区世纪大道100号', '文件', '1'],
  ]).mapping;

it('the import titles 货品, 货物 and 宝贝 alone mean the goods, and longer titles that begin so do not', () => {
  for (const title of ['货品', '货物', '宝贝']) expect(mappingOf(title).goods, title).toBe(3);
  for (const title of ['货品编码', '货物重量'])
    expect(mappingOf(title).goods, title).toBeUndefined();
  expect(mappingOf('货物重量').weight).toBe(3);
});
