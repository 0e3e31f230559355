import { expect, it } from 'vitest';
import { pinyinInitials, pinyinKeys, typedPinyin } from './pinyin.ts';

it.each([
  ['手机配件', 'sjpj'],
  ['日用百货', 'rybh'],
  ['鹅绒、欧式 安全帽', 'erosaqm'],
  ['农产品', 'ncp'],
  ['玩具 LEGO 3', 'wjlego3'],
  ['他塔瓦外杂匝三撒妈压', 'ttwwzzssmy'],
])('the pinyin initials of %s are %s', (text, initials) => {
  expect(pinyinInitials(text)).toBe(initials);
});

it('a name is found by its pinyin or initials, starting at any of its characters', () => {
  expect(pinyinKeys('王小明').split(' ').toSorted()).toEqual(
    ['wangxiaoming', 'wxm', 'xiaoming', 'xm', 'ming'].toSorted(),
  );
  expect(pinyinKeys('吕').split(' ')).toEqual(['lv']);
  expect(pinyinKeys('JD 7号店').split(' ')).toContain('jd7hd');
});

it('if a surname or place name has several pronunciations, the name is found by each of them', () => {
  expect(pinyinKeys('单雄').split(' ')).toEqual(expect.arrayContaining(['danxiong', 'shanxiong']));
  expect(pinyinKeys('曾国').split(' ')).toEqual(expect.arrayContaining(['zg', 'cg']));
  expect(pinyinKeys('重庆站').split(' ')).toEqual(expect.arrayContaining(['cqz', 'zqz']));
  expect(pinyinKeys('厦门').split(' ')).toEqual(expect.arrayContaining(['xiamen', 'shamen']));
});

it('the pinyin keys of the longest name stay within their length limit, and a name without Chinese has no pinyin key', () => {
  for (const name of ['重'.repeat(50), '曾长重单解朴'.repeat(9), '𠀀'.repeat(50)])
    expect(pinyinKeys(name).length).toBeLessThanOrEqual(4 * 24 * 2 * 21);
  expect(pinyinKeys('Smith & Co.')).toBe('');
  expect(pinyinKeys('%_\\')).toBe('');
});

it.each([
  ["wang'xiao ming", 'wangxiaoming'],
  ['WX', 'wx'],
  ['ｗＸ７', 'wx7'],
  ['lü', 'lv'],
  ['7hd', '7hd'],
  ['1234', null],
  ['王wx', null],
  ['w%', null],
  ['w', null],
])('the typed text %s is read as the pinyin %s', (text, typed) => {
  expect(typedPinyin(text)).toBe(typed);
});
