import { fittedWidth } from '#resource/table/fitted-width.ts';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import type { Column } from '#resource/table/column.ts';
import { Money } from '#ui/values/money.tsx';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import styles from './reconciliations.module.css';
import { sizeText } from '#ui/values/file-size.ts';
import { openRowsOf, useBillWords } from './words.ts';

/** The progress of a bill as text, with the number of lines read while the file is being read. */
export const BillStatus = ({ bill }: { bill: Reconciliation }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const going = bill.status === 'reading';
  const counted = {
    done: format.number(bill.rows_read),
    total: bill.rows_total === null ? '…' : format.number(bill.rows_total),
  };
  return (
    <span className={styles['status']} data-status={bill.status} title={words.reason(bill.reason)}>
      {words.status(bill)}
      {going && <span className="tabular"> {t('reconciliations.rows_of', counted)}</span>}
    </span>
  );
};

export const useBillColumns = (open: (bill: Reconciliation) => void): Column<Reconciliation>[] => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const money = (
    key: 'theirs_amount' | 'owed_amount' | 'paid_amount',
    title: string,
  ): Column<Reconciliation> => ({
    key,
    title,
    width: 104,
    align: 'end',
    cell: (row) => <Money fen={row[key]} />,
  });
  const count = (rows: number) => <span className="tabular">{format.number(rows)}</span>;
  return [
    {
      key: 'period',
      title: t('reconciliations.bills'),
      sort: 'period',
      width: 156,
      pin: 'start',
      fixed: true,
      cell: (row) => <NameCell name={words.name(row)} onOpen={() => open(row)} />,
    },
    {
      key: 'status',
      title: t('lists.status'),
      width: 136,
      cell: (row) => <BillStatus bill={row} />,
    },
    {
      key: 'file_name',
      title: t('reconciliations.file'),
      width: 124,
      grow: true,
      cell: (row) => (
        <TextCell
          text={t('common.file_size', {
            name: row.file_name,
            size: sizeText(row.file_bytes, format),
          })}
        />
      ),
    },
    {
      key: 'rows_total',
      title: t('reconciliations.rows'),
      width: 76,
      align: 'end',
      cell: (row) => count(row.rows_total ?? row.rows_read),
    },
    {
      key: 'open',
      title: t('reconciliations.open_rows'),
      width: fittedWidth(t('reconciliations.open_rows'), { least: 84 }),
      align: 'end',
      cell: (row) => (
        <span className={styles['left']} data-urgent={openRowsOf(row) > 0 || undefined}>
          {count(openRowsOf(row))}
        </span>
      ),
    },
    money('theirs_amount', t('reconciliations.total')),
    money('owed_amount', t('reconciliations.owed')),
    money('paid_amount', t('reconciliations.paid')),
    {
      key: 'created_by_name',
      title: t('reconciliations.by'),
      width: 104,
      ...textColumn((row: Reconciliation) => row.created_by_name ?? ''),
    },
    {
      key: 'created_at',
      title: t('lists.created'),
      width: 112,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
    },
  ];
};

/** A carrier bill as a card, for narrow screens. */
export const BillCard = ({ row }: { row: Reconciliation }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  return (
    <RowCard>
      <div>
        <strong>{words.name(row)}</strong>
        <BillStatus bill={row} />
        <span className={styles['end']}>
          <Money fen={row.theirs_amount} />
        </span>
      </div>
      <div className={styles['quiet']}>
        <Joined
          of={[
            row.file_name,
            `${t('reconciliations.rows')} ${format.number(row.rows_total ?? row.rows_read)}`,
            `${t('reconciliations.open_rows')} ${format.number(openRowsOf(row))}`,
          ]}
        />
      </div>
    </RowCard>
  );
};
