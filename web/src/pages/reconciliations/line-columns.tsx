import type { BillRow } from '@waystation/contract/reconciliation.ts';
import { useFormat } from '#app/format.ts';
import { screenHref } from '#app/open-screen.ts';
import { useTexts } from '#app/texts.ts';
import { TextCell } from '#parts/list/cells.tsx';
import { RowActions } from '#parts/list/row-actions.tsx';
import { kg, kilograms, yuan } from '#ui/amounts.ts';
import type { Column } from '#ui/column.ts';
import { Money } from '#ui/money.tsx';
import type { RowAction } from '#ui/row-action.ts';
import { RowCard } from '#ui/row-card.tsx';
import { useRowTab } from '#ui/row-tab.ts';
import { Waybill } from '#ui/waybill.tsx';
import styles from './lines.module.css';
import { useBillWords } from './words.ts';

/** What a line is called: its place in the file and its waybill. */
export const useLineName = (): ((row: BillRow) => string) => {
  const { t } = useTexts();
  return ({ no, delivery_id }) => {
    const waybill = delivery_id ?? '';
    return (no === null ? t('reconciliations.line_ours', { waybill }) : t('reconciliations.line_name', { no, waybill })).trim();
  };
};

const WaybillLink = ({ row, tabIndex }: { row: BillRow; tabIndex?: number }) => {
  const { t } = useTexts();
  if (row.delivery_id === null) return <>—</>;
  const number = <Waybill number={row.delivery_id} copy={false} />;
  if (row.express_id === null) return number;
  return (
    <a href={screenHref('ExpressTable', { id: row.express_id })} tabIndex={tabIndex} title={t('reconciliations.open_parcel')}>
      {number}
    </a>
  );
};

const WaybillCell = ({ row }: { row: BillRow }) => <WaybillLink row={row} tabIndex={useRowTab()} />;

/** Ours, theirs, and by how much they differ: marked by direction and sign, not by colour alone. */
const Pair = ({
  ours,
  theirs,
  show,
  difference,
}: {
  ours: number | null;
  theirs: number | null;
  show: (n: number) => string;
  difference: (n: number) => string;
}) => {
  const delta = ours === null || theirs === null ? 0 : theirs - ours;
  return (
    <span className={styles['pair']}>
      <span>{ours === null ? '—' : show(ours)}</span>
      <span className={styles['arrow']} aria-hidden>
        →
      </span>
      <span>{theirs === null ? '—' : show(theirs)}</span>
      <span className={styles['delta']} data-up={delta > 0 || undefined} data-down={delta < 0 || undefined}>
        {delta === 0 ? '' : `${delta > 0 ? '▲' : '▼'} ${difference(Math.abs(delta))}`}
      </span>
    </span>
  );
};

const WeightPair = ({ row }: { row: BillRow }) => <Pair ours={row.our_weight} theirs={row.their_weight} show={kg} difference={kilograms} />;
const MoneyPair = ({ row }: { row: BillRow }) => (
  <Pair ours={row.our_amount} theirs={row.their_amount} show={yuan} difference={(fen) => yuan(fen).replace('¥', '')} />
);

const Decision = ({ row, working }: { row: BillRow; working: boolean }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const by = row.decided_at === null ? undefined : t('reconciliations.decided', { time: format.moment(row.decided_at), name: row.decided_by_name ?? '' });
  return (
    <span className={styles['decision']} data-decision={working ? 'working' : row.decision} title={by}>
      {working ? t('reconciliations.working') : words.decision(row)}
      {row.decision === 'open' && row.within_tolerance === 1 && <span className={styles['within']}>{t('reconciliations.within')}</span>}
    </span>
  );
};

/** The problem of a line, another customer code, and what was said when it was decided. */
const useNote = (): ((row: BillRow) => string) => {
  const { t } = useTexts();
  const words = useBillWords();
  return (row) => {
    const code = row.bucket === 'other_code' && row.customer_code !== null ? `${t('reconciliations.their_code')} ${row.customer_code}` : '';
    return [words.reason(row.problem), code, row.note].filter((part) => part !== '').join(' · ');
  };
};

export const useLineColumns = (actions: readonly RowAction<BillRow>[], working: ReadonlySet<number>, withBucket: boolean): Column<BillRow>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const nameOf = useLineName();
  const note = useNote();
  const english = language === 'en';
  const bucket: Column<BillRow> = {
    key: 'bucket',
    title: t('reconciliations.bucket'),
    width: english ? 116 : 92,
    cell: (row) => words.bucket(row.bucket),
  };
  return [
    {
      key: 'no',
      title: t('reconciliations.no'),
      width: 64,
      align: 'end',
      pin: 'start',
      cell: (row) => <span className="tabular">{row.no === null ? '—' : format.number(row.no)}</span>,
    },
    { key: 'delivery_id', title: t('reconciliations.waybill'), width: 156, pin: 'start', fixed: true, cell: (row) => <WaybillCell row={row} /> },
    ...(withBucket ? [bucket] : []),
    { key: 'station_name', title: t('common.station'), width: 104, grow: true, cell: (row) => <TextCell text={row.station_name ?? ''} /> },
    { key: 'weight', title: t('reconciliations.weight'), width: 196, cell: (row) => <WeightPair row={row} /> },
    { key: 'amount', title: t('reconciliations.price'), width: english ? 216 : 208, cell: (row) => <MoneyPair row={row} /> },
    {
      key: 'effect_amount',
      title: t('reconciliations.effect'),
      width: 92,
      align: 'end',
      cell: (row) => <Money fen={row.effect_amount} signed />,
    },
    {
      key: 'decision',
      title: t('reconciliations.decision'),
      width: english ? 176 : 124,
      cell: (row) => <Decision row={row} working={working.has(row.id)} />,
    },
    { key: 'note', title: t('reconciliations.note'), width: 112, grow: true, cell: (row) => <TextCell text={note(row)} /> },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: english ? 124 : 96,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={nameOf(row)} actions={actions} />,
    },
  ];
};

/** A line on a phone. */
export const LineCard = ({ row }: { row: BillRow }) => {
  const { t } = useTexts();
  const words = useBillWords();
  const note = useNote()(row);
  return (
    <RowCard>
      <div>
        <strong>{row.delivery_id === null ? '—' : <Waybill number={row.delivery_id} copy={false} />}</strong>
        <span className={styles['quiet']}>{words.bucket(row.bucket)}</span>
        <span className={styles['end']}>
          <Decision row={row} working={false} />
        </span>
      </div>
      <div>
        <WeightPair row={row} />
        <MoneyPair row={row} />
      </div>
      <div className={styles['quiet']}>
        {[row.station_name ?? '', row.effect_amount === null ? '' : `${t('reconciliations.effect')} ${yuan(row.effect_amount)}`, note]
          .filter((part) => part !== '')
          .join(' · ')}
      </div>
    </RowCard>
  );
};
