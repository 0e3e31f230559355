import { getStation } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { percentText } from '@waystation/contract/money/money.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { BlockedNotice } from '#money/blocked-notice.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { placeText } from '#ui/fields/address-cascader.tsx';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import { Money } from '#ui/values/money.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { AccountsTab } from './accounts-tab.tsx';
import type { Authorities } from './authority.ts';
import { Available } from './columns.tsx';
import styles from './stations.module.css';
import { useStationPlaces } from './use-places.ts';
import { useRateWords, useStationWords } from './words.ts';

const MoneyTab = lazyComponent(async () => (await import('./money-tab.tsx')).MoneyTab, <Waiting />);

const PriceTab = lazyComponent(async () => (await import('./price-tab.tsx')).PriceTab, <Waiting />);

const Overview = ({ station, office }: { station: Station; office: boolean }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useStationWords();
  const rate = useRateWords();
  const places = useStationPlaces();
  const flagText = (
    key: 'status' | 'has_amount' | 'allow_select' | 'allow_print' | 'enable_profit',
  ) => ({
    key,
    label: words[key].label,
    value: words[key].show(station[key]),
  });
  return (
    <>
      {station.blocked === 1 && (
        <div className={styles['warned']}>
          <BlockedNotice station={station} />
        </div>
      )}
      <Facts
        facts={[
          {
            key: 'name',
            fields: ['id', 'name'],
            label: t('stations.name'),
            value: `${station.name} (${station.id})`,
          },
          { key: 'level', label: t('stations.level'), value: format.number(station.level) },
          {
            key: 'parent',
            fields: ['parent_id', 'parent_name'],
            label: t('stations.parent'),
            value:
              station.parent_name === null
                ? t('stations.top_level')
                : `${station.parent_name} (${station.parent_id})`,
          },
          {
            key: 'children',
            label: t('stations.children'),
            value: format.number(station.children),
          },
          flagText('status'),
          { key: 'money', label: t('stations.money'), value: <Money fen={station.money} /> },
          { key: 'freeze', label: t('stations.freeze'), value: <Money fen={station.freeze} /> },
          {
            key: 'available',
            fields: ['available', 'blocked'],
            label: t('stations.available'),
            value: <Available station={station} />,
          },
          {
            key: 'project',
            fields: ['project_id', 'project_name'],
            label: t('stations.project'),
            value: station.project_name && `${station.project_name} (${station.project_id})`,
          },
          { key: 'discount', label: t('stations.discount'), value: rate(station.discount) },
          {
            key: 'northeast_discount',
            label: t('stations.northeast_discount'),
            value: rate(station.northeast_discount),
          },
          flagText('allow_select'),
          flagText('has_amount'),
          {
            key: 'fixed_freeze',
            label: t('stations.fixed_freeze'),
            value: <Money fen={station.fixed_freeze} />,
          },
          {
            key: 'low_balance',
            fields: ['low_balance', 'low_limit'],
            label: t('stations.low_balance'),
            value: (
              <>
                <Money fen={station.low_limit} />{' '}
                {station.low_balance === null && t('stations.low_of_network')}
              </>
            ),
          },
          // A station whose balance is checked owes nothing, so that no limit applies to it.
          {
            key: 'credit_limit',
            label: t('stations.credit_limit'),
            value:
              station.has_amount === 1 ? null : station.credit_limit === null ? (
                words.credit_limit.show(null)
              ) : (
                <Money fen={station.credit_limit} />
              ),
          },
          {
            key: 'claim_amount',
            label: t('stations.claim_amount'),
            value: <Money fen={station.claim_amount} />,
          },
          ...(office
            ? [
                {
                  key: 'customer_code',
                  label: t('stations.customer_code'),
                  value: station.customer_code ? (
                    <CodeText code={station.customer_code} />
                  ) : (
                    t('stations.default_merchant')
                  ),
                },
              ]
            : []),
          flagText('enable_profit'),
          { key: 'profit', label: t('stations.profit'), value: `${percentText(station.profit)}%` },
          {
            key: 'fixed_profit',
            label: t('stations.fixed_profit'),
            value: <Money fen={station.fixed_profit} />,
          },
          {
            key: 'profit_limit',
            label: t('stations.profit_limit'),
            value: `${percentText(station.profit_limit)}%`,
          },
          {
            key: 'fixed_profit_limit',
            label: t('stations.fixed_profit_limit'),
            value: <Money fen={station.fixed_profit_limit} />,
          },
          flagText('allow_print'),
          {
            key: 'sender',
            fields: ['sender_name', 'sender_phone'],
            label: t('stations.sender'),
            value: [station.sender_name, station.sender_phone].filter(Boolean).join(' '),
          },
          { key: 'users', label: t('stations.users'), value: format.number(station.users) },
          {
            key: 'parcels_30d',
            label: t('stations.parcels'),
            value: format.number(station.parcels_30d),
          },
          {
            key: 'last_active_at',
            label: t('stations.last_active'),
            value:
              station.last_active_at === null
                ? t('stations.never')
                : format.moment(station.last_active_at),
          },
          {
            key: 'place',
            fields: ['province', 'city', 'county', 'address'],
            label: t('stations.address'),
            value: [placeText(station), station.address].filter(Boolean).join(' '),
            wide: true,
          },
          {
            key: 'created_at',
            label: t('lists.created'),
            value: format.moment(station.created_at),
          },
          {
            key: 'updated_at',
            label: t('lists.updated'),
            value: format.moment(station.updated_at),
          },
        ]}
      />
      <nav className={styles['places']} aria-label={t('stations.see')}>
        {places.map(({ key, screen, label }) => (
          <a key={key} href={screenHref(screen, { station_id: station.id })}>
            {label}
          </a>
        ))}
      </nav>
    </>
  );
};

