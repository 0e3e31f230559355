import { expect, it } from 'vitest';
import { translator } from './translate.ts';

const texts = {
  lists: {
    chosen_one: '{count} row selected',
    chosen_other: '{count} rows selected',
    page: 'Page {page} of {pages}',
    clear: 'Clear',
  },
  deep: { er: { key: 'Found' } },
};
const say = translator(texts, 'en-US');

it('a text key at any depth is translated with its parameters, and a missing parameter becomes an empty text', () => {
  expect(say('lists.clear')).toBe('Clear');
  expect(say('deep.er.key')).toBe('Found');
  expect(say('lists.page', { page: 2, pages: '1,204' })).toBe('Page 2 of 1,204');
  expect(say('lists.page', { page: 2 })).toBe('Page 2 of ');
});

it.each([
  [0, '0 rows selected'],
  [1, '1 row selected'],
  ['1', '1 row selected'],
  ['1,001', '1,001 rows selected'],
])('a count of %j chooses its English form', (count, words) => {
  expect(say('lists.chosen', { count })).toBe(words);
});

it('a Chinese text has the same form whether it counts one thing or several', () => {
  expect(translator({ chosen: '已选 {count} 单' }, 'zh-CN')('chosen', { count: 1 })).toBe(
    '已选 1 单',
  );
});

it('if a text key has no text or belongs to a group of texts, the key itself is shown', () => {
  expect(say('lists.gone')).toBe('lists.gone');
  expect(say('lists')).toBe('lists');
  expect(say('lists.clear.more')).toBe('lists.clear.more');
});
