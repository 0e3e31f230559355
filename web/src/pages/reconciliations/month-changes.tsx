import { periodChanges } from '@waystation/contract/money/reconciliation.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { today } from '#ui/fields/days.ts';
import primitives from '#ui/primitives.module.css';
import { signedYuan } from '#ui/values/amounts.ts';
import months from './months.module.css';

/** The changes made to a closed month after it was closed, each with a link. */
export const MonthChanges = ({ period }: { period: string }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { data } = useCall(periodChanges, { period }, { quiet: true, staleTime: 0 });
  if (!data || data.closed_at === null) return null;
  const { late, capped, confirmed, bills, disputed } = data;
  const none = late.length === 0 && confirmed + bills + disputed === 0;
  return (
    <>
      <h3>{t('reconciliations.since')}</h3>
      {none && <p className={primitives['quiet']}>{t('reconciliations.since_none')}</p>}
      <ul className={months['list']}>
        {late.map(({ type, lines, stations, amount }) => (
          <li key={type}>
            <a
              href={screenHref('StatementTable', {
                type,
                posted_from: today(Date.parse(data.closed_at!)),
              })}
            >
              {t(
                capped === 1 ? 'reconciliations.since_lines_some' : 'reconciliations.since_lines',
                {
                  type: wordOf(statementTypes, type, language),
                  count: format.number(lines),
                  stations: format.number(stations),
                  amount: signedYuan(amount),
                },
              )}
            </a>
          </li>
        ))}
        {bills > 0 && <li>{t('reconciliations.since_bills', { count: format.number(bills) })}</li>}
        {confirmed > 0 && (
          <li>{t('reconciliations.since_confirmed', { count: format.number(confirmed) })}</li>
        )}
        {disputed > 0 && (
          <li>{t('reconciliations.since_disputed', { count: format.number(disputed) })}</li>
        )}
      </ul>
    </>
  );
};
