import type { Language } from '@waystation/contract/base/errors.ts';
import { fittedWidth } from '#resource/table/fitted-width.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { tokenWarningDays } from '@waystation/contract/network/merchant.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { NameCell, TextCell, TimeCell, textColumn } from '#resource/list/cells.tsx';
import { RowActions } from '#resource/list/row-actions.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import type { Column } from '#resource/table/column.ts';
import { Joined } from '#resource/table/row-card.tsx';
import { Money } from '#ui/values/money.tsx';
import { useNow } from '#base/now.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import styles from './merchants.module.css';
import { daysLeft, useEnvironment, useMerchantWords } from './words.ts';

/**
 * The share of the last day's calls that the carrier answered. If the account is paused or a test
 * has failed, a text is shown instead.
 */
export const Health = ({ merchant }: { merchant: Merchant }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { paused_at, down_since, calls_24h, answered_24h, proof } = merchant;
  if (paused_at !== null)
    return (
      <span className={primitives['tag']} data-tone="danger">
        {t('merchants.paused')}
      </span>
    );
  if (down_since !== null)
    return (
      <span
        className={primitives['tag']}
        data-tone="danger"
        title={t('merchants.down_words', { time: format.moment(down_since) })}
      >
        {t('merchants.down')}
      </span>
    );
  if (calls_24h > 0)
    return (
      <TextCell
        text={t('merchants.health_words', {
          percent: Math.floor((answered_24h * 100) / calls_24h),
          count: format.number(calls_24h),
        })}
      />
    );
  if (proof) return t(proof.ok === 1 ? 'merchants.proof_ok' : 'merchants.failed', { ms: proof.ms });
  return <span className={styles['quiet']}>{t('merchants.no_calls')}</span>;
};

export const TokenEnd = ({ at }: { at: string | null }) => {
  const { t } = useTexts();
  const days = daysLeft(at, useNow());
  if (days === null) return '—';
  if (days >= tokenWarningDays) return t('merchants.token_left', { count: days });
  return (
    <span className={primitives['tag']} data-tone={days < 0 ? 'danger' : 'warn'}>
      {days < 0 ? t('merchants.token_ended') : t('merchants.token_left', { count: days })}
    </span>
  );
};

export const DefaultTag = () => {
  const { t } = useTexts();
  return <span className={primitives['tag']}>★ {t('merchants.default_tag')}</span>;
};

const EnvironmentTag = ({ merchant }: { merchant: Merchant }) => {
  const environment = useEnvironment();
  return (
    <span className={primitives['tag']} data-tone={merchant.simulated === 1 ? 'warn' : 'plain'}>
      {environment(merchant)}
    </span>
  );
};

const providerNames = (language: Language): string[] =>
  Object.values(providers).map((provider) => provider[language]);

export const useMerchantColumns = (
  actions: readonly RowAction<Merchant>[],
  switching: StatusSwitching,
  open: (row: Merchant) => void,
): Column<Merchant>[] => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useMerchantWords();
  const english = language === 'en';
  const fitted = (title: string, options: Parameters<typeof fittedWidth>[1]) => ({
    title,
    width: fittedWidth(title, options),
  });
  return [
    {
      key: 'name',
      title: words.name.label,
      width: 176,
      grow: true,
      pin: 'start',
      fixed: true,
      sort: 'name',
      cell: (row) => (
        <span className={styles['name']}>
          <NameCell name={row.name} onOpen={() => open(row)} />
          {row.is_default === 1 && <DefaultTag />}
        </span>
      ),
    },
    {
      key: 'provider',
      ...fitted(words.provider.label, { sorts: true, texts: providerNames(language), least: 96 }),
      sort: 'provider',
      cell: (row) => words.provider.show(row.provider),
    },
    {
      key: 'customer_code',
      title: words.customer_code.label,
      width: 128,
      sort: 'customer_code',
      cell: (row) => <CodeText code={row.customer_code} />,
    },
    {
      key: 'environment',
      ...fitted(t('merchants.environment'), { least: 80 }),
      cell: (row) => <EnvironmentTag merchant={row} />,
    },
    {
      key: 'status',
      title: words.status.label,
      width: 104,
      sort: 'status',
      cell: (row) => <StatusSwitch row={row} name={row.name} switching={switching} />,
    },
    {
      key: 'health',
      title: t('merchants.health'),
      width: english ? 168 : 152,
      cell: (row) => <Health merchant={row} />,
    },
    {
      key: 'last_call_at',
      title: t('merchants.last_call'),
      width: 112,
      aside: true,
      cell: (row) => <TimeCell at={row.last_call_at} />,
    },
    {
      key: 'token_expires_at',
      ...fitted(words.token_expires_at.label, { least: 96 }),
      cell: (row) => <TokenEnd at={row.token_expires_at} />,
    },
    {
      key: 'guarantee',
      ...fitted(words.guarantee.label, { sorts: true, least: 96 }),
      align: 'end',
      aside: english,
      fen: (row) => row.guarantee,
      sort: 'guarantee',
      cell: (row) => <Money fen={row.guarantee} />,
    },
    {
      key: 'warehouse_code',
      ...fitted(words.warehouse_code.label, { least: 96 }),
      aside: true,
      ...textColumn((row: Merchant) => row.warehouse_code),
    },
    {
      key: 'sender_name',
      title: words.sender_name.label,
      width: 112,
      aside: true,
      ...textColumn((row: Merchant) => row.sender_name),
    },
    {
      key: 'parcels_30d',
      ...fitted(t('merchants.parcels'), { sorts: true, least: 80 }),
      align: 'end',
      aside: true,
      sort: 'parcels_30d',
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
      width: 184,
      pin: 'end',
      fixed: true,
      cell: (row) => <RowActions row={row} name={row.name} actions={actions} />,
    },
  ];
};

/** A carrier account as a card, for narrow screens. */
export const MerchantCard = ({ row }: { row: Merchant }) => {
  const words = useMerchantWords();
  return (
    <div className={styles['card']}>
      <div className={styles['line']}>
        <strong>{row.name}</strong>
        {row.is_default === 1 && <DefaultTag />}
        <EnvironmentTag merchant={row} />
        <span className={`${styles['quiet']} ${styles['end']}`}>
          {words.status.show(row.status)}
        </span>
      </div>
      <div className={`${styles['line']} ${styles['quiet']}`}>
        <Joined
          of={[
            words.provider.show(row.provider),
            row.customer_code,
            <Health key="health" merchant={row} />,
          ]}
        />
      </div>
    </div>
  );
};
