import { expect, it } from 'vitest';
import { pinyinInitials } from './pinyin-initials.ts';

it.each([
  ['手机配件', 'sjpj'],
  ['日用百货', 'rybh'],
  ['鹅绒、欧式 安全帽', 'erosaqm'],
  ['农产品', 'ncp'],
  ['玩具 LEGO 3', 'wjlego3'],
  ['他塔瓦外杂匝三撒妈压', 'ttwwzzssmy'],
])('the initials of %s are %s', (text, initials) => {
  expect(pinyinInitials(text)).toBe(initials);
});
