import { describe, expect, test } from 'vitest';
import { defaultFields, rowFields } from '@waystation/contract/parcels/express-fields.ts';
import { noLayout } from '#resource/table/column-layout.ts';
import { columnFields, fieldsOf } from './column-fields.ts';
import type { OwnColumn } from './column-fields.ts';
import { columnsOf } from './columns.tsx';
import type { Format } from '#base/format.ts';
import type { Say } from '#base/texts.ts';

const newest = { sort: '-created_at' };
const asked = (shown: string[], hidden: string[] = [], place = newest): string[] | undefined =>
  fieldsOf({ ...noLayout, shown, hidden }, place)
    ?.split(',')
    .toSorted();

/** The keys of the columns that a user sees who has not rearranged any columns. */
const usualKeys = (english: boolean, several: boolean): string[] =>
  columnsOf(
    ((key: string) => key) as Say,
    {} as Format,
    { several, english, office: true, failed: false, tags: true, every: undefined },
    { actions: [], on: { onOpen: () => {}, onWhy: () => {}, onMore: () => {}, onTopUp: null } },
  ).flatMap(({ key, aside }) => (aside ? [] : [key]));

describe('the fields that the parcel list is asked for', () => {
  test('the default columns of all languages and roles together need exactly the default fields of the parcel list', () => {
    const keys = [true, false].flatMap((english) => [
      ...usualKeys(english, true),
      ...usualKeys(english, false),
    ]);
    const read = new Set<string>(keys.flatMap((key) => columnFields[key as OwnColumn]));
    const always = new Set<string>(rowFields);
    expect([...read].filter((field) => !always.has(field)).toSorted()).toEqual(
      [...defaultFields].toSorted(),
    );
  });

  test('the parcel list requests no additional fields if it shows only default columns or fields that every row has', () => {
    expect(asked([])).toBeUndefined();
    expect(asked([], ['goods', 'created'])).toBeUndefined();
    expect(asked(['receive_phone', 'receive_province'])).toBeUndefined();
  });

  test('an added column of the parcel list requests the fields that its cell shows, in addition to the fields of the default columns', () => {
    expect(asked(['user_id', 'weight_message'])).toEqual(
      [...defaultFields, 'user_id', 'user_nickname', 'weight_message', 'weight_reason'].toSorted(),
    );
  });

  test('a hidden column of the parcel list is requested only if the list is sorted by a value of that column', () => {
    const hidden = [
      'state',
      'place',
      'goods',
      'weight',
      'cal_weight',
      'amount',
      'prints',
      'created',
    ];
    expect(asked(['remark'], hidden, { sort: 'weight' })).toEqual(['receive_city', 'remark']);
    expect(asked(['remark'], hidden, { sort: '-cal_weight' })).toEqual([
      'cal_weight',
      'receive_city',
      'remark',
    ]);
  });

  test('a stored column name that the parcel list does not have is not requested', () => {
    expect(asked(['print_data', 'version', 'colour', 'constructor', 'remark'])).toEqual(
      [...defaultFields, 'remark'].toSorted(),
    );
  });
});
