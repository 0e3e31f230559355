import { CaretDownFilled, CaretUpFilled, FallOutlined } from '@ant-design/icons-svg';
import { useMemo, useState } from 'react';
import { silentDays, stationBoard, stuckHours } from '@waystation/contract/shell/workplace.ts';
import type { StationBelow } from '@waystation/contract/shell/workplace.ts';
import { firstShown } from '#base/first-shown.ts';
import { useFormat } from '#base/format.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import { Empty } from '#ui/empty.tsx';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import { BoardCard } from './board-card.tsx';
import { fallenMost } from '#parcels/fallen.ts';
import styles from './boards.module.css';
import { shareOf, useGrowth } from './change.tsx';
import { RangeChoice, useRange } from './range-choice.tsx';

type Column = 'parcels' | 'growth' | 'profit' | 'available' | 'stuck' | 'last';

/**
 * The value by which each column ranks the stations. Stations without a value to compare with come
 * last.
 */
const worth: Record<Column, (row: StationBelow) => number> = {
  parcels: ({ parcels }) => parcels.count,
  growth: ({ parcels, before }) =>
    before.count > 0 ? shareOf(parcels.count, before.count) : Number.NEGATIVE_INFINITY,
  profit: ({ profit }) => profit.amount,
  available: ({ available }) => available,
  stuck: ({ stuck }) => stuck.count,
  last: ({ last_active_at }) => (last_active_at === null ? 0 : Date.parse(last_active_at)),
};
const columns = Object.keys(worth) as Column[];

