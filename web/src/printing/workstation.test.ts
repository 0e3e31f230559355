import { describe, expect, it } from 'vitest';
import { isSilent, usual, workstationFrom } from './workstation.ts';

describe('the printer settings of a computer', () => {
  it('a computer without stored printer settings has the defaults', () => {
    for (const stored of [null, undefined, {}, [], 'x', 7])
      expect(workstationFrom(stored)).toEqual(usual);
  });

  it('stored printer settings are read field by field, and each invalid field is replaced by its default', () => {
    expect(
      workstationFrom({
        driver: 'zpl',
        printer: 'A',
        format: '100x150',
        offset_x: 80,
        offset_y: -81,
        darkness: 31,
        port: 'serial',
        auto: true,
      }),
    ).toEqual({
      driver: 'zpl',
      printer: 'A',
      format: '100x150',
      start: 1,
      separate: false,
      offset_x: 80,
      offset_y: 0,
      darkness: null,
      port: 'serial',
      auto: true,
    });
    expect(
      workstationFrom({ driver: 'fax', format: 'A4', offset_x: 1.5, printer: 3, auto: 'yes' }),
    ).toEqual(usual);
  });

  it('a stored A4 format is read only for PDF, a start position above 4 becomes 1, and a TSPL darkness above 15 is ignored', () => {
    expect(
      workstationFrom({ driver: 'pdf', format: 'a4', start: 3, separate: true }),
    ).toMatchObject({ format: 'a4', start: 3, separate: true });
    expect(workstationFrom({ driver: 'pdf', format: 'a4', start: 5 })).toMatchObject({
      format: 'a4',
      start: 1,
    });
    expect(workstationFrom({ driver: 'zpl', format: 'a4' })).toMatchObject({ format: '76x130' });
    expect(workstationFrom({ driver: 'tspl', darkness: 15 }).darkness).toBe(15);
    expect(workstationFrom({ driver: 'tspl', darkness: 16 }).darkness).toBeNull();
  });

  it.each([
    ['pdf', 'file', false],
    ['component', 'file', true],
    ['zpl', 'file', false],
    ['zpl', 'serial', true],
    ['tspl', 'file', false],
    ['tspl', 'serial', true],
  ] as const)('a label by %s through %s prints without a dialog: %s', (driver, port, silent) =>
    expect(isSilent({ ...usual, driver, port })).toBe(silent),
  );
});
