import { describe, expect, it } from 'vitest';
import { isSilent, usual, workstationFrom } from './workstation.ts';

describe('the printer settings of a computer', () => {
  it('settings that were never stored are as usual', () => {
    for (const stored of [null, undefined, {}, [], 'x', 7]) expect(workstationFrom(stored)).toEqual(usual);
  });

  it('settings keep each stored field that is within its bounds, and replace the others', () => {
    expect(workstationFrom({ driver: 'zpl', printer: 'A', format: '100x150', offset_x: 80, offset_y: -81, darkness: 31, port: 'serial', auto: true })).toEqual({
      driver: 'zpl',
      printer: 'A',
      format: '100x150',
      offset_x: 80,
      offset_y: 0,
      darkness: null,
      port: 'serial',
      auto: true,
    });
    expect(workstationFrom({ driver: 'fax', format: 'A4', offset_x: 1.5, printer: 3, auto: 'yes' })).toEqual(usual);
  });

  it.each([
    ['pdf', 'file', false],
    ['component', 'file', true],
    ['zpl', 'file', false],
    ['zpl', 'serial', true],
  ] as const)('%s by %s prints without a dialog: %s', (driver, port, silent) => expect(isSilent({ ...usual, driver, port })).toBe(silent));
});