const Cells = ({ row, days }: { row: StationBelow; days: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const growth = useGrowth();
  const station = screenHref('StationTable', { id: row.station_id });
  return (
    <>
      <th scope="row">
        <a href={station}>{row.name}</a>
        <span className={styles['under']}>
          {row.parent_name}
          {row.status === 0 && ` · ${t('workplace.below.off')}`}
        </span>
      </th>
      <td>
        <a href={screenHref('ExpressTable', row.parcels.filter)}>
          {format.number(row.parcels.count)}
        </a>
      </td>
      <td>
        <a
          href={screenHref('ExpressTable', row.before.filter)}
          title={t('workplace.below.opens_before', {
            days,
            count: format.number(row.before.count),
          })}
        >
          {growth(row.parcels.count, row.before.count) ??
            (row.parcels.count > 0 ? t('workplace.below.growth_new') : '—')}
        </a>
      </td>
      <td>
        <a href={screenHref('StatementTable', row.profit.filter)}>
          <Money fen={row.profit.amount} />
        </a>
      </td>
      <td>
        <a href={station}>
          <Money fen={row.available} {...(row.available < 0 && { tone: 'danger' as const })} />
        </a>
        {row.has_amount === 0 && (
          <span className={styles['under']}>{t('workplace.below.post_paid')}</span>
        )}
      </td>
      <td data-warn={row.stuck.count > 0 || undefined}>
        <a href={screenHref('ExpressTable', row.stuck.filter)}>{format.number(row.stuck.count)}</a>
      </td>
      <td title={row.last_active_at === null ? undefined : format.moment(row.last_active_at)}>
        <a href={screenHref('ExpressTable', { station_id: row.station_id })}>
          {row.last_active_at === null
            ? t('workplace.below.never')
            : format.relative(row.last_active_at)}
        </a>
        {row.silent === 1 && (
          <span className={styles['silent']}>
            {t('workplace.below.silent', { days: silentDays })}
          </span>
        )}
      </td>
    </>
  );
};

/** The station that lost the most parcels. A key and a link lead to the reason. */
const Fallen = ({ row, days }: { row: StationBelow; days: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const growth = useGrowth();
  const keys = useMemo(
    () => [
      {
        keys: 's',
        label: t('workplace.below.fallen'),
        run: () => firstShown('[data-fallen]')?.focus(),
      },
    ],
    [t],
  );
  useShortcuts(keys);
  const [now, before] = [row.parcels.count, row.before.count];
  return (
    <p className={styles['fallen']}>
      <Icon of={FallOutlined} />
      <span>
        {t('workplace.below.fallen')}{' '}
        <a
          href={screenHref('StationTable', { id: row.station_id, why: days })}
          aria-keyshortcuts="s"
          data-fallen={row.station_id}
        >
          {row.name}
        </a>{' '}
        <strong>{growth(now, before)}</strong>{' '}
        {t('workplace.below.fallen_from', {
          days,
          now: format.number(now),
          before: format.number(before),
        })}
      </span>
      <kbd aria-hidden>S</kbd>
    </p>
  );
};

const Ranking = ({ rows, days }: { rows: readonly StationBelow[]; days: number }) => {
  const { t } = useTexts();
  const [by, setBy] = useState<{ column: Column; up: boolean }>({ column: 'parcels', up: false });
  const value = worth[by.column];
  // Stations with equal values keep the order in which the server sent them.
  const ranked = rows.toSorted((a, b) =>
    value(a) === value(b) ? 0 : value(a) > value(b) === by.up ? 1 : -1,
  );
  return (
    <div
      className={styles['scroll']}
      role="group"
      aria-label={t('workplace.below.title')}
      tabIndex={0}
    >
      <table className={styles['table']} data-ranked>
        <thead>
          <tr>
            <th scope="col">{t('workplace.below.station')}</th>
            {columns.map((column) => {
              const sorted = column === by.column;
              return (
                <th
                  key={column}
                  scope="col"
                  aria-sort={sorted ? (by.up ? 'ascending' : 'descending') : 'none'}
                >
                  <button
                    type="button"
                    title={
                      column === 'stuck'
                        ? t('workplace.below.stuck_note', { hours: stuckHours })
                        : undefined
                    }
                    aria-label={t('workplace.below.sort_by', {
                      name: t(`workplace.below.${column}`),
                    })}
                    onClick={() => setBy({ column, up: sorted ? !by.up : false })}
                  >
                    {t(`workplace.below.${column}`)}
                    {sorted &&
                      (by.up ? <Icon of={CaretUpFilled} /> : <Icon of={CaretDownFilled} />)}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {ranked.map((row) => (
            <tr key={row.station_id}>
              <Cells row={row} days={days} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/**
 * Ranks the stations below the partner's station, or below one of those stations. Each number links
 * to the list of the parcels that it counts.
 */
export const StationsCard = ({ every }: { every: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const days = useRange();
  const [search, setSearch] = usePageSearch();
  const wanted = search['root_id'];
  const root = wanted !== undefined && /^[1-9]\d{0,14}$/.test(wanted) ? Number(wanted) : null;
  const reading = useCall(
    stationBoard,
    { days, ...(root !== null && { root_id: root }) },
    { refetchInterval: every, quiet: true, keep: true },
  );
  const roots = reading.data?.roots ?? [];
  const own = roots[0]?.id;
  const fallen = fallenMost(reading.data?.items ?? []);
  const sum = (rows: readonly StationBelow[], of: (row: StationBelow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  return (
    <BoardCard
      title={t('workplace.below.title')}
      tools={
        <>
          <RangeChoice />
          {roots.length > 1 && (
            <div className={styles['picker']}>
              <Combobox
                label={t('workplace.below.root')}
                bare
                value={String(root ?? own)}
                options={roots.map(({ id, name }) => ({ value: String(id), label: name }))}
                onChange={(id) => setSearch({ root_id: Number(id) === own ? undefined : id })}
              />
            </div>
          )}
        </>
      }
      reading={reading}
    >
      {({ items }) =>
        items.length === 0 ? (
          <Empty title={t('workplace.below.none')} hint={t('workplace.below.none_hint')} />
        ) : (
          <>
            {fallen && <Fallen row={fallen} days={days} />}
            <Ranking rows={items} days={days} />
            <p className={styles['note']}>
              {t('workplace.below.sentence', {
                count: format.number(items.length),
                days,
                parcels: format.number(sum(items, ({ parcels }) => parcels.count)),
                profit: yuan(sum(items, ({ profit }) => profit.amount)),
                stuck: format.number(sum(items, ({ stuck }) => stuck.count)),
                silent: format.number(sum(items, ({ silent }) => silent)),
              })}
            </p>
          </>
        )
      }
    </BoardCard>
  );
};
