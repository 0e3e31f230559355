import { fittedWidth } from '#resource/table/fitted-width.ts';
import { shortDiscount } from '@waystation/contract/money/discount.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { isBelowLimit } from '@waystation/contract/network/station.ts';
import type { listStations } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { percentText } from '@waystation/contract/money/money.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch, switchWidth } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { Phone } from '#ui/values/waybill.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import type { TreeOf } from '#resource/table/tree.ts';
import { Joined, RowCard } from '#resource/table/row-card.tsx';
import type { Authorities } from './authority.ts';
import { NameInTree } from './name-in-tree.tsx';
import styles from './stations.module.css';
import type { SetupGuide } from './use-setup-guide.ts';
import { useRateWords, useStationWords } from './words.ts';

/** Shows the available balance, with a warning if it is low or negative. */
export const Available = ({ station }: { station: Station }) => {
  const { t } = useTexts();
  const { available, blocked } = station;
  const word =
    blocked === 1
      ? t('stations.blocked')
      : available < 0
        ? t('stations.overdrawn')
        : isBelowLimit(station)
          ? t('stations.low')
          : null;
  return (
    <>
      {word !== null && (
        <span
          className={styles['badge']}
          data-tone={blocked === 1 || available < 0 ? 'danger' : 'warn'}
        >
          {word}
        </span>
      )}
      <Money fen={available} {...(available < 0 && { tone: 'danger' as const })} />
    </>
  );
};

/** The settings of a station that differ from the defaults, as text. */
export const FlagWords = ({ station }: { station: Station }) => {
  const { t } = useTexts();
  const words = useStationWords();
  const flags = [
    station.has_amount === 0 &&
      `${words.has_amount.show(0)} · ${words.credit_limit.label} ${words.credit_limit.show(station.credit_limit)}`,
    station.claim_amount > 0 && t('stations.claim_of', { amount: yuan(station.claim_amount) }),
    station.allow_print === 0 && words.allow_print.show(0),
    station.allow_select === 0 && words.allow_select.show(0),
    station.enable_profit === 1 && words.enable_profit.show(1),
  ].filter((word) => word !== false);
  if (flags.length === 0) return '—';
  return (
    <span className={styles['flags']} title={flags.join(' · ')}>
      {flags.map((word) => (
        <span key={word} className={styles['flag']}>
          {word}
        </span>
      ))}
    </span>
  );
};

interface Props {
  tree: TreeOf<Station>;
  /** The sums over all matching stations; undefined until they are known. */
  every: OutputOf<typeof listStations>['sums'] | undefined;
  guide: SetupGuide;
  authorities: Authorities;
  actions: readonly RowAction<Station>[];
  switching: StatusSwitching;
  open: (row: Station) => void;
}

const useStatusCell = ({ authorities, switching }: Pick<Props, 'authorities' | 'switching'>) => {
  const words = useStationWords();
  return (row: Station) =>
    authorities.steers(row) ? (
      <StatusSwitch row={row} name={row.name} switching={switching} />
    ) : (
      words.status.show(row.status)
    );
};

/**
 * The columns of a station's money, in the order of the calculation: balance − held − reserve =
 * available.
 */
const useMoneyColumns = (every: Props['every']): Column<Station>[] => {
  const { t } = useTexts();
  const money = (key: 'money' | 'freeze', title: string): Column<Station> => ({
    key,
    title,
    width: 100,
    align: 'end',
    sort: key,
    fen: (row) => row[key],
    sum: { of: (row) => row[key], show: yuan, every: every?.[key] ?? null },
    cell: (row) => <Money fen={row[key]} />,
  });
  return [
    money('money', t('stations.money')),
    money('freeze', t('stations.freeze')),
    {
      key: 'fixed_freeze',
      title: t('stations.fixed_freeze'),
      width: 112,
      align: 'end',
      aside: true,
      fen: (row) => row.fixed_freeze,
      sum: {
        of: (row) => row.fixed_freeze,
        show: yuan,
        every: every ? every.money - every.freeze - every.available : null,
      },
      cell: (row) => (row.fixed_freeze === 0 ? '—' : <Money fen={row.fixed_freeze} />),
    },
    {
      key: 'low_balance',
      title: t('stations.low_balance'),
      width: 128,
      align: 'end',
      aside: true,
      fen: (row) => row.low_limit,
      exports: [
        { key: 'low_balance', title: t('stations.low_balance') },
        { key: 'low_limit', title: t('stations.low_limit') },
        { key: 'credit_limit', title: t('stations.credit_limit') },
        { key: 'claim_amount', title: t('stations.claim_amount') },
      ],
      cell: (row) =>
        row.low_balance === null ? (
          <span className={primitives['quiet']} title={t('stations.low_of_network')}>
            <Money fen={row.low_limit} />
          </span>
        ) : (
          <Money fen={row.low_balance} />
        ),
    },
    {
      key: 'available',
      title: t('stations.available'),
      width: 148,
      align: 'end',
      sort: 'available',
      fen: (row) => row.available,
      sum: { of: (row) => row.available, show: yuan, every: every?.available ?? null },
      besideFen: 56,
      cell: (row) => <Available station={row} />,
    },
  ];
};

