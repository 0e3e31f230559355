import {
  CheckCircleFilled,
  DownloadOutlined,
  ExclamationCircleFilled,
} from '@ant-design/icons-svg';
import { useState } from 'react';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import {
  stationStatement,
  stationStatementSummary,
} from '@waystation/contract/money/station-statement.ts';
import type { StatementSummary } from '@waystation/contract/money/station-statement.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useCall } from '#base/query.ts';
import { saveFile } from '#base/save-file.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { ConfirmMonthDialog } from '#money/money-dialogs.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import primitives from '#ui/primitives.module.css';
import { ChainHeadBox } from './chain-head-box.tsx';
import styles from './statements.module.css';

/** The text that shows whether the station has confirmed the month. */
export const ConfirmedWords = ({
  month,
}: {
  month: Pick<StatementSummary, 'over' | 'confirmation' | 'changed'>;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const { over, confirmation, changed } = month;
  if (!confirmation)
    return (
      <span className={styles['quiet']}>
        {t(over === 1 ? 'statements.unconfirmed' : 'statements.not_over')}
      </span>
    );
  return (
    <span className={styles['confirmed']} data-changed={changed}>
      {changed === 1 ? <Icon of={ExclamationCircleFilled} /> : <Icon of={CheckCircleFilled} />}{' '}
      {t('statements.confirmed_by', {
        name: confirmation.confirmed_by_name,
        time: format.moment(confirmation.at),
      })}
      {changed === 1 && (
        <> · {t('statements.changed_since', { closing: yuan(confirmation.closing) })}</>
      )}
      {confirmation.note !== '' && <span className={styles['quiet']}> “{confirmation.note}”</span>}
    </span>
  );
};

const Figures = ({ month }: { month: StatementSummary }) => {
  const { t } = useTexts();
  const figures = [
    ['', t('statements.opening'), month.opening],
    ['+', t('statements.gained'), month.in],
    ['−', t('statements.spent'), month.out],
    ['=', t('statements.closing'), month.closing],
  ] as const;
  return (
    <dl className={styles['figures']}>
      {figures.map(([sign, title, fen]) => (
        <div key={title}>
          <dt>
            {sign} {title}
          </dt>
          <dd>
            <Money fen={fen} />
          </dd>
        </div>
      ))}
      <div data-apart>
        <dt>{t('statements.frozen_end')}</dt>
        <dd>
          <Money fen={month.frozen} />
        </dd>
      </div>
    </dl>
  );
};

const ByType = ({ month }: { month: StatementSummary }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  if (month.by_type.length === 0) return null;
  return (
    <details className={styles['types']}>
      <summary>{t('statements.by_type', { count: format.number(month.lines) })}</summary>
      <div
        className={styles['scroll']}
        tabIndex={0}
        role="region"
        aria-label={t('statements.by_type', { count: format.number(month.lines) })}
      >
        <table className={`${primitives['table']} ${styles['journal']}`}>
          <thead>
            <tr>
              <th scope="col">{t('statements.type')}</th>
              <th scope="col" data-number>
                {t('statements.lines')}
              </th>
              <th scope="col" data-number>
                {t('statements.change')}
              </th>
              <th scope="col" data-number>
                {t('statements.frozen_change')}
              </th>
            </tr>
          </thead>
          <tbody>
            {month.by_type.map(({ type, lines, amount, freeze_amount }) => (
              <tr key={type}>
                <td>{wordOf(statementTypes, type, language)}</td>
                <td data-number>{format.number(lines)}</td>
                <td data-number>
                  <Money fen={amount} signed />
                </td>
                <td data-number>
                  <Money fen={freeze_amount} signed />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
};

/** Downloads the monthly statement, which the server generates for each download. */
const useDownload = (id: number, period: string) => {
  const { t, language } = useTexts();
  const { busy, run } = useActions<'pdf' | 'xlsx'>();
  const download = (format: 'pdf' | 'xlsx') =>
    run(format, async () => {
      const file = await callFile(stationStatement, { id, period, format, language });
      saveFile(file.blob, file.name);
      notify.success(t('lists.exported', { name: file.name }));
    });
  return { busy, run: download };
};

/**
 * The card of a station's month: opening and closing balance, confirmation, and the monthly
 * statement as a file.
 */
export const MonthCard = ({ station_id, period }: { station_id: number; period: string }) => {
  const { t } = useTexts();
  const user = useUser();
  const { data, error, refetch } = useCall(
    stationStatementSummary,
    { id: station_id, period },
    { quiet: true, staleTime: 0 },
  );
  const download = useDownload(station_id, period);
  const [confirming, setConfirming] = useState(false);
  const month = data?.station_id === station_id && data.period === period ? data : undefined;
  if (!month)
    return error ? (
      <ErrorPanel error={error} onRetry={refetch} />
    ) : (
      <div className={styles['monthWait']} aria-busy />
    );
  const mine =
    (user.role === 'station' || user.role === 'partner') && user.station_id === station_id;
  return (
    <section className={styles['month']} aria-labelledby="statement-month">
      <div className={styles['monthHead']}>
        <h2 id="statement-month">
          {t('statements.month_of', { station: month.station_name, period })}
        </h2>
        {month.closed === 1 && <span className={styles['closed']}>{t('statements.closed')}</span>}
        <ConfirmedWords month={month} />
        <span className={styles['monthActions']}>
          <Button
            size="small"
            icon={<Icon of={DownloadOutlined} />}
            loading={download.busy.has('pdf')}
            aria-label={t('statements.pdf')}
            title={t('statements.pdf')}
            onClick={() => void download.run('pdf')}
          >
            {t('statements.pdf_short')}
          </Button>
          <Button
            size="small"
            icon={<Icon of={DownloadOutlined} />}
            loading={download.busy.has('xlsx')}
            aria-label={t('statements.xlsx')}
            title={t('statements.xlsx')}
            onClick={() => void download.run('xlsx')}
          >
            {t('statements.xlsx_short')}
          </Button>
          {mine && month.over === 1 && !month.confirmation && (
            <Button size="small" type="primary" onClick={() => setConfirming(true)}>
              {t('statements.confirm')}
            </Button>
          )}
        </span>
      </div>
      <Figures month={month} />
      <ByType month={month} />
      <ChainHeadBox key={station_id} station_id={station_id} />
      {confirming && <ConfirmMonthDialog month={month} onClose={() => setConfirming(false)} />}
    </section>
  );
};
