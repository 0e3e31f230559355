import { PlusOutlined, PrinterOutlined, ReloadOutlined } from '@ant-design/icons-svg';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { countExceptions } from '@waystation/contract/parcels/express-calls.ts';
import { carrierOutages } from '@waystation/contract/network/outage.ts';
import { office } from '@waystation/contract/base/roles.ts';
import {
  balanceBoard,
  billBoard,
  ledgerProofs,
  moneyBoard,
  stationBoard,
  workplace,
} from '@waystation/contract/shell/workplace.ts';
import { useFormat } from '#base/format.ts';
import { openScreen, screenHref } from '#shell/tabs/open-screen.ts';
import { preloadQuery, refresh, useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { useOutages } from '#shell/outages.ts';
import { Button } from '#ui/button.tsx';
import { DayBars } from '#ui/charts/day-bars.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import type { Board } from './workplace/board.ts';
import { CardSettings, useCards } from './workplace/cards.tsx';
import type { ArrangedCards, Card } from './workplace/cards.tsx';
import { Checklist } from './workplace/checklist.tsx';
import { Counts, Todo } from './workplace/numbers.tsx';
import { FindBox } from './workplace/find-box.tsx';
import { BalancesCard } from './workplace/balances-card.tsx';
import { ExceptionsCard } from './workplace/exceptions-card.tsx';
import { BillsCard } from './workplace/bills-card.tsx';
import { OutageCard } from './workplace/outage-card.tsx';
import { MoneyCard } from './workplace/money-card.tsx';
import { ProofCard } from './workplace/proof-card.tsx';
import { Recent } from './workplace/recent.tsx';
import { Alerts, Wallet } from './workplace/side-cards.tsx';
import { StationsCard } from './workplace/stations-card.tsx';
import styles from './workplace/workplace.module.css';

const everyMinute = 60_000;
/** The endpoints that every variant of the Workplace reads. */
const shown = [
  workplace,
  carrierOutages,
  moneyBoard,
  balanceBoard,
  billBoard,
  stationBoard,
  ledgerProofs,
  countExceptions,
] as const;

const Trend = ({ days }: { days: Board['days'] }) => {
  const { t } = useTexts();
  const format = useFormat();
  const sum = days.reduce((total, { count }) => total + count, 0);
  const words = (day: string, count: number) =>
    t('workplace.trend_bar', { day, count: format.number(count) });
  return (
    <section className={styles['card']}>
      <h2>{t('workplace.trend', { days: days.length })}</h2>
      <DayBars
        title={t('workplace.trend', { days: days.length })}
        bars={days.map(({ day, count }) => ({
          key: day,
          label: day.slice(5),
          value: count,
          words: words(day, count),
          href: screenHref('ExpressTable', { group: 'total', created_from: day, created_to: day }),
        }))}
        sentence={t('workplace.trend_sentence', {
          days: days.length,
          sum: format.number(sum),
          average: format.number(Math.round(sum / Math.max(1, days.length))),
          today: format.number(days.at(-1)?.count ?? 0),
        })}
        format={format.number}
      />
    </section>
  );
};

/**
 * The cards that this role has on its Workplace. The setup steps, carrier outages, alerts and the
 * ledger check cannot be hidden, because they may require action.
 */
const useBoards = (board: Board | undefined): ArrangedCards => {
  const { t } = useTexts();
  const { role } = useUser();
  const isOffice = office.includes(role);
  const card = (key: string, title: string, body: ReactNode, more: Partial<Card> = {}): Card => ({
    key,
    title,
    body,
    side: false,
    ...more,
  });
  const side = { side: true };
  const outages = useOutages();
  return useCards([
    ...(outages.length > 0
      ? [
          card('outages', t('workplace.outage.title'), <OutageCard outages={outages} />, {
            fixed: true,
          }),
        ]
      : []),
    card('todo', t('workplace.todo'), <Todo board={board} />),
    ...(isOffice
      ? [card('money', t('workplace.money_board.title'), <MoneyCard every={everyMinute} />)]
      : []),
    ...(role === 'partner'
      ? [card('below', t('workplace.below.title'), <StationsCard every={everyMinute} />)]
      : []),
    ...(isOffice
      ? []
      : [
          card(
            'trend',
            t('workplace.trend', { days: board?.days.length ?? 30 }),
            board && <Trend days={board.days} />,
          ),
        ]),
    card('recent', t('workplace.recent'), <Recent board={board} />),
    ...(board?.station
      ? [
          card(
            'wallet',
            t('workplace.wallet', { name: board.station.name }),
            <Wallet station={board.station} recent={board.recent} />,
            side,
          ),
        ]
      : []),
    card(
      'exceptions',
      t('workplace.exceptions.title'),
      <ExceptionsCard every={everyMinute} />,
      side,
    ),
    ...(board?.alerts
      ? [
          card(
            'alerts',
            t('workplace.alerts'),
            <Alerts
              alerts={board.alerts.filter(
                ({ reason }) => reason.code !== 'carrier_account_down' || outages.length === 0,
              )}
            />,
            { ...side, fixed: true },
          ),
        ]
      : []),
    ...(isOffice
      ? [
          card('bills', t('workplace.bills.title'), <BillsCard every={everyMinute} />, side),
          card(
            'balances',
            t('workplace.balances.title'),
            <BalancesCard every={everyMinute} />,
            side,
          ),
          card('proof', t('workplace.proof'), <ProofCard every={everyMinute} />, {
            ...side,
            fixed: true,
          }),
        ]
      : []),
  ]);
};

const Column = ({ cards }: { cards: readonly Card[] }) =>
  cards.map(({ key, body }) => <Fragment key={key}>{body}</Fragment>);

const Boards = ({ board, cards }: { board: Board | undefined; cards: ArrangedCards }) => (
  <>
    <Counts board={board} />
    <div className={styles['columns']}>
      <div className={styles['column']}>
        {board?.checklist && <Checklist steps={board.checklist} />}
        <Column cards={cards.main} />
      </div>
      <div className={styles['column']}>
        <Column cards={cards.side} />
      </div>
    </div>
  </>
);

/**
 * Starts the first request of the landing page. The page shows four numbers, then cards with work
 * for this user. Each number links to the list that it counts.
 */
export const preload = (): Promise<void> => preloadQuery(workplace, {});

export const Page = () => {
  const { t } = useTexts();
  const format = useFormat();
  const narrow = useNarrow();
  const {
    data: board,
    error,
    refetch,
    dataUpdatedAt,
    isFetching,
  } = useCall(workplace, {}, { refetchInterval: everyMinute, quiet: true, keep: true });
  const cards = useBoards(board);
  return (
    <section className={styles['page']}>
      <header className={`${primitives['pageHead']} ${styles['head']}`}>
        <h1>{t('menu.workplace')}</h1>
        <FindBox />
        <span className={styles['fresh']} aria-live="off">
          {dataUpdatedAt > 0 &&
            t('workplace.as_of', { time: format.time(new Date(dataUpdatedAt).toISOString()) })}
        </span>
        <Button
          icon={<Icon of={ReloadOutlined} />}
          type="text"
          aria-label={t('workplace.refresh')}
          loading={isFetching}
          onClick={() => void refresh(...shown)}
        />
        {!narrow && (
          <Button
            icon={<Icon of={PrinterOutlined} />}
            type="text"
            aria-label={t('workplace.print')}
            onClick={() => window.print()}
          />
        )}
        <CardSettings cards={cards} />
        <Button
          icon={<Icon of={PlusOutlined} />}
          type="primary"
          aria-label={t('workplace.order')}
          onClick={() => openScreen('ExpressStore')}
        >
          {narrow ? null : t('workplace.order')}
        </Button>
      </header>
      {error && !board ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : (
        <Boards board={board} cards={cards} />
      )}
    </section>
  );
};
