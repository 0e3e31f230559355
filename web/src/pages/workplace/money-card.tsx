import { useState } from 'react';
import { averageOf } from '@waystation/contract/money/money.ts';
import { moneyBoard } from '@waystation/contract/shell/workplace.ts';
import type { MoneyBoard } from '@waystation/contract/shell/workplace.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { DayBars } from '#ui/charts/day-bars.tsx';
import { DayLines } from '#ui/charts/day-lines.tsx';
import { Money } from '#ui/values/money.tsx';
import { BoardCard } from './board-card.tsx';
import styles from './boards.module.css';
import { Change, shareOf } from './change.tsx';
import { MoneyDays } from './money-days.tsx';
import { RangeChoice, useRange } from './range-choice.tsx';

/**
 * A short text in yuan for the scale of a chart. From 10,000 yuan on, it is in thousands with k,
 * because 万 would have to be translated.
 */
const scaleText = (fen: number): string => {
  const whole = Math.trunc(fen / 100);
  return Math.abs(whole) >= 10_000
    ? `${whole < 0 ? '−' : ''}${Math.trunc(Math.abs(whole) / 1_000)}k`
    : String(whole).replace('-', '−');
};

/** The four sums of the chosen days. Each is compared with the sum of as many days before them. */
const Figures = ({ board }: { board: MoneyBoard }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { sums, before, days } = board;
  const against = (now: number, then: number) => (
    <Change now={now} then={then} days={days.length} />
  );
  return (
    <dl className={styles['figures']}>
      <div>
        <dt>{t('workplace.money_board.parcels')}</dt>
        <dd>
          <a href={screenHref('ExpressTable', board.parcels)}>{format.number(sums.count)}</a>
        </dd>
        <dd>{against(sums.count, before.count)}</dd>
      </div>
      <div>
        <dt>{t('workplace.money_board.revenue')}</dt>
        <dd>
          <a href={screenHref('StatementTable', board.lines)}>
            <Money fen={sums.revenue} />
          </a>
        </dd>
        <dd>{against(sums.revenue, before.revenue)}</dd>
      </div>
      <div>
        <dt>{t('workplace.money_board.cost')}</dt>
        <dd>
          <Money fen={sums.cost} />
        </dd>
        <dd>{against(sums.cost, before.cost)}</dd>
      </div>
      <div>
        <dt>
          {t('workplace.money_board.margin')}
          {sums.revenue > 0 && (
            <span className={styles['beside']}>
              {t('workplace.money_board.rate', {
                rate: format.percent(shareOf(sums.margin, sums.revenue)),
              })}
            </span>
          )}
        </dt>
        <dd>
          <Money fen={sums.margin} {...(sums.margin < 0 && { tone: 'danger' as const })} />
        </dd>
        <dd>{against(sums.margin, before.margin)}</dd>
      </div>
    </dl>
  );
};

const Charts = ({ board }: { board: MoneyBoard }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { days, sums } = board;
  // Leaves out the last day, which is today. It has not ended yet, so it would always be the lowest
  // day.
  const ended = days.length > 1 ? days.slice(0, -1) : days;
  const ranked = ended.toSorted((a, b) => a.margin - b.margin);
  const [worst, best] = [ranked[0]!, ranked.at(-1)!];
  const signedAverage =
    sums.margin < 0 ? -averageOf(-sums.margin, days.length) : averageOf(sums.margin, days.length);
  const named = {
    upper: t('workplace.money_board.revenue'),
    lower: t('workplace.money_board.cost'),
    bar: t('workplace.money_board.margin'),
  };
  const station =
    board.parcels['station_id'] === undefined ? {} : { station_id: board.parcels['station_id'] };
  return (
    <div className={styles['charts']}>
      <section>
        <h3>{t('workplace.money_board.daily_money', { days: days.length })}</h3>
        <DayLines
          title={t('workplace.money_board.daily_money', { days: days.length })}
          names={named}
          points={days.map((day, index) => ({
            key: day.day,
            label: day.day.slice(5),
            upper: day.revenue,
            lower: day.cost,
            bar: day.margin,
            isUnfinished: index === days.length - 1,
            words: `${day.day}${index === days.length - 1 ? t('workplace.money_board.unfinished') : ''}\n${named.upper} ${yuan(day.revenue)}\n${named.lower} ${yuan(day.cost)}\n${named.bar} ${yuan(day.margin)}`,
          }))}
          sentence={t('workplace.money_board.sentence', {
            days: days.length,
            revenue: yuan(sums.revenue),
            cost: yuan(sums.cost),
            margin: yuan(sums.margin),
            average: yuan(signedAverage),
            best: best.day.slice(5),
            best_margin: yuan(best.margin),
            worst: worst.day.slice(5),
            worst_margin: yuan(worst.margin),
          })}
          format={scaleText}
        />
      </section>
      <section>
        <h3>{t('workplace.trend', { days: days.length })}</h3>
        <DayBars
          title={t('workplace.trend', { days: days.length })}
          bars={days.map(({ day, count }) => ({
            key: day,
            label: day.slice(5),
            value: count,
            words: t('workplace.trend_bar', { day, count: format.number(count) }),
            href: screenHref('ExpressTable', {
              group: 'total',
              created_from: day,
              created_to: day,
              ...station,
            }),
          }))}
          sentence={t('workplace.trend_sentence', {
            days: days.length,
            sum: format.number(sums.count),
            average: format.number(Math.round(sums.count / days.length)),
            today: format.number(days.at(-1)!.count),
          })}
          format={format.number}
        />
      </section>
    </div>
  );
};

