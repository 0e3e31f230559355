import { describe, expect, it } from 'vitest';
import { provinceCodes } from '@waystation/contract/parcels/provinces.ts';
import type { Zone } from '@waystation/contract/money/voucher-content.ts';
import {
  addCity,
  applyRow,
  clearRange,
  emptyGrid,
  fillDown,
  removeBracket,
  setCells,
  toggleClosed,
  withBrackets,
} from './grid.ts';
import type { Grid } from './grid.ts';
import { cellOfPath, changesFrom, contentOf, gridOf } from './grid-content.ts';
import { copyAll, copyRange, parseTable, paste, readHeads } from './grid-paste.ts';
import { redo, remember, startHistory, undo } from './history.ts';

const at = (row: number, column: number, toRow = row, toColumn = column) => ({
  row,
  column,
  toRow,
  toColumn,
});
const rowOf = (grid: Grid, area: string) => grid.rows.find((row) => row.area === area)!;
const beijing = '110000';

describe('the grid', () => {
  it('the price grid contains the 34 provinces, and a template read into the grid is returned unchanged', () => {
    expect(
      emptyGrid()
        .rows.map(({ area }) => area)
        .toSorted(),
    ).toEqual([...provinceCodes].toSorted());
    const zones: Zone[] = [
      {
        name: '一区',
        areas: ['110000', '120000'],
        not_served: 0,
        first: { max_g: 1_000, price: 1_200 },
        brackets: [{ up_to_g: 30_000, step_g: 500, price: 150 }],
        minimum: 900,
      },
      {
        name: '',
        areas: ['440300'],
        not_served: 0,
        first: { max_g: 3_000, price: 900 },
        brackets: [],
        minimum: 0,
      },
      { name: '', areas: ['810000'], not_served: 1 },
    ];
    const grid = gridOf({ zones });
    expect(rowOf(grid, beijing).cells).toEqual(['一区', '1', '12.00', '30', '0.5', '1.50', '9.00']);
    expect(grid.rows.findIndex(({ area }) => area === '440300')).toBe(
      grid.rows.findIndex(({ area }) => area === '440000') + 1,
    );
    expect(contentOf(grid)).toMatchObject({ zones, problems: [] });
  });

  it('the price grid normalizes readable figures and keeps unreadable figures as typed, with a problem', () => {
    const grid = setCells(emptyGrid(), [
      { row: 0, column: 1, text: '１kg' },
      { row: 0, column: 2, text: '¥12' },
      { row: 0, column: 5, text: 'abc' },
    ]);
    expect(grid.rows[0]?.cells).toEqual(['', '1', '12.00', '', '', 'abc', '']);
    expect(contentOf(grid).problems).toEqual([
      { row: 0, column: 3, code: 'missing' },
      { row: 0, column: 4, code: 'missing' },
      { row: 0, column: 5, code: 'unreadable' },
    ]);
  });

  it('the price grid reports bracket bounds that are not ascending and a step that does not divide the length of its bracket', () => {
    const [bad, uneven] = [
      ['1', '12', '1', '1', '2'],
      ['1', '12', '30', '7', '2'],
    ].map((cells) =>
      setCells(
        emptyGrid(),
        cells.map((text, index) => ({ row: 0, column: index + 1, text })),
      ),
    );
    expect(contentOf(bad!).problems).toEqual([{ row: 0, column: 3, code: 'not_ascending' }]);
    expect(contentOf(uneven!).problems).toEqual([{ row: 0, column: 4, code: 'step_not_dividing' }]);
  });

  it('a row of the price grid becomes “not served” by typing these words or by a toggle, and is served again when a price is typed', () => {
    const closed = setCells(emptyGrid(), [{ row: 0, column: 2, text: '不送达' }]);
    expect(contentOf(closed).zones).toEqual([{ name: '', areas: [beijing], not_served: 1 }]);
    expect(setCells(closed, [{ row: 0, column: 2, text: '9' }]).rows[0]).toMatchObject({
      closed: false,
    });
    const both = toggleClosed(closed, at(0, 0, 1, 0));
    expect(both.rows.slice(0, 2).map((row) => row.closed)).toEqual([true, true]);
    expect(toggleClosed(both, at(0, 0, 1, 0)).rows[1]?.closed).toBe(false);
  });

  it('the price grid can fill down, clear cells, and copy a row to all rows of its region or to all empty rows', () => {
    const priced = setCells(emptyGrid(), [
      { row: 0, column: 1, text: '1' },
      { row: 0, column: 2, text: '8' },
    ]);
    expect(fillDown(priced, at(0, 1, 3, 2)).rows[3]?.cells.slice(1, 3)).toEqual(['1', '8.00']);
    expect(fillDown(priced, at(1, 1, 1, 2)).rows[1]?.cells.slice(1, 3)).toEqual(['1', '8.00']);
    expect(clearRange(priced, at(0, 1, 0, 2)).rows[0]!.cells).toEqual(emptyGrid().rows[0]?.cells);
    expect(contentOf(applyRow(priced, 0, 'region')).zones[0]?.areas).toEqual([
      '110000',
      '120000',
      '130000',
      '140000',
      '150000',
    ]);
    expect(contentOf(applyRow(priced, 0, 'empty')).zones[0]?.areas).toHaveLength(34);
  });

  it('the price grid adds and removes brackets and cities', () => {
    const grid = withBrackets(setCells(emptyGrid(), [{ row: 0, column: 6, text: '5' }]), 3);
    expect(grid.rows[0]?.cells).toHaveLength(13);
    expect(grid.rows[0]?.cells.at(-1)).toBe('5.00');
    expect(removeBracket(grid, 1).rows[0]?.cells).toHaveLength(10);
    const priced = setCells(emptyGrid(), [
      { row: emptyGrid().rows.findIndex(({ area }) => area === '440000'), column: 2, text: '8' },
    ]);
    expect(rowOf(addCity(priced, '440300'), '440300').cells[2]).toBe('8.00');
  });

  it('the price grid marks the cells that differ from the published version, and finds the cell in which the server reports a problem', () => {
    const before = applyRow(
      setCells(emptyGrid(), [
        { row: 0, column: 1, text: '1' },
        { row: 0, column: 2, text: '8' },
      ]),
      0,
      'empty',
    );
    const now = setCells(before, [{ row: 2, column: 2, text: '9' }]);
    const changed = changesFrom(before);
    expect(
      now.rows.flatMap((row, index) =>
        row.cells.flatMap((_, column) =>
          changed(row, column, now.brackets) ? [[index, column]] : [],
        ),
      ),
    ).toEqual([[2, 2]]);
    expect(cellOfPath(now, contentOf(now), 'zones.1')).toEqual({ row: 2, column: 2 });
    expect(cellOfPath(now, contentOf(now), 'zones.0.brackets.1', '120000')).toEqual({
      row: 1,
      column: 8,
    });
  });
});

