import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { useRowTab } from '#ui/row-tab.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import styles from './prints.module.css';
import { usePrintWords } from './words.ts';

const WaybillCell = ({ row, onOpen }: { row: PrintRecord; onOpen: () => void }) => {
  const tabIndex = useRowTab();
  return (
    <CodeText code={row.delivery_id}>
      <button
        type="button"
        className={primitives['linkButton']}
        tabIndex={tabIndex}
        onClick={onOpen}
      >
        <Waybill number={row.delivery_id} copy={false} />
      </button>
    </CodeText>
  );
};

const Result = ({ row }: { row: PrintRecord }) => {
  const words = usePrintWords();
  return (
    <span className={styles['result']} data-result={row.result} title={row.note}>
      {words.result(row)}
    </span>
  );
};

export const usePrintColumns = ({
  actions,
  several,
  open,
}: {
  actions: readonly RowAction<PrintRecord>[];
  several: boolean;
  open: (row: PrintRecord) => void;
}): Column<PrintRecord>[] => {
  const { t } = useTexts();
  const words = usePrintWords();
  const station: Column<PrintRecord> = {
    key: 'station_name',
    title: t('common.station'),
    width: 112,
    grow: true,
    ...textColumn((row: PrintRecord) => row.station_name),
  };
  return [
    {
      key: 'created_at',
      title: t('prints.at'),
      width: 112,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
    },
    {
      key: 'delivery_id',
      title: t('prints.waybill'),
      width: 184,
      pin: 'start',
      fixed: true,
      cell: (row) => <WaybillCell row={row} onOpen={() => open(row)} />,
    },
    {
      key: 'recipient',
      title: t('prints.recipient'),
      width: 128,
      grow: true,
      ...textColumn((row: PrintRecord) => row.recipient),
    },
    ...(several ? [station] : []),
    {
      key: 'user_nickname',
      title: t('prints.user'),
      width: 88,
      ...textColumn((row: PrintRecord) => words.printedBy(row)),
    },
    {
      key: 'print_count',
      title: t('prints.count'),
      width: 64,
      align: 'end',
      cell: (row) => <span className="tabular">{t('prints.nth', { count: row.print_count })}</span>,
    },
    {
      key: 'reason',
      title: t('prints.reason'),
      width: 96,
      cell: (row) => <TextCell text={row.reason} />,
    },
    {
      key: 'printer',
      title: t('prints.printer'),
      width: 104,
      ...textColumn((row: PrintRecord) => words.printer(row)),
      exports: [
        { key: 'driver', title: t('prints.driver') },
        { key: 'printer', title: t('prints.printer') },
      ],
    },
    {
      key: 'format',
      title: t('prints.format'),
      width: 112,
      aside: true,
      cell: (row) => <span className="tabular">{words.paper(row)}</span>,
    },
    { key: 'result', title: t('prints.result'), width: 88, cell: (row) => <Result row={row} /> },
    {
      key: 'verified_at',
      title: t('prints.verified'),
      width: 112,
      aside: true,
      cell: (row) => <TextCell text={words.verified(row)} />,
    },
    {
      key: 'batch_id',
      title: t('prints.batch'),
      width: 104,
      aside: true,
      align: 'end',
      cell: (row) => <CodeText code={row.batch_id === null ? null : String(row.batch_id)} />,
    },
    {
      key: 'duration_ms',
      title: t('prints.duration'),
      width: 80,
      aside: true,
      align: 'end',
      cell: (row) => <span className="tabular">{words.duration(row) || '—'}</span>,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: 152,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.delivery_id} actions={actions} />,
    },
  ];
};

/** A print record as a card, for narrow screens. */
export const PrintCard = ({ row }: { row: PrintRecord }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = usePrintWords();
  return (
    <RowCard>
      <div>
        <strong>
          <Waybill number={row.delivery_id} copy={false} />
        </strong>
        <Result row={row} />
        <time className={`tabular ${styles['when']}`} dateTime={row.created_at}>
          {format.time(row.created_at)}
        </time>
      </div>
      <div>
        <Joined of={[row.recipient, t('prints.nth', { count: row.print_count }), row.reason]} />
      </div>
      <div className={primitives['quiet']}>
        <Joined
          of={[row.station_name, words.printedBy(row), words.printer(row), words.paper(row)]}
        />
      </div>
    </RowCard>
  );
};
