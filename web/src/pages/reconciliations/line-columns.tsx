import { billBuckets } from '@waystation/contract/money/reconciliation.ts';
import type { ReactNode } from 'react';
import { formatYuan } from '@waystation/contract/money/money.ts';
import type { BillRow } from '@waystation/contract/money/reconciliation.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { kilograms, signedYuan, yuan } from '#ui/values/amounts.ts';
import type { Column } from '#resource/table/column.ts';
import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import { Money } from '#ui/values/money.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import { useRowTab } from '#ui/row-tab.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import { Weight } from '#ui/values/weight.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './lines.module.css';
import { useBillWords } from './words.ts';

/** The name of a line of a bill: its position in the file and its waybill number. */
export const useLineName = (): ((row: BillRow) => string) => {
  const { t } = useTexts();
  return ({ no, delivery_id }) => {
    const waybill = delivery_id ?? '';
    return (
      no === null
        ? t('reconciliations.line_ours', { waybill })
        : t('reconciliations.line_name', { no, waybill })
    ).trim();
  };
};

const WaybillLink = ({ row, tabIndex }: { row: BillRow; tabIndex?: number }) => {
  const { t } = useTexts();
  if (row.delivery_id === null) return <>—</>;
  if (row.express_id === null) return <Waybill number={row.delivery_id} />;
  return (
    <CodeText code={row.delivery_id}>
      <a
        href={screenHref('ExpressTable', { id: row.express_id })}
        tabIndex={tabIndex}
        title={t('reconciliations.open_parcel')}
      >
        <Waybill number={row.delivery_id} copy={false} />
      </a>
    </CodeText>
  );
};

const WaybillCell = ({ row }: { row: BillRow }) => <WaybillLink row={row} tabIndex={useRowTab()} />;

/**
 * Shows our value, the carrier's value and their difference. A sign and a number mark the
 * difference, so that it is visible without colours.
 */
const Pair = ({
  ours,
  theirs,
  delta,
  words,
  money,
}: {
  ours: ReactNode;
  theirs: ReactNode;
  delta: number;
  words: string;
  money?: true;
}) => (
  <span className={styles['pair']} data-money={money}>
    <span>{ours}</span>
    <span className={styles['arrow']} aria-hidden>
      →
    </span>
    <span>{theirs}</span>
    <span
      className={styles['delta']}
      data-up={delta > 0 || undefined}
      data-down={delta < 0 || undefined}
    >
      {delta === 0 ? '' : `${delta > 0 ? '▲' : '▼'} ${words}`}
    </span>
  </span>
);

const differenceOf = (ours: number | null, theirs: number | null): number =>
  ours === null || theirs === null ? 0 : theirs - ours;

const WeightPair = ({ row: { our_weight: ours, their_weight: theirs } }: { row: BillRow }) => {
  const delta = differenceOf(ours, theirs);
  return (
    <Pair
      ours={ours === null ? '—' : kilograms(ours)}
      theirs={<Weight grams={theirs} />}
      delta={delta}
      words={kilograms(Math.abs(delta))}
    />
  );
};

const MoneyPair = ({ row: { our_amount: ours, their_amount: theirs } }: { row: BillRow }) => {
  const delta = differenceOf(ours, theirs);
  return (
    <Pair
      ours={<Money fen={ours} />}
      theirs={<Money fen={theirs} />}
      delta={delta}
      words={formatYuan(Math.abs(delta))}
      money
    />
  );
};

const Decision = ({ row, working }: { row: BillRow; working: boolean }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const by =
    row.decided_at === null
      ? undefined
      : t('reconciliations.decided', {
          time: format.moment(row.decided_at),
          name: row.decided_by_name ?? '',
        });
  return (
    <span
      className={styles['decision']}
      data-decision={working ? 'working' : row.decision}
      title={by}
    >
      {working ? t('reconciliations.working') : words.decision(row)}
      {row.decision === 'open' && row.within_tolerance === 1 && (
        <span className={styles['within']}>{t('reconciliations.within_tag')}</span>
      )}
    </span>
  );
};

