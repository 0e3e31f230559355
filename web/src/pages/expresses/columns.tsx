import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { countExpresses } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow, ListedField } from '@waystation/contract/parcels/express.ts';
import type { Format } from '#base/format.ts';
import type { Say } from '#base/texts.ts';
import { TextCell } from '#resource/list/cells.tsx';
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
  /** Null if this user may not top up. */
  onTopUp: ((row: ExpressRow) => void) | null;
}

export interface Reader {
  several: boolean;
  english: boolean;
  office: boolean;
  /** Only failed parcels: each has a reason, and none was weighed or printed. */
  failed: boolean;
  /** The sums over all matching parcels; undefined while they are unknown. */
  every: OutputOf<typeof countExpresses>['sums'] | undefined;
}

/** Widths of the weights: declared and measured, declared alone, billed in Chinese. */
const weightWidth = 114;
const declaredWidth = { en: 92, zh: 72 };
const billedWidth = 60;
const printsWidth = { en: 48, zh: 40 };
/**
 * Widths of the actions, which are never clipped. "Handle" needs the most; failed parcels offer
 * "Retry" only.
 */
const actionsWidth = { any: 124, failed: 114 };

/**
 * The width of the state beside its age. Rows with a reason get the room left by the columns of
 * weights and prints.
 */
const stateWidth = ({ english, several, failed }: Reader): number => {
  const language = english ? 'en' : 'zh';
  return (
    (english ? (several ? 196 : 180) : 150) +
    (failed
      ? weightWidth -
        declaredWidth[language] +
        (english ? actionsWidth.any - actionsWidth.failed : billedWidth) +
        (several ? 0 : printsWidth[language])
      : 0)
  );
};

/** A column whose cells read its own fields, and draw nothing while a row lacks them. */
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

/** The declared and measured weights, the billed weight and the costs. */
const figures = (
  t: Say,
  { english, failed, every }: Reader,
  onWhy: ColumnHandlers['onWhy'],
): Column<ExpressRow>[] => [
  column('weight', {
    title: t('expresses.weight'),
    width: failed ? declaredWidth[english ? 'en' : 'zh'] : weightWidth,
    align: 'end',
    sort: 'weight',
    // The sum counts the billed weight once it is known.
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
    width: english ? 64 : billedWidth,
    aside: english || failed,
    align: 'end',
    sort: 'cal_weight',
    exports: [{ key: 'cal_weight', title: t('expresses.cal_weight') }],
    cell: (row) => <AlignedWeight grams={row.cal_weight} />,
  }),
  column('amount', {
    title: t('common.post_amount'),
    width: english ? 102 : 92,
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

/**
 * The columns of docs/web.md's list. Those who see several stations read the station in place
 * of goods, pieces and prints, which they may add; every other field may be added too.
 */
export const columnsOf = (
  t: Say,
  format: Format,
  reader: Reader,
  actions: readonly RowAction<ExpressRow>[],
  on: ColumnHandlers,
): Column<ExpressRow>[] => {
  const { several, english, office, failed } = reader;
  return [
    column('number', {
      title: t('expresses.number'),
      width: english ? 200 : 202,
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
      // A name of three characters and a whole phone number.
      width: 146,
      // Beside whole names of stations, four characters.
      ...(several && !english && { share: 164 }),
      grow: true,
      exports: [
        { key: 'receive_name', title: t('expresses.receiver') },
        { key: 'receive_phone', title: t('expresses.receive_phone') },
      ],
      cell: (row) => <PersonCell row={row} />,
    }),
    column('place', {
      title: t('expresses.place'),
      // In English four characters, because the other columns leave no more room.
      width: english ? 68 : several ? 70 : 64,
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
      width: english ? 56 : 44,
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
      width: printsWidth[english ? 'en' : 'zh'],
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
      width: english ? 86 : 84,
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
            // A clipped name is complete in its tooltip; an amount of ten thousand yuan gets its
            // room from here.
            width: english ? 64 : 84,
            grow: true,
            exports: [{ key: 'station_name', title: t('common.station') }],
            // English states leave no room beside theirs.
            ...(!english && { text: ({ station_name }: RowWith<'station'>) => station_name }),
            cell: (row) => <TextCell text={row.station_name} />,
          }),
        ]
      : []),
    ...fieldColumns(t, { office }),
    column('actions', {
      title: t('expresses.actions'),
      width: english ? actionsWidth[failed ? 'failed' : 'any'] : 106,
      pin: 'end',
      fixed: true,
      exports: [],
      cell: (row) => <ActionsCell row={row} actions={actions} onMore={on.onMore} />,
    }),
  ];
};
