import type { MoneyBoard } from '@waystation/contract/shell/workplace.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { Money } from '#ui/values/money.tsx';
import styles from './boards.module.css';

/**
 * The charts as a table with the newest day first. Each day's numbers are links to its parcels and
 * transactions. Screen readers read the table even if it is hidden.
 */
export const MoneyDays = ({ board, hidden }: { board: MoneyBoard; hidden: boolean }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { sums } = board;
  const table = (
    <table className={styles['table']}>
      <caption className="sr-only">
        {t('workplace.money_board.daily_money', { days: board.days.length })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t('workplace.money_board.day')}</th>
          <th scope="col">{t('workplace.money_board.parcels')}</th>
          <th scope="col">{t('workplace.money_board.revenue')}</th>
          <th scope="col">{t('workplace.money_board.cost')}</th>
          <th scope="col">{t('workplace.money_board.margin')}</th>
        </tr>
      </thead>
      <tbody>
        {board.days.toReversed().map(({ day, count, revenue, cost, margin }) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            <td>
              {hidden ? (
                count
              ) : (
                <a
                  href={screenHref('ExpressTable', {
                    ...board.parcels,
                    created_from: day,
                    created_to: day,
                  })}
                >
                  {format.number(count)}
                </a>
              )}
            </td>
            <td>
              {hidden ? (
                <Money fen={revenue} />
              ) : (
                <a
                  href={screenHref('StatementTable', {
                    ...board.lines,
                    posted_from: day,
                    posted_to: day,
                  })}
                >
                  <Money fen={revenue} />
                </a>
              )}
            </td>
            <td>
              <Money fen={cost} />
            </td>
            <td>
              <Money fen={margin} {...(margin < 0 && { tone: 'danger' as const })} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('workplace.money_board.sum')}</th>
          <td>{format.number(sums.count)}</td>
          <td>
            <Money fen={sums.revenue} />
          </td>
          <td>
            <Money fen={sums.cost} />
          </td>
          <td>
            <Money fen={sums.margin} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
  if (hidden) return <div className="sr-only">{table}</div>;
  return (
    <div
      className={styles['scroll']}
      role="region"
      aria-label={t('workplace.money_board.show_days')}
      tabIndex={0}
    >
      {table}
    </div>
  );
};
