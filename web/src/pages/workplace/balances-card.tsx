import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { balanceBoard } from '@waystation/contract/shell/workplace.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { BoardCard } from './board-card.tsx';
import styles from './boards.module.css';

const choices = [3, 7, 14] as const;

type Debts = OutputOf<typeof balanceBoard>['owing'];

/** The stations in debt, the largest debt first. Each is shown with the age of its debt. */
const Owing = ({ items, all }: Debts) => {
  const { t } = useTexts();
  return (
    <section>
      <h3 className={styles['part']}>{t('workplace.balances.owing')}</h3>
      <ul className={styles['low']}>
        {items.map(({ station_id, name, owed, credit_limit, days_outstanding }) => (
          <li key={station_id}>
            <a href={screenHref('StationTable', { id: station_id })}>{name}</a>
            <Money fen={owed} />
            <span>
              {days_outstanding !== null &&
                t('workplace.balances.outstanding', { count: days_outstanding })}
            </span>
            <span data-urgent={(credit_limit !== null && owed >= credit_limit) || undefined}>
              {credit_limit === null
                ? t('workplace.balances.no_limit')
                : t('workplace.balances.of_limit', { amount: yuan(credit_limit) })}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles['note']}>
        {t('workplace.balances.owing_note')} ·{' '}
        <a href={screenHref('StationTable', all.filter)}>
          {t('workplace.balances.owing_all', { count: all.count, amount: yuan(all.amount) })}
        </a>
      </p>
    </section>
  );
};

/**
 * The stations whose balance will soon be used up, the most urgent first, each with a link to it.
 */
export const BalancesCard = ({ every }: { every: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const [search, setSearch] = usePageSearch();
  const days = choices.find((choice) => String(choice) === search['lasts']) ?? 7;
  const reading = useCall(
    balanceBoard,
    { days },
    { refetchInterval: every, quiet: true, keep: true },
  );
  const lasts = (available: number, left: number): string => {
    if (available <= 0) return t('workplace.balances.empty');
    return left === 0
      ? t('workplace.balances.today')
      : t('workplace.balances.left', { count: left });
  };
  return (
    <BoardCard
      title={t('workplace.balances.title')}
      tools={
        <div className={styles['range']} role="group" aria-label={t('workplace.balances.within')}>
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === days}
              onClick={() => setSearch({ lasts: choice === 7 ? undefined : choice })}
            >
              {t('workplace.balances.days', { days: choice })}
            </button>
          ))}
        </div>
      }
      reading={reading}
    >
      {({ items, all, below, owing }) => {
        const limit = below.count > 0 && (
          <a href={screenHref('StationTable', below.filter)}>
            {t('workplace.balances.below', { count: below.count })}
          </a>
        );
        return (
          <>
            {items.length === 0 ? (
              <>
                <p className={styles['quiet']}>{t('workplace.balances.none', { days })}</p>
                {limit && <p className={styles['note']}>{limit}</p>}
              </>
            ) : (
              <>
                <ul className={styles['low']}>
                  {items.map((item) => (
                    <li key={item.station_id}>
                      <a href={screenHref('StationTable', { id: item.station_id })}>{item.name}</a>
                      <Money
                        fen={item.available}
                        {...(item.available < 0 && { tone: 'danger' as const })}
                      />
                      <span data-urgent={item.days_left < 2 || undefined}>
                        {lasts(item.available, item.days_left)}
                      </span>
                      <span>{t('workplace.balances.daily', { amount: yuan(item.daily) })}</span>
                    </li>
                  ))}
                </ul>
                <p className={styles['note']}>
                  {t('workplace.balances.note')} ·{' '}
                  <a href={screenHref('StationTable', all.filter)}>
                    {t('workplace.balances.all', { count: format.number(all.count) })}
                  </a>
                  {limit && <> · {limit}</>}
                </p>
              </>
            )}
            {owing.items.length > 0 && <Owing {...owing} />}
          </>
        );
      }}
    </BoardCard>
  );
};
