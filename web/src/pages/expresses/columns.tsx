import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { countExpresses } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow, ListedField } from '@waystation/contract/parcels/express.ts';
import type { Format } from '#base/format.ts';
import type { Say } from '#base/texts.ts';
import { TextCell, textColumn } from '#resource/list/cells.tsx';
import type { Column } from '#resource/table/column.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { kg, yuan } from '#ui/values/amounts.ts';
import { AlignedWeight, WeightChange } from '#ui/values/weight.tsx';
import {
  ActionsCell,
  AmountCell,
  NumberCell,
  PersonCell,
  StateCell,
  shortPlace,
} from './cells.tsx';
import { columnFields, hasFields } from './column-fields.ts';
import type { OwnColumn, RowWith } from './column-fields.ts';
import { fieldColumns } from './field-columns.tsx';

export interface ColumnHandlers {
  onOpen: (row: ExpressRow) => void;
  onWhy: (row: ExpressRow, anchor: HTMLElement) => void;
  onMore: (row: ExpressRow, anchor: HTMLElement) => void;
  /** Called to top up the station's wallet for a parcel; null if the user may not top up. */
  onTopUp: ((row: ExpressRow) => void) | null;
}

export interface Reader {
  several: boolean;
  english: boolean;
  office: boolean;
  /**
   * True if the list shows only failed parcels. Each of them has a reason, and none was weighed or
   * printed.
   */
  failed: boolean;
  /** True if simulated parcels show a mark beside their number. */
  tags: boolean;
  /** The sums over all matching parcels; undefined until they are known. */
  every: OutputOf<typeof countExpresses>['sums'] | undefined;
}

/**
 * The widths in pixels of the columns that depend on the language. They are chosen so that a screen
 * of 1440 pixels shows every number of the default columns. The widest action is "Handle"; failed
 * parcels need only the width of "Retry".
 */
const widths = {
  zh: {
    number: 202,
    state: 150,
    stateOfSeveral: 150,
    place: 64,
    placeOfSeveral: 70,
    pieces: 44,
    declared: 72,
    billed: 60,
    amount: 92,
    prints: 40,
    created: 84,
    station: 84,
    actions: 106,
    actionsOfFailed: 106,
  },
  en: {
    number: 200,
    state: 180,
    stateOfSeveral: 208,
    place: 68,
    placeOfSeveral: 68,
    pieces: 56,
    declared: 92,
    billed: 64,
    amount: 102,
    prints: 48,
    created: 86,
    station: 64,
    actions: 124,
    actionsOfFailed: 114,
  },
};
const widthsIn = (reader: Reader) => widths[reader.english ? 'en' : 'zh'];
/** The width in pixels of the mark on a simulated parcel. */
const tagWidth = 30;
/** The width in pixels of a cell with the declared and the measured weight. */
const weightWidth = 114;

/**
 * The width of the state column. In the list of failed parcels, it also gets the width that the
 * columns of weights, prints and actions do not need there. In Chinese it gets the width of the
 * billed weight too.
 */
const stateWidth = (reader: Reader): number => {
  const { several, failed, english } = reader;
  const width = widthsIn(reader);
  const own = several ? width.stateOfSeveral : width.state;
  if (!failed) return own;
  const left = weightWidth - width.declared + (several ? 0 : width.prints);
  return own + left + width.actions - width.actionsOfFailed + (english ? 0 : width.billed);
};

/**
 * A column whose cells use the fields that belong to the column. If a row does not have these
 * fields yet, its cell is empty.
 */
const column = <K extends OwnColumn>(
  key: K,
  { cell, fen, sum, text, ...rest }: Omit<Column<RowWith<K>>, 'key'>,
): Column<ExpressRow> => {
  const fields: readonly ListedField[] = columnFields[key];
  const whole = (row: ExpressRow): RowWith<K> | null =>
    hasFields(row, fields) ? (row as RowWith<K>) : null;
  const reading =
    <T,>(of: (row: RowWith<K>) => T) =>
    (row: ExpressRow): T | undefined => {
      const read = whole(row);
      return read === null ? undefined : of(read);
    };
  return {
    ...rest,
    key,
    cell: reading(cell),
    ...(fen && { fen: reading(fen) }),
    ...(text && { text: (row: ExpressRow) => reading(text)(row) ?? '' }),
    ...(sum && { sum: { ...sum, of: reading(sum.of) } }),
  };
};

const PlaceCell = ({ row }: { row: RowWith<'place'> }) => (
  <span
    title={`${row.receive_province} ${row.receive_city} ${row.receive_county} ${row.receive_address}`}
    style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}
  >
    {shortPlace(row) || '—'}
  </span>
);

