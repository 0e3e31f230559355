import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import {
  arrangedColumns,
  fittedColumns,
  movedColumn,
  noLayout,
  orderedColumns,
  pinnedColumn,
  readLayout,
  resizedColumn,
  shownColumn,
} from './column-layout.ts';

const column = (key: string, more: Partial<Column<object>> = {}): Column<object> => ({
  key,
  title: key,
  width: 100,
  cell: () => null,
  ...more,
});
const columns = [
  column('name', { pin: 'start', fixed: true }),
  column('type', { grow: true }),
  column('status'),
  column('actions', { pin: 'end', fixed: true }),
];
const keys = (list: readonly Column<object>[]): string[] => list.map(({ key }) => key);

test('a table’s columns keep the page’s order until a user changes it', () => {
  expect(arrangedColumns(columns, noLayout)).toEqual(columns);
});

test('a table column that the user moved stays there, and a column added in a later version appears beside its default neighbour', () => {
  const moved = movedColumn(columns, noLayout, 2, 1);
  expect(keys(orderedColumns(columns, moved))).toEqual(['name', 'status', 'type', 'actions']);
  const later = [...columns.slice(0, 3), column('created'), columns[3]!];
  expect(keys(orderedColumns(later, moved))).toEqual([
    'name',
    'status',
    'created',
    'type',
    'actions',
  ]);
});

test('a hidden column of a table is not drawn, and the column with the name of the row cannot be hidden', () => {
  const layout = shownColumn(columns, shownColumn(columns, noLayout, 'type', false), 'name', false);
  expect(keys(arrangedColumns(columns, layout))).toEqual(['name', 'status', 'actions']);
  expect(keys(arrangedColumns(columns, shownColumn(columns, layout, 'type', true)))).toEqual([
    'name',
    'type',
    'status',
    'actions',
  ]);
});

test('an optional column of a table is hidden until a user chooses it, and hidden again after the user removes it', () => {
  const some = [...columns.slice(0, 3), column('updated', { aside: true }), columns[3]!];
  expect(keys(arrangedColumns(some, noLayout))).toEqual(['name', 'type', 'status', 'actions']);
  const changed = shownColumn(some, noLayout, 'updated', true);
  expect(keys(arrangedColumns(some, changed))).toEqual([
    'name',
    'type',
    'status',
    'updated',
    'actions',
  ]);
  expect(shownColumn(some, changed, 'updated', false)).toEqual(noLayout);
});

test('a table column keeps the width set by the user, but at least the minimum width; another column gets the remaining width', () => {
  const drawn = arrangedColumns(columns, resizedColumn(noLayout, 'type', 5));
  expect(drawn.map(({ key, width, grow }) => [key, width, grow ?? false])).toEqual([
    ['name', 100, false],
    ['type', 40, false],
    ['status', 100, true],
    ['actions', 100, false],
  ]);
});

test('a pinned column moves to its side of the table, and if several columns are pinned, only the innermost one may grow', () => {
  const drawn = arrangedColumns(
    columns,
    pinnedColumn(pinnedColumn(noLayout, 'status', 'start'), 'type', 'start'),
  );
  expect(keys(drawn)).toEqual(['name', 'type', 'status', 'actions']);
  expect(drawn.map(({ grow }) => grow ?? false)).toEqual([false, false, true, false]);
});

test('the invalid parts of a stored table layout are ignored, for example if another version stored them', () => {
  expect(readLayout('nonsense')).toEqual(noLayout);
  expect(
    readLayout({
      order: ['a', 1],
      hidden: 'x',
      widths: { a: 9_999, b: '1' },
      pins: { a: 'middle', b: 'end' },
    }),
  ).toEqual({
    order: ['a'],
    hidden: [],
    shown: [],
    widths: { a: 800 },
    pins: { b: 'end' },
  });
});

test('a text column is widened to its longest text before any other column, and one column gets the remaining width', () => {
  const named = { key: 'a', title: 'A', width: 84, cell: () => null };
  const text = (row: string): string => row;
  const rest = { ...named, key: 'b', grow: true };
  const wants = (columns: readonly Column<string>[], rows: readonly string[]) =>
    fittedColumns(columns, rows).map((column) => column.wants);
  expect(wants([{ ...named, text }, rest], ['示例站', '示例深圳南山站'])).toEqual([
    7 * 13 + 16,
    undefined,
  ]);
  expect(wants([{ ...named, text }, rest], [])).toEqual([84, undefined]);
  const [first, last] = [
    { ...named, grow: true, text },
    { ...named, key: 'b', grow: true, text },
  ];
  expect(wants([first, last], ['示例深圳南山站'])).toEqual([107, undefined]);
});

test('a text column of a table keeps the width that its user chose, however long its texts are', () => {
  const columns = [
    { key: 'a', title: 'A', width: 84, grow: true, text: (row: string) => row, cell: () => null },
    { key: 'b', title: 'B', width: 84, grow: true, cell: () => null },
  ];
  const [arranged] = arrangedColumns(columns, { ...noLayout, widths: { a: 60 } });
  expect(fittedColumns([arranged!], ['示例深圳南山站'])[0]).toMatchObject({ width: 60 });
  expect(fittedColumns([arranged!], ['示例深圳南山站'])[0]?.wants).toBe(undefined);
});
