import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import type { Guarantee } from '@waystation/contract/money/guarantee.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TimeCell } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { yuan } from '#ui/values/amounts.ts';
import type { Column } from '#resource/table/column.ts';
import { Money } from '#ui/values/money.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import styles from './guarantees.module.css';
import { useGuaranteeWords } from './words.ts';

const thousand = 1000;

/** The fee in per mille of the tier's highest insured value, so that tiers can be compared. */
const perMille = ({ money, price }: Guarantee): string =>
  `${Math.round((price * thousand * 100) / money) / 100}‰`;

export const useGuaranteeColumns = (
  actions: readonly RowAction<Guarantee>[],
  switching: StatusSwitching,
  open: (row: Guarantee) => void,
): Column<Guarantee>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useGuaranteeWords();
  const english = language === 'en';
  return [
    {
      key: 'money',
      title: words.money.label,
      width: 132,
      pin: 'start',
      fixed: true,
      sort: 'money',
      cell: (row) => <NameCell name={yuan(row.money)} onOpen={() => open(row)} />,
    },
    {
      key: 'from_money',
      title: t('guarantees.from'),
      width: 120,
      align: 'end',
      cell: (row) => (row.from_money === null ? '—' : <Money fen={row.from_money} />),
    },
    {
      key: 'price',
      title: words.price.label,
      width: fittedWidth(words.price.label, { sorts: true, least: 96 }),
      align: 'end',
      sort: 'price',
      fen: (row) => row.price,
      cell: (row) => <Money fen={row.price} />,
    },
    {
      key: 'rate',
      title: t('guarantees.rate'),
      width: fittedWidth(t('guarantees.rate'), { least: 72 }),
      align: 'end',
      cell: (row) => <span className="tabular">{perMille(row)}</span>,
    },
    {
      key: 'status',
      title: words.status.label,
      width: 112,
      grow: true,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={yuan(row.money)} switching={switching} />,
    },
    {
      key: 'parcels_30d',
      title: t('guarantees.used'),
      width: fittedWidth(t('guarantees.used'), { least: 104 }),
      align: 'end',
      aside: english,
      cell: (row) => <span className="tabular">{format.number(row.parcels_30d)}</span>,
    },
    {
      key: 'created_at',
      title: t('lists.created'),
      width: 112,
      aside: true,
      sort: 'created_at',
      cell: (row) => <TimeCell at={row.created_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: rowActionsWidth(t('lists.actions'), actions),
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={yuan(row.money)} actions={actions} />,
    },
  ];
};

/** An insurance tier as a card, for narrow screens. */
export const GuaranteeCard = ({ row }: { row: Guarantee }) => {
  const { t } = useTexts();
  const words = useGuaranteeWords();
  return (
    <div className={styles['tier']}>
      <strong>{t('guarantees.up_to', { money: yuan(row.money) })}</strong>
      <strong>
        <Money fen={row.price} />
      </strong>
      <span className={styles['quiet']}>
        {t('guarantees.rate')} {perMille(row)}
      </span>
      <span className={styles['quiet']}>{words.status.show(row.status)}</span>
    </div>
  );
};
