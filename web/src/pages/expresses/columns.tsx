import type { ExpressRow } from '@waystation/contract/express.ts';
import type { Format } from '#app/format.ts';
import type { Say } from '#app/texts.ts';
import type { Column } from '#ui/column.ts';
import type { RowAction } from '#ui/row-action.ts';
import { WeightChange } from '#ui/weight.tsx';
import { ActionsCell, AmountCell, NumberCell, PersonCell, StateCell, shortPlace } from './cells.tsx';

export interface ColumnHandlers {
  onOpen: (row: ExpressRow) => void;
  onWhy: (row: ExpressRow, anchor: HTMLElement) => void;
  onMore: (row: ExpressRow, anchor: HTMLElement) => void;
  /** Null where this user tops nothing up. */
  onTopUp: ((row: ExpressRow) => void) | null;
}

/** The columns of docs/web.md's list. Those who see several stations read the station in place of goods, pieces and prints, which they may add. */
export const columnsOf = (
  t: Say,
  format: Format,
  { several, english }: { several: boolean; english: boolean },
  actions: readonly RowAction<ExpressRow>[],
  on: ColumnHandlers,
): Column<ExpressRow>[] => [
  { key: 'number', title: t('expresses.number'), width: english ? 192 : 198, pin: 'start', cell: (row) => <NumberCell row={row} onOpen={on.onOpen} /> },
  {
    key: 'state',
    title: t('expresses.state'),
    width: (english ? 170 : 160) + (on.onTopUp ? (english ? 36 : 12) : 0),
    grow: true,
    sort: 'state_code',
    cell: (row) => <StateCell row={row} onTopUp={on.onTopUp} />,
  },
  { key: 'receiver', title: t('expresses.receiver'), width: 148, grow: true, cell: (row) => <PersonCell row={row} /> },
  {
    key: 'place',
    title: t('expresses.place'),
    width: several || english ? 76 : 92,
    grow: true,
    cell: (row) => (
      <span
        title={`${row.receive_province} ${row.receive_city} ${row.receive_county} ${row.receive_address}`}
        style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}
      >
        {shortPlace(row) || '—'}
      </span>
    ),
  },
  { key: 'goods', title: t('expresses.goods'), width: 60, aside: several, cell: (row) => row.goods || '—' },
  { key: 'pieces', title: t('expresses.pieces'), width: 40, aside: several, align: 'end', cell: (row) => <span className="tabular">{row.package_count}</span> },
  {
    key: 'weight',
    title: t('expresses.weight'),
    width: english ? 100 : 120,
    align: 'end',
    sort: 'cal_weight',
    cell: (row) => (row.weight > 0 ? <WeightChange declared={row.weight} billed={row.cal_weight} measured={row.jd_weight ?? row.re_weight} /> : '—'),
  },
  { key: 'amount', title: t('common.post_amount'), width: 96, align: 'end', sort: 'post_amount', cell: (row) => <AmountCell row={row} onWhy={on.onWhy} /> },
  {
    key: 'prints',
    title: t('expresses.prints'),
    width: english ? 46 : 40,
    aside: several,
    align: 'end',
    cell: (row) => (
      <span className="tabular" title={row.printed_at === null ? undefined : format.moment(row.printed_at)}>
        {row.print_count}
      </span>
    ),
  },
  {
    key: 'created',
    title: t('expresses.created'),
    width: english ? 92 : 86,
    sort: 'created_at',
    cell: (row) => (
      <time className="tabular" dateTime={row.created_at} title={`${format.relative(row.created_at)} · ${format.moment(row.created_at)}`}>
        {format.time(row.created_at)}
      </time>
    ),
  },
  ...(several
    ? [
        {
          key: 'station',
          title: t('common.station'),
          width: english ? 104 : 112,
          grow: true,
          cell: (row: ExpressRow) => (
            <span title={row.station_name} style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
              {row.station_name}
            </span>
          ),
        },
      ]
    : []),
  {
    key: 'actions',
    title: t('expresses.actions'),
    width: english ? 120 : 106,
    pin: 'end',
    cell: (row) => <ActionsCell row={row} actions={actions} onMore={on.onMore} />,
  },
];