/**
 * The effect of re-weighs: the number and sum of higher prices and of refunds, with links to the
 * transactions.
 */
const Reweigh = ({ reweigh: { all, up, down } }: { reweigh: MoneyBoard['reweigh'] }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <section className={styles['reweigh']}>
      <h3>{t('workplace.money_board.reweigh')}</h3>
      {all.count === 0 ? (
        <p className={styles['quiet']}>{t('workplace.money_board.reweigh_none')}</p>
      ) : (
        <div className={styles['sides']}>
          <dl>
            <div>
              <dt>{t('workplace.money_board.reweigh_up', { count: format.number(up.count) })}</dt>
              <dd>
                <a href={screenHref('StatementTable', up.filter)}>
                  <Money fen={up.amount} signed />
                </a>
              </dd>
            </div>
            <div>
              <dt>
                {t('workplace.money_board.reweigh_down', { count: format.number(down.count) })}
              </dt>
              <dd>
                <a href={screenHref('StatementTable', down.filter)}>
                  <Money fen={-down.amount} />
                </a>
              </dd>
            </div>
            <div>
              <dt>{t('workplace.money_board.reweigh_net')}</dt>
              <dd>
                <Money fen={up.amount - down.amount} signed />
              </dd>
            </div>
          </dl>
          <a href={screenHref('StatementTable', all.filter)}>
            {t('workplace.money_board.reweigh_all', { count: format.number(all.count) })}
          </a>
        </div>
      )}
    </section>
  );
};

const stationOf = (value: string | undefined): number | null =>
  value !== undefined && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null;

/**
 * The card with the platform's earnings. It shows their sums, a chart of the days, and the effect
 * of re-weighs.
 */
export const MoneyCard = ({ every }: { every: number }) => {
  const { t } = useTexts();
  const days = useRange();
  const [search, setSearch] = usePageSearch();
  const station = stationOf(search['station_id']);
  const [names, setNames] = useState<Record<number, string>>({});
  const [open, setOpen] = useState(false);
  const reading = useCall(
    moneyBoard,
    { days, ...(station !== null && { station_id: station }) },
    { refetchInterval: every, quiet: true, keep: true },
  );
  return (
    <BoardCard
      title={t('workplace.money_board.title')}
      tools={
        <>
          <RangeChoice />
          <div className={styles['picker']}>
            <StationPicker
              label={t('workplace.money_board.station')}
              placeholder={t('workplace.money_board.all_stations')}
              bare
              clearable
              value={station}
              shown={station === null ? undefined : (names[station] ?? `#${station}`)}
              onChange={(id, name) => {
                if (id !== null) setNames({ ...names, [id]: name });
                setSearch({ station_id: id ?? undefined });
              }}
            />
          </div>
        </>
      }
      reading={reading}
    >
      {(board) => (
        <>
          <Figures board={board} />
          <Charts board={board} />
          <p className={styles['note']}>{t('workplace.money_board.note')}</p>
          <Reweigh reweigh={board.reweigh} />
          <button
            type="button"
            className={styles['toggle']}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t(open ? 'workplace.money_board.hide_days' : 'workplace.money_board.show_days')}
          </button>
          <MoneyDays board={board} hidden={!open} />
        </>
      )}
    </BoardCard>
  );
};