/**
 * The note of a line: its problem, its other customer code if there is one, and the note of its
 * decision.
 */
const useNote = (): ((row: BillRow) => string) => {
  const { t } = useTexts();
  const words = useBillWords();
  return (row) => {
    const code =
      row.bucket === 'other_code' && row.customer_code !== null
        ? `${t('reconciliations.their_code')} ${row.customer_code}`
        : '';
    return [words.reason(row.problem), code, row.note].filter((part) => part !== '').join(' · ');
  };
};

export const useLineColumns = (
  actions: readonly RowAction<BillRow>[],
  working: ReadonlySet<number>,
  withBucket: boolean,
): Column<BillRow>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const nameOf = useLineName();
  const note = useNote();
  const bucket: Column<BillRow> = {
    key: 'bucket',
    title: t('reconciliations.bucket'),
    width: fittedWidth(t('reconciliations.bucket'), {
      texts: Object.values(billBuckets).map((words) => words[language]),
    }),
    cell: (row) => words.bucket(row.bucket),
  };
  return [
    {
      key: 'no',
      title: t('reconciliations.no'),
      sort: 'id',
      width: 52,
      align: 'end',
      pin: 'start',
      cell: (row) => (
        <span className="tabular">{row.no === null ? '—' : format.number(row.no)}</span>
      ),
    },
    {
      key: 'delivery_id',
      title: t('reconciliations.waybill'),
      width: 172,
      pin: 'start',
      fixed: true,
      cell: (row) => <WaybillCell row={row} />,
    },
    ...(withBucket ? [bucket] : []),
    {
      key: 'station_name',
      title: t('common.station'),
      width: 116,
      grow: true,
      ...textColumn((row: BillRow) => row.station_name ?? ''),
    },
    {
      key: 'weight',
      title: t('reconciliations.weight'),
      sort: 'total_weight',
      width: 176,
      cell: (row) => <WeightPair row={row} />,
    },
    {
      key: 'amount',
      title: t('reconciliations.price'),
      sort: 'their_amount',
      width: 198,
      cell: (row) => <MoneyPair row={row} />,
    },
    {
      key: 'effect_amount',
      title: t('reconciliations.effect'),
      sort: 'effect_amount',
      width: fittedWidth(t('reconciliations.effect'), { sorts: true, least: 80 }),
      align: 'end',
      sum: { of: (row) => row.effect_amount, show: signedYuan },
      cell: (row) => <Money fen={row.effect_amount} signed />,
    },
    {
      key: 'decision',
      title: t('reconciliations.decision'),
      width: 120,
      cell: (row) => <Decision row={row} working={working.has(row.id)} />,
    },
    {
      key: 'note',
      title: t('reconciliations.note'),
      width: 72,
      grow: true,
      cell: (row) => <TextCell text={note(row)} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: rowActionsWidth(t('lists.actions'), actions),
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={nameOf(row)} actions={actions} />,
    },
  ];
};

/** A line of a carrier bill as a card, for narrow screens. */
export const LineCard = ({ row }: { row: BillRow }) => {
  const { t } = useTexts();
  const words = useBillWords();
  const note = useNote()(row);
  return (
    <RowCard>
      <div>
        <strong>
          {row.delivery_id === null ? '—' : <Waybill number={row.delivery_id} copy={false} />}
        </strong>
        <span className={primitives['quiet']}>{words.bucket(row.bucket)}</span>
        <span className={styles['end']}>
          <Decision row={row} working={false} />
        </span>
      </div>
      <div>
        <WeightPair row={row} />
        <MoneyPair row={row} />
      </div>
      <div className={primitives['quiet']}>
        <Joined
          of={[
            row.station_name,
            row.effect_amount === null
              ? ''
              : `${t('reconciliations.effect')} ${yuan(row.effect_amount)}`,
            note,
          ]}
        />
      </div>
    </RowCard>
  );
};
