import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { DeliveryPromise } from '@waystation/contract/parcels/promise.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import { usePromiseWords } from './words.ts';
import styles from './promises.module.css';

/**
 * Formats a number of hours as days, for example as "2.4 days". Returns a dash if the number is
 * null, because nothing was signed for.
 */
export const useDaysText = (): ((hours: number | null) => string) => {
  const { t } = useTexts();
  const format = useFormat();
  return (hours) =>
    hours === null
      ? '—'
      : t('promises.days', { days: format.number(Math.round((hours * 10) / 24) / 10) });
};

/**
 * Formats an on-time rate, for example as "96.4%". Returns a dash if no parcel with a promised time
 * was delivered.
 */
export const useOnTimeText = (): ((rate: number | null) => string) => {
  const format = useFormat();
  return (rate) => (rate === null ? '—' : format.percent(rate / 10_000));
};

export const usePromiseColumns = (
  actions: readonly RowAction<DeliveryPromise>[],
  switching: StatusSwitching,
  open: (row: DeliveryPromise) => void,
): Column<DeliveryPromise>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = usePromiseWords();
  const days = useDaysText();
  const rate = useOnTimeText();
  const providerNames = Object.values(providers).map((provider) => provider[language]);
  const figure = (value: number) => <span className="tabular">{format.number(value)}</span>;
  return [
    {
      key: 'promise_name',
      title: words.promise_name.label,
      width: 120,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'promise_name',
      cell: (row) => <NameCell name={row.promise_name} onOpen={() => open(row)} />,
    },
    {
      key: 'promise_id',
      title: words.promise_id.label,
      width: 128,
      sort: 'promise_id',
      cell: (row) => <CodeText code={row.promise_id} />,
    },
    {
      key: 'status',
      title: words.status.label,
      width: 112,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.promise_name} switching={switching} />,
    },
    {
      key: 'promise_name_en',
      title: words.promise_name_en.label,
      width: 124,
      aside: true,
      ...textColumn((row: DeliveryPromise) => row.promise_name_en),
    },
    {
      key: 'provider',
      title: words.provider.label,
      width: fittedWidth(words.provider.label, { sorts: true, texts: providerNames, least: 96 }),
      sort: 'provider',
      cell: (row) => words.provider.show(row.provider),
    },
    {
      key: 'cutoff_time',
      title: words.cutoff_time.label,
      width: fittedWidth(words.cutoff_time.label, { sorts: true, least: 72 }),
      sort: 'cutoff_time',
      cell: (row) => <span className="tabular">{row.cutoff_time || '—'}</span>,
    },
    {
      key: 'sort',
      title: words.sort.label,
      width: 68,
      align: 'end',
      aside: true,
      sort: 'sort',
      cell: (row) => figure(row.sort),
    },
    {
      key: 'voucher_count',
      title: t('promises.vouchers'),
      width: fittedWidth(t('promises.vouchers'), { sorts: true, least: 80 }),
      align: 'end',
      sort: 'voucher_count',
      cell: (row) => figure(row.voucher_count),
    },
    {
      key: 'used_count',
      title: t('promises.used'),
      width: fittedWidth(t('promises.used'), { sorts: true, least: 80 }),
      align: 'end',
      sort: 'used_count',
      cell: (row) => figure(row.used_count),
    },
    {
      key: 'average_hours',
      title: t('promises.average'),
      width: fittedWidth(t('promises.average'), { least: 104 }),
      align: 'end',
      cell: (row) => <span className="tabular">{days(row.average_hours)}</span>,
    },
    {
      key: 'on_time_rate',
      title: t('promises.on_time'),
      width: fittedWidth(t('promises.on_time'), { least: 72 }),
      align: 'end',
      cell: (row) => <span className="tabular">{rate(row.on_time_rate)}</span>,
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
      cell: (row) => <RowActions row={row} name={row.promise_name} actions={actions} />,
    },
  ];
};

/** A delivery time as a card, for narrow screens. */
export const PromiseCard = ({ row }: { row: DeliveryPromise }) => {
  const { t } = useTexts();
  const words = usePromiseWords();
  const days = useDaysText();
  const rate = useOnTimeText();
  return (
    <RowCard>
      <div>
        <strong>{row.promise_name}</strong>
        <span className="tabular">{row.promise_id}</span>
        <span className={styles['end']}>{words.status.show(row.status)}</span>
      </div>
      <div className={primitives['quiet']}>
        <Joined
          of={[
            words.provider.show(row.provider),
            `${t('promises.used')} ${row.used_count}`,
            `${t('promises.average')} ${days(row.average_hours)}`,
            `${t('promises.on_time')} ${rate(row.on_time_rate)}`,
          ]}
        />
      </div>
    </RowCard>
  );
};