interface Props {
  list: List<Station>;
  rows: readonly Station[] | undefined;
  authorities: Authorities;
  switching: StatusSwitching;
  onTopUp: (row: Station) => void;
  onMove: (row: Station) => void;
}

/** One station beside the list. */
export const StationDrawer = ({ list, rows, authorities, switching, onTopUp, onMove }: Props) => {
  const { t } = useTexts();
  const projects = Object.fromEntries(
    (rows ?? []).flatMap((row) =>
      row.project_id === null ? [] : [[row.project_id, row.project_name ?? '']],
    ),
  );
  const words = useStationWords({
    stations: Object.fromEntries((rows ?? []).map(({ id, name }) => [id, name])),
    projects,
  });
  const { opened } = list;
  const { data, error, refetch } = useCall(getStation, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
    refetchInterval: 30_000,
  });
  const station = data?.id === opened ? data : rows?.find(({ id }) => id === opened);
  const { office } = authorities;
  return (
    <RecordDrawer
      list={list}
      title={station?.name ?? t('shell.loading')}
      reading={{ ready: station !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: station && <Overview station={station} office={office} />,
        },
        {
          key: 'money',
          label: t('stations.tab_money'),
          content: station && (
            <MoneyTab
              key={station.id}
              station={station}
              authority={authorities.of(station)}
              topUp={office ? () => onTopUp(station) : null}
            />
          ),
        },
        {
          key: 'price',
          label: t('stations.tab_price'),
          content: station && <PriceTab key={station.id} station={station} />,
        },
        {
          key: 'accounts',
          label: t('stations.tab_accounts'),
          content: station && <AccountsTab key={station.id} station={station} />,
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: station && (
            <AuditTab
              key={station.id}
              subject="stations"
              id={station.id}
              words={words}
              actions={{
                move: t('stations.act_move'),
                top_up: t('stations.act_top_up'),
                assign_project: t('stations.act_scheme'),
              }}
            />
          ),
        },
      ]}
      actions={
        station && (
          <>
            <Button type="primary" onClick={() => list.openForm(station.id)}>
              {t('lists.edit')}
            </Button>
            {authorities.steers(station) && (
              <Button onClick={() => onMove(station)}>{t('stations.move')}</Button>
            )}
            {authorities.steers(station) && (
              <StatusSwitch row={station} name={station.name} switching={switching} />
            )}
          </>
        )
      }
    />
  );
};