describe('a paste', () => {
  it('a paste into the price grid reads quotes and new lines as spreadsheets write them', () => {
    expect(parseTable('a\t"b\n""c"""\r\n1\t2\r\n')).toEqual([
      ['a', 'b\n"c"'],
      ['1', '2'],
    ]);
  });

  it('a paste into the price grid finds its rows and columns by the region names and column titles, in whatever order they are pasted', () => {
    const text =
      '目的省份\t首重(1kg)\t续重(元/kg)\t上限kg\n广东省\t8\t1.5\t30\n江苏、浙江、上海市\t10\t2\t30\n西藏自治区\t不发\t\t\n火星\t1\t1\t1';
    const { grid, unknown } = paste(emptyGrid(), at(5, 3), text);
    expect(unknown).toEqual(['火星']);
    expect(rowOf(grid, '440000').cells).toEqual(['', '1', '8.00', '30', '1', '1.50', '']);
    expect(['320000', '330000', '310000'].map((area) => rowOf(grid, area).cells[2])).toEqual([
      '10.00',
      '10.00',
      '10.00',
    ]);
    expect(rowOf(grid, '540000')).toMatchObject({ closed: true });
    expect(contentOf(grid).problems).toEqual([]);
  });

  it('if a copy of the price grid is pasted into the same grid, nothing changes: the brackets and the rows “not served” stay the same', () => {
    const grid = toggleClosed(
      withBrackets(
        applyRow(
          setCells(
            emptyGrid(),
            ['一区', '1', '8', '10', '1', '2', '5'].map((text, column) => ({
              row: 0,
              column,
              text,
            })),
          ),
          0,
          'empty',
        ),
        2,
      ),
      at(33, 0),
    );
    const filled = setCells(grid, [
      { row: 1, column: 6, text: '50' },
      { row: 1, column: 7, text: '1' },
      { row: 1, column: 8, text: '1.8' },
    ]);
    const zh = {
      areaName: (area: string) => area,
      heads: [
        '分区',
        '首重（kg）',
        '首重价',
        '续重 1 上限（kg）',
        '续重 1 单位（kg）',
        '续重 1 单价',
        '续重 2 上限（kg）',
        '续重 2 单位（kg）',
        '续重 2 单价',
        '最低收费',
      ],
      area: '省份',
      closed: '不送达',
    };
    const back = paste(emptyGrid(), at(0, 0), copyAll(filled, zh), (name) => name);
    expect(contentOf(back.grid).zones).toEqual(contentOf(filled).zones);
  });

  it('a paste without region names fills the price grid cell by cell, and a single pasted value fills the whole selection', () => {
    const wide = paste(emptyGrid(), at(1, 1), '1\t8\t10\t1\t2\t50\t1\t1.8');
    expect(wide.grid.brackets).toBe(2);
    expect(wide.grid.rows[1]?.cells).toEqual([
      '',
      '1',
      '8.00',
      '10',
      '1',
      '2.00',
      '50',
      '1',
      '1.80',
      '',
    ]);
    expect(
      paste(emptyGrid(), at(0, 2, 2, 2), '7')
        .grid.rows.slice(0, 4)
        .map((row) => row.cells[2]),
    ).toEqual(['7.00', '7.00', '7.00', '']);
    const named = paste(emptyGrid(), at(9, 1), '广东\t1\t8\n湖南\t1\t9');
    expect([rowOf(named.grid, '440000').cells[2], rowOf(named.grid, '430000').cells[2]]).toEqual([
      '8.00',
      '9.00',
    ]);
  });

  it('pasted rows that begin with a region name fill that region’s row from the selected column to the right; missing brackets are added', () => {
    const prices = paste(emptyGrid(), at(9, 2), '广东\t8\n湖南\t9');
    expect(rowOf(prices.grid, '440000').cells.slice(1, 3)).toEqual(['', '8.00']);
    const wide = paste(emptyGrid(), at(0, 3), '广东\t10\t1\t2\t50\t1\t1.8');
    expect(wide.grid.brackets).toBe(2);
    expect(rowOf(wide.grid, '440000').cells.slice(3, 9)).toEqual([
      '10',
      '1',
      '2.00',
      '50',
      '1',
      '1.80',
    ]);
    const zone = paste(emptyGrid(), at(0, 0), '广东\t一区\t1\t8');
    expect(rowOf(zone.grid, '440000').cells.slice(0, 3)).toEqual(['一区', '1', '8.00']);
    const figures = paste(emptyGrid(), at(0, 0), '广东\t1\t8');
    expect(rowOf(figures.grid, '440000').cells.slice(0, 3)).toEqual(['', '1', '8.00']);
  });

  it('a value pasted into a weight column of the price grid marks the column as doubtful if the value looks like a price', () => {
    const doubts = (text: string, column = 1) => paste(emptyGrid(), at(0, column), text).doubts;
    expect(doubts('广东\t12.00\t2')).toEqual([{ column: 1, text: '12.00' }]);
    expect(doubts('广东\t8元')).toEqual([{ column: 1, text: '8元' }]);
    expect(doubts('8\n9\n10')).toEqual([{ column: 1, text: '8' }]);
    expect(doubts('省份\t首重\t续重\n广东\t8\t2\n湖南\t9\t2\n四川\t10\t2')).toMatchObject([
      { column: 1, text: '8' },
    ]);
    for (const text of ['广东\t1\t8\n湖南\t1\t9\n四川\t0.5\t10', '广东\t不送达', '1\t12.00'])
      expect(doubts(text)).toEqual([]);
    expect(doubts('12.00', 2)).toEqual([]);
  });

  it('a paste into the price grid distinguishes column titles in both languages from numbers', () => {
    expect(readHeads(['1', '12'])).toBeNull();
    expect(
      readHeads([
        'Province',
        'First weight (kg)',
        'First price',
        'Bracket 1 up to (kg)',
        'Step 1 (kg)',
        'Step 1 price',
        'Minimum',
      ])!.map(({ area, column }) => (area ? 'area' : column)),
    ).toEqual([
      'area',
      'first.max_g',
      'first.price',
      'brackets.0.up_to_g',
      'brackets.0.step_g',
      'brackets.0.price',
      'minimum',
    ]);
  });

  it('a copied range of the price grid is written to the clipboard as the grid shows it', () => {
    const grid = toggleClosed(
      setCells(emptyGrid(), [
        { row: 0, column: 1, text: '1' },
        { row: 0, column: 2, text: '8' },
      ]),
      at(1, 0),
    );
    expect(copyRange(grid, at(0, 1, 1, 2), '不送达')).toBe('1\t8.00\n不送达\t不送达');
  });
});

describe('undo', () => {
  it('an undone change of the price grid can be redone until another change is made', () => {
    const one = remember(remember(startHistory('a'), 'b'), 'c');
    expect(undo(undo(one)).now).toBe('a');
    expect(redo(undo(one)).now).toBe('c');
    expect(redo(remember(undo(one), 'd')).now).toBe('d');
    expect(undo(startHistory('a')).now).toBe('a');
    expect(remember(one, 'c')).toBe(one);
  });
});
