import { getStation } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { BlockedNotice } from '#money/blocked-notice.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { useUser } from '#shell/session/session.ts';
import { Button } from '#ui/button.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { AccountsTab } from './accounts-tab.tsx';
import type { Authorities } from './authority.ts';
import { StationFacts } from './station-facts.tsx';
import styles from './stations.module.css';
import { useStationPlaces } from './use-places.ts';
import { useStationWords } from './words.ts';

const MoneyTab = lazyComponent(async () => (await import('./money-tab.tsx')).MoneyTab, <Waiting />);

const PriceTab = lazyComponent(async () => (await import('./price-tab.tsx')).PriceTab, <Waiting />);

const StationFall = lazyComponent(
  async () => (await import('./station-fall.tsx')).StationFall,
  null,
);

const Overview = ({ station, list }: { station: Station; list: List<Station> }) => {
  const { t } = useTexts();
  const { role } = useUser();
  const places = useStationPlaces();
  return (
    <>
      {station.blocked === 1 && (
        <div className={styles['warned']}>
          <BlockedNotice station={station} />
        </div>
      )}
      {role === 'partner' && <StationFall key={station.id} station={station} list={list} />}
      <StationFacts station={station} />
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

/** The drawer of one station, beside the list. */
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
          content: station && <Overview station={station} list={list} />,
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