const useTermColumns = ({ office }: Authorities): Column<Station>[] => {
  const { t, language } = useTexts();
  const rate = useRateWords();
  const words = useStationWords();
  return [
    {
      key: 'project_name',
      title: t('stations.project'),
      width: 116,
      grow: true,
      ...textColumn((row: Station) => row.project_name ?? ''),
    },
    {
      key: 'discount',
      title: t('stations.discount'),
      width: fittedWidth(t('stations.discount'), { texts: [rate(null)], least: 76 }),
      cell: (row) => (row.discount === null ? rate(null) : shortDiscount(row.discount, language)),
    },
    {
      key: 'northeast_discount',
      title: t('stations.northeast_discount'),
      width: fittedWidth(t('stations.northeast_discount'), { texts: [rate(null)], least: 132 }),
      aside: true,
      cell: (row) => rate(row.northeast_discount),
    },
    {
      key: 'flags',
      title: t('stations.flags'),
      width: 128,
      aside: language === 'en',
      exports: (
        [
          'has_amount',
          'allow_print',
          'allow_select',
          'offer_rule',
          'offer_carriers',
          'offer_fallback',
          'enable_profit',
        ] as const
      ).map((key) => ({ key, title: words[key].label })),
      cell: (row) => <FlagWords station={row} />,
    },
    {
      key: 'profit',
      title: t('stations.profit'),
      width: 92,
      aside: true,
      align: 'end',
      cell: (row) => <span className="tabular">{percentText(row.profit)}%</span>,
    },
    {
      key: 'fixed_profit',
      title: t('stations.fixed_profit'),
      width: 124,
      align: 'end',
      aside: true,
      fen: (row) => row.fixed_profit,
      cell: (row) => (row.fixed_profit === 0 ? '—' : <Money fen={row.fixed_profit} />),
    },
    {
      key: 'profit_limit',
      title: t('stations.profit_limit'),
      width: 112,
      aside: true,
      align: 'end',
      cell: (row) => <span className="tabular">{percentText(row.profit_limit)}%</span>,
    },
    {
      key: 'fixed_profit_limit',
      title: t('stations.fixed_profit_limit'),
      width: 120,
      aside: true,
      align: 'end',
      cell: (row) => (row.fixed_profit_limit === 0 ? '—' : <Money fen={row.fixed_profit_limit} />),
    },
    ...(office
      ? [
          {
            key: 'customer_code',
            title: t('stations.customer_code'),
            width: 152,
            aside: true,
            cell: (row: Station) => <CodeText code={row.customer_code ?? null} />,
          },
        ]
      : []),
  ];
};

export const useStationColumns = (props: Props): Column<Station>[] => {
  const { tree, guide, authorities, actions, open } = props;
  const { t } = useTexts();
  const format = useFormat();
  const status = useStatusCell(props);
  const money = useMoneyColumns(props.every);
  const terms = useTermColumns(authorities);
  const count = (key: 'users' | 'parcels_30d', title: string): Column<Station> => ({
    key,
    title,
    width: fittedWidth(title, { least: 72 }),
    align: 'end',
    aside: true,
    cell: (row) => <span className="tabular">{format.number(row[key])}</span>,
  });
  return [
    {
      key: 'name',
      title: t('stations.name'),
      width: 208,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => <NameInTree row={row} tree={tree} guide={guide} onOpen={() => open(row)} />,
    },
    {
      key: 'status',
      title: t('lists.status'),
      width: fittedWidth(t('lists.status'), {
        sorts: true,
        texts: [t('lists.enabled'), t('lists.disabled')],
        beside: switchWidth,
      }),
      sort: 'status',
      cell: status,
    },
    ...money,
    ...terms,
    {
      key: 'parent_name',
      title: t('stations.parent'),
      width: 152,
      aside: true,
      ...textColumn((row: Station) => row.parent_name ?? ''),
    },
    {
      key: 'level',
      title: t('stations.level'),
      width: 68,
      aside: true,
      align: 'end',
      cell: (row) => <span className="tabular">{row.level}</span>,
    },
    count('users', t('stations.users')),
    count('parcels_30d', t('stations.parcels')),
    {
      key: 'last_active_at',
      title: t('stations.last_active'),
      width: 112,
      aside: true,
      cell: (row) =>
        row.last_active_at === null ? t('stations.never') : <TimeCell at={row.last_active_at} />,
    },
    {
      key: 'sender',
      title: t('stations.sender'),
      width: 208,
      aside: true,
      cell: (row) => (
        <span className={primitives['cut']}>
          {row.sender_name} <Phone number={row.sender_phone} />
        </span>
      ),
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
      width: 164,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

/** A station as a card, for narrow screens. */
export const StationCard = ({ row }: { row: Station }) => {
  const words = useStationWords();
  const rate = useRateWords();
  return (
    <RowCard>
      <div>
        <strong>{row.name}</strong>
        {row.status === 0 && <span className={styles['flag']}>{words.status.show(0)}</span>}
        <span className={styles['sum']}>
          <Available station={row} />
        </span>
      </div>
      <div className={primitives['quiet']}>
        <Joined of={[row.parent_name, row.project_name, rate(row.discount)]} />
      </div>
    </RowCard>
  );
};