/** The columns of the declared and measured weights, the billed weight and the costs. */
const figures = (t: Say, reader: Reader, onWhy: ColumnHandlers['onWhy']): Column<ExpressRow>[] => {
  const { english, failed, every } = reader;
  const width = widthsIn(reader);
  return [
    column('weight', {
      title: t('expresses.weight'),
      width: failed ? width.declared : weightWidth,
      align: 'end',
      sort: 'weight',
      // The sum uses the billed weight of a parcel if it is known, or else the declared weight.
      sum: {
        title: t('expresses.weight_sum'),
        of: (row) => row.cal_weight ?? row.weight,
        show: kg,
        every: every?.weight ?? null,
      },
      exports: [{ key: 'weight', title: t('expresses.weight_declared') }],
      cell: (row) =>
        row.weight > 0 ? (
          <WeightChange declared={row.weight} measured={row.jd_weight ?? row.re_weight} />
        ) : (
          '—'
        ),
    }),
    column('cal_weight', {
      title: t('expresses.billed'),
      width: width.billed,
      aside: english || failed,
      align: 'end',
      sort: 'cal_weight',
      exports: [{ key: 'cal_weight', title: t('expresses.cal_weight') }],
      cell: (row) => <AlignedWeight grams={row.cal_weight} />,
    }),
    column('amount', {
      title: t('common.post_amount'),
      width: width.amount,
      align: 'end',
      sort: 'post_amount',
      fen: (row) => (row.voucher_id === null ? null : row.post_amount),
      besideFen: 12,
      sum: {
        of: (row) => (row.voucher_id === null ? null : row.post_amount),
        show: yuan,
        every: every?.post_amount ?? null,
      },
      exports: [{ key: 'post_amount', title: t('common.post_amount') }],
      cell: (row) => <AmountCell row={row} onWhy={onWhy} />,
    }),
  ];
};

/**
 * The columns of the list as described in docs/web.md. Users of several stations see the station
 * instead of goods, pieces and prints. They can add these three columns like any other field.
 */
export const columnsOf = (
  t: Say,
  format: Format,
  reader: Reader,
  { actions, on }: { actions: readonly RowAction<ExpressRow>[]; on: ColumnHandlers },
): Column<ExpressRow>[] => {
  const { several, office, failed } = reader;
  const width = widthsIn(reader);
  return [
    column('number', {
      title: t('expresses.number'),
      width: width.number - (reader.tags ? 0 : tagWidth),
      pin: 'start',
      fixed: true,
      exports: [{ key: 'delivery_id', title: t('expresses.number') }],
      cell: (row) => <NumberCell row={row} onOpen={on.onOpen} />,
    }),
    column('state', {
      title: t('expresses.state'),
      width: stateWidth(reader),
      grow: true,
      sort: 'state_code',
      exports: [{ key: 'state_txt', title: t('expresses.state') }],
      cell: (row) => <StateCell row={row} onTopUp={on.onTopUp} />,
    }),
    column('receiver', {
      title: t('expresses.receiver'),
      // The width fits a name of three characters and a complete phone number.
      width: 146,
      // Leaves space for four characters, so that the names of stations are not cut.
      ...(several && { share: 172 }),
      grow: true,
      exports: [
        { key: 'receive_name', title: t('expresses.receiver') },
        { key: 'receive_phone', title: t('expresses.receive_phone') },
      ],
      cell: (row) => <PersonCell row={row} />,
    }),
    column('place', {
      title: t('expresses.place'),
      // In English the column is wide enough for only four characters, because the other columns
      // need the remaining width.
      width: several ? width.placeOfSeveral : width.place,
      ...(several && { share: 98 }),
      grow: true,
      exports: [{ key: 'receive_place', title: t('expresses.place') }],
      cell: (row) => <PlaceCell row={row} />,
    }),
    column('goods', {
      title: t('expresses.goods'),
      width: 56,
      aside: several,
      cell: (row) => <TextCell text={row.goods} />,
    }),
    column('pieces', {
      title: t('expresses.pieces'),
      width: width.pieces,
      aside: true,
      align: 'end',
      exports: [{ key: 'package_count', title: t('expresses.pieces') }],
      sum: {
        of: (row) => row.package_count,
        show: format.number,
        every: reader.every?.package_count ?? null,
      },
      cell: (row) => <span className="tabular">{row.package_count}</span>,
    }),
    ...figures(t, reader, on.onWhy),
    column('prints', {
      title: t('expresses.prints'),
      width: width.prints,
      aside: several || failed,
      align: 'end',
      exports: [{ key: 'print_count', title: t('expresses.prints') }],
      cell: (row) => (
        <span
          className="tabular"
          title={row.printed_at === null ? undefined : format.moment(row.printed_at)}
        >
          {row.print_count}
        </span>
      ),
    }),
    column('created', {
      title: t('expresses.created'),
      width: width.created,
      sort: 'created_at',
      exports: [{ key: 'created_at', title: t('expresses.created') }],
      cell: (row) => (
        <time
          className="tabular"
          dateTime={row.created_at}
          title={`${format.relative(row.created_at)} · ${format.moment(row.created_at)}`}
        >
          {format.time(row.created_at)}
        </time>
      ),
    }),
    ...(several
      ? [
          column('station', {
            title: t('common.station'),
            // A name that is cut is shown in full in its tooltip. If a list contains an amount of
            // ten thousand yuan, this column becomes narrower.
            width: width.station,
            grow: true,
            exports: [{ key: 'station_name', title: t('common.station') }],
            ...textColumn((row: RowWith<'station'>) => row.station_name),
          }),
        ]
      : []),
    ...fieldColumns(t, { office }),
    column('actions', {
      title: t('expresses.actions'),
      width: failed ? width.actionsOfFailed : width.actions,
      pin: 'end',
      fixed: true,
      exports: [],
      cell: (row) => <ActionsCell row={row} actions={actions} onMore={on.onMore} />,
    }),
  ];
};
