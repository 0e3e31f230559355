import { describe, expect, it } from 'vitest';
import { actionsWidth, fittedWidth, rowActionsWidth, textWidth } from './fitted-width.ts';

describe('the width of a column', () => {
  it('a Chinese character is as wide as the font size, and a Latin letter is narrower', () => {
    expect(textWidth('承运商')).toBe(39);
    expect(textWidth('ill')).toBeLessThan(textWidth('and'));
    expect(textWidth('WWW')).toBeLessThan(textWidth('承运商'));
  });

  it('a column is wide enough for its title, and for the sort arrows if it can be sorted', () => {
    expect(fittedWidth('创建时间')).toBe(68);
    expect(fittedWidth('创建时间', { sorts: true })).toBe(84);
  });

  it('a column has the width of its longest text and of the content beside the text, but at least its minimum width', () => {
    const texts = ['Road', 'Ordinary goods'];
    expect(fittedWidth('Type', { texts })).toBe(fittedWidth('Ordinary goods'));
    expect(fittedWidth('Type', { texts, beside: 40 })).toBe(fittedWidth('Ordinary goods') + 40);
    expect(fittedWidth('类型', { least: 96 })).toBe(96);
  });

  it('a column of actions is wide enough for the texts of all actions side by side', () => {
    expect(actionsWidth('操作', ['修改', '再下一单'])).toBe(104);
    expect(actionsWidth('操作', [])).toBe(fittedWidth('操作'));
  });

  it('a column of row actions is wide enough for two actions, or, if a row has more, for the two longest ones and a “more” button', () => {
    const edit = { label: '修改' };
    const again = { label: '再下一单' };
    expect(rowActionsWidth('操作', [edit, again])).toBe(actionsWidth('操作', ['修改', '再下一单']));
    const remove = { label: '删除这一条', danger: true };
    expect(rowActionsWidth('操作', [edit, again, remove])).toBe(132);
    expect(rowActionsWidth('操作', [remove])).toBe(fittedWidth('操作', { least: 42 }));
  });
});
