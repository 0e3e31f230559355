import { expect, test } from 'vitest';
import type { Format } from '#base/format.ts';
import type { Say } from '#base/texts.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { fittedColumns } from '#resource/table/column-layout.ts';
import { columnsOf } from './columns.tsx';

const t = ((key: string) => key) as Say;
/**
 * The width of the list on a screen 1440 pixels wide, without the menu, the margins, the checkboxes
 * and a scroll bar.
 */
const available = 1_131;

const width = (
  english: boolean,
  several: boolean,
  failed: boolean,
): { all: number; state: number } => {
  const on = { onOpen: () => {}, onWhy: () => {}, onMore: () => {}, onTopUp: null };
  const columns = columnsOf(
    t,
    {} as Format,
    { several, english, office: false, failed, tags: true, every: undefined },
    { actions: [], on },
  );
  return {
    all: columns.filter(({ aside }) => !aside).reduce((sum, column) => sum + column.width, 0),
    state: columns.find(({ key }) => key === 'state')!.width,
  };
};

test.each([
  [false, false],
  [false, true],
  [true, false],
  [true, true],
])(
  'the list of failed parcels has a wider state column than the other lists, but the same total width (English: %s, several stations: %s)',
  (english, several) => {
    const [any, failed] = [width(english, several, false), width(english, several, true)];
    expect(failed.all).toBe(any.all);
    expect(failed.state).toBeGreaterThanOrEqual(any.state + 22);
    expect(failed.state).toBeGreaterThanOrEqual(218);
  },
);

test.each([
  [false, false],
  [false, true],
  [true, false],
  [true, true],
])(
  'the parcel list with a price of ten thousand yuan fits into 1440 pixels (English: %s, several stations: %s)',
  (english, several) => {
    const on = { onOpen: () => {}, onWhy: () => {}, onMore: () => {}, onTopUp: null };
    const columns = columnsOf(
      t,
      {} as Format,
      { several, english, office: false, failed: false, tags: true, every: undefined },
      { actions: [], on },
    ).filter(({ aside }) => !aside);
    const dear = { voucher_id: 1, post_amount: 1_234_567 } as ExpressRow;
    expect(
      fittedColumns(columns, [dear]).reduce((sum, column) => sum + column.width, 0),
    ).toBeLessThanOrEqual(available);
  },
);
