import { describe, expect, it } from 'vitest';
import { printersIn, readAnswer } from './component.ts';

describe('an answer of the print component', () => {
  it.each([
    [{ success: true, code: '0', message: '打印成功' }, true],
    [{ success: 'true' }, true],
    [{ success: false, code: '1', message: '缺纸' }, false],
    [{ code: 1 }, true],
    [{ code: '1' }, true],
    [{ code: '0', msg: '缺纸' }, false],
    [{}, false],
  ])('an answer %j of the print component is a success: %s', (fields, ok) =>
    expect(readAnswer(fields).ok).toBe(ok),
  );

  it('the text of a response of the print component is read from the field "message" or "msg"', () => {
    expect([
      readAnswer({ message: '缺纸' }).message,
      readAnswer({ msg: '缺纸' }).message,
      readAnswer({ message: 7 }).message,
    ]).toEqual(['缺纸', '缺纸', '']);
  });
});

describe('the printers of the component', () => {
  it.each([
    ['names', ['A', 'B'], ['A', 'B']],
    ['objects with a name', [{ name: 'A' }, { name: '' }, null], ['A']],
    ['JSON text', '["A"]', ['A']],
    ['broken text', '[', []],
    ['nothing', undefined, []],
  ])('the printers of the print component are read from %s', (_, content, names) =>
    expect(printersIn(content)).toEqual(names),
  );
});
