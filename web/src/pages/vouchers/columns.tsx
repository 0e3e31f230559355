import { fittedWidth, rowActionsWidth } from '#resource/table/fitted-width.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { shortDiscount } from '@waystation/contract/money/discount.ts';
import { wholeRate } from '@waystation/contract/money/money.ts';
import type { VoucherRow } from '@waystation/contract/money/voucher.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined } from '#resource/table/row-card.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import styles from './editor.module.css';
import { useRateWords, useVoucherWords } from './words.ts';

/**
 * Shows the version in force, the planned versions, and whether the draft differs from the last
 * published version.
 */
export const VersionStatus = ({ row }: { row: VoucherRow }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <span className={styles['line']}>
      {row.no !== null
        ? t('vouchers.version_no', { no: row.no })
        : row.next_no === null && <span className={styles['tag']}>{t('vouchers.draft')}</span>}
      {row.next_no !== null && row.next_from !== null && (
        <span className={styles['tag']} title={format.moment(row.next_from)}>
          {t('vouchers.follows', { no: row.next_no, day: format.date(row.next_from) })}
        </span>
      )}
      {row.changed === 1 && row.latest_no !== null && (
        <span className={styles['tag']} data-tone="warn">
          {t('vouchers.changed')}
        </span>
      )}
    </span>
  );
};

export const useVoucherColumns = (
  actions: readonly RowAction<VoucherRow>[],
  switching: StatusSwitching,
  open: (row: VoucherRow) => void,
): Column<VoucherRow>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useVoucherWords();
  const rate = useRateWords();
  const english = language === 'en';
  const providerNames = Object.values(providers).map((provider) => provider[language]);
  const figure = (
    key: 'zones' | 'projects' | 'stations' | 'parcels_30d',
    title: string,
    aside = false,
  ): Column<VoucherRow> => ({
    key,
    title,
    width: fittedWidth(title, { sorts: true, least: 80 }),
    align: 'end',
    sort: key,
    aside,
    cell: (row) => <span className="tabular">{format.number(row[key])}</span>,
  });
  return [
    {
      key: 'name',
      title: words.name.label,
      width: 160,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <NameCell name={row.name} onOpen={() => open(row)} />,
    },
    {
      key: 'promise_name',
      title: words.promise_id.label,
      width: 120,
      sort: 'promise_id',
      ...textColumn((row: VoucherRow) => row.promise_name),
    },
    {
      key: 'standing',
      title: t('vouchers.version'),
      width: 208,
      grow: true,
      cell: (row) => <VersionStatus row={row} />,
    },
    {
      key: 'valid_from',
      title: t('vouchers.valid_from'),
      width: 112,
      aside: true,
      cell: (row) => <TimeCell at={row.valid_from} />,
    },
    {
      key: 'discount',
      title: words.discount.label,
      width: fittedWidth(words.discount.label, { least: 84 }),
      cell: (row) => shortDiscount(row.discount ?? wholeRate, language),
    },
    {
      key: 'northeast_discount',
      title: words.northeast_discount.label,
      width: fittedWidth(words.northeast_discount.label, { least: 132 }),
      aside: english,
      cell: (row) => rate(row.northeast_discount),
    },
    {
      key: 'status',
      title: words.status.label,
      width: 104,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.name} switching={switching} />,
    },
    figure('zones', t('vouchers.zones'), true),
    figure('stations', t('vouchers.stations')),
    figure('projects', t('vouchers.projects'), true),
    figure('parcels_30d', t('vouchers.parcels'), english),
    {
      key: 'provider',
      title: words.provider.label,
      width: fittedWidth(words.provider.label, { sorts: true, texts: providerNames, least: 96 }),
      aside: true,
      sort: 'provider',
      cell: (row) => words.provider.show(row.provider),
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
      key: 'updated_at',
      title: t('lists.updated'),
      width: 112,
      aside: true,
      sort: 'updated_at',
      cell: (row) => <TimeCell at={row.updated_at} />,
    },
    {
      key: 'actions',
      title: t('lists.actions'),
      width: rowActionsWidth(t('lists.actions'), actions),
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

/** A template as a card, for narrow screens. */
export const VoucherCard = ({ row }: { row: VoucherRow }) => {
  const words = useVoucherWords();
  return (
    <div className={primitives['closeStack']}>
      <div className={styles['line']}>
        <strong>{row.name}</strong>
        <span className={`${styles['quiet']} ${styles['end']}`}>
          {words.status.show(row.status)}
        </span>
      </div>
      <div className={`${styles['line']} ${styles['quiet']}`}>
        <Joined of={[row.promise_name, <VersionStatus key="version" row={row} />]} />
      </div>
    </div>
  );
};
