import { describe, expect, it } from 'vitest';
import { actionsWidth, fittedWidth, rowActionsWidth, textWidth } from './fitted-width.ts';

describe('the width of a column', () => {
  it('a Chinese character is as wide as the size of the font, a Latin one narrower', () => {
    expect(textWidth('承运商')).toBe(39);
    expect(textWidth('ill')).toBeLessThan(textWidth('and'));
    expect(textWidth('WWW')).toBeLessThan(textWidth('承运商'));
  });

  it('a column has room for its title, with the arrows where it sorts', () => {
    expect(fittedWidth('创建时间')).toBe(68);
    expect(fittedWidth('创建时间', { sorts: true })).toBe(84);
  });

  it('a column is as wide as the longest of its texts and at least as wide as its other cells', () => {
    const texts = ['Road', 'Ordinary goods'];
    expect(fittedWidth('Type', { texts })).toBe(fittedWidth('Ordinary goods'));
    expect(fittedWidth('Type', { texts, beside: 40 })).toBe(fittedWidth('Ordinary goods') + 40);
    expect(fittedWidth('类型', { least: 96 })).toBe(96);
  });

  it('a column of actions has room for their texts side by side', () => {
    expect(actionsWidth('操作', ['修改', '再下一单'])).toBe(104);
    expect(actionsWidth('操作', [])).toBe(fittedWidth('操作'));
  });

  it('a column of row actions has room for the two longest ones, and for dots if there are others', () => {
    const edit = { label: '修改' };
    const again = { label: '再下一单' };
    expect(rowActionsWidth('操作', [edit, again])).toBe(actionsWidth('操作', ['修改', '再下一单']));
    const remove = { label: '删除这一条', danger: true };
    expect(rowActionsWidth('操作', [edit, again, remove])).toBe(132);
    expect(rowActionsWidth('操作', [remove])).toBe(fittedWidth('操作', { least: 42 }));
  });
});
