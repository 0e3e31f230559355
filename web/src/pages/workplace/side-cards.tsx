import { closeAlert } from '@waystation/contract/shell/alert.ts';
import { isOutcomeReason } from '@waystation/contract/parcels/express-outcome.ts';
import { outcomeLink } from '@waystation/contract/parcels/order-outcome.ts';
import { managers } from '@waystation/contract/base/roles.ts';
import { warnedDays, workplace } from '@waystation/contract/shell/workplace.ts';
import { errorText } from '#base/error-text.ts';
import { announce } from '#base/announce.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { usePermitted } from '#shell/session/session.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { RaiseDecision } from '#money/raise-decision.tsx';
import { Money } from '#ui/values/money.tsx';
import { Term } from '#ui/term.tsx';
import type { Board } from './board.ts';
import { yuan } from '#ui/values/amounts.ts';
import { parcelsLeft } from './parcels-left.ts';
import styles from './workplace.module.css';

interface WalletProps {
  station: NonNullable<Board['station']>;
  recent: Board['recent'];
}

/**
 * The number of days for which the balance will last at the recent spending, and the number of
 * parcels that it covers. The warning notification uses the same number of days.
 */
const Lasting = ({ station, recent }: WalletProps) => {
  const { t } = useTexts();
  const format = useFormat();
  const { available, days_left, low_limit } = station;
  const parcels = parcelsLeft(available, recent);
  return (
    <>
      {days_left !== null && (
        <p className={styles['note']} data-low={days_left < warnedDays || undefined}>
          {available <= 0
            ? t('workplace.days_left_none')
            : days_left === 0
              ? t('workplace.days_left_today')
              : t('workplace.days_left', { count: format.number(days_left) })}
        </p>
      )}
      {low_limit !== null && available > 0 && available < low_limit && (
        <p className={styles['note']} data-low>
          {t('workplace.below_limit', { limit: yuan(low_limit) })}
        </p>
      )}
      {parcels !== null && (
        <p className={styles['note']}>
          {t('workplace.parcels_left', { count: format.number(parcels) })}
        </p>
      )}
    </>
  );
};

/**
 * The wallet of the user's station. The available balance is shown in large type; the balance, held
 * amount and reserve are shown in small type.
 */
export const Wallet = ({ station, recent }: WalletProps) => {
  const { t } = useTexts();
  const lines = usePermitted(managers);
  return (
    <section className={styles['card']}>
      <div className={styles['cardHead']}>
        <h2>{t('workplace.wallet', { name: station.name })}</h2>
        {lines && (
          <a href={screenHref('StatementTable', { station_id: station.id })}>
            {t('workplace.see_lines')}
          </a>
        )}
      </div>
      <p className={styles['sum']}>
        <span className={styles['note']}>
          <Term word={t('workplace.available')} sentence={t('stations.term.available')} />
        </span>
        <span className={styles['number']}>
          <Money
            fen={station.available}
            {...(station.available < 0 && { tone: 'danger' as const })}
          />
        </span>
      </p>
      <dl className={styles['facts']}>
        <div>
          <dt>
            <Term word={t('workplace.money')} sentence={t('stations.term.money')} />
          </dt>
          <dd>
            <Money fen={station.money} />
          </dd>
        </div>
        <div>
          <dt>
            <Term word={t('workplace.frozen')} sentence={t('stations.term.freeze')} />
          </dt>
          <dd>
            <Money fen={station.freeze} />
          </dd>
        </div>
        {station.fixed_freeze !== 0 && (
          <div>
            <dt>
              <Term word={t('workplace.reserve')} sentence={t('stations.term.reserve')} />
            </dt>
            <dd>
              <Money fen={station.fixed_freeze} />
            </dd>
          </div>
        )}
      </dl>
      {station.has_amount === 0 ? (
        <p className={styles['note']}>{t('workplace.post_paid')}</p>
      ) : (
        <Lasting station={station} recent={recent} />
      )}
    </section>
  );
};

/** The open alerts. Each shows its event and links to its parcel. */
export const Alerts = ({ alerts }: { alerts: NonNullable<Board['alerts']> }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { busy, run } = useActions<number>([workplace]);
  const close = (id: number) =>
    run(id, async () => {
      await call(closeAlert, { id });
      announce(t('workplace.alert_closed'));
    });
  return (
    <section className={styles['card']}>
      <h2>{t('workplace.alerts')}</h2>
      {alerts.length === 0 && <p className={styles['calm']}>{t('workplace.alerts_none')}</p>}
      <ul className={styles['alerts']}>
        {alerts.map(({ id, reason, at, express_id, order_id, merchant_name }) => (
          <li key={id}>
            <span>{errorText(reason.code, reason.params, language)}</span>
            <span className={styles['note']}>
              {express_id !== null && (
                <a href={screenHref('ExpressTable', { id: express_id })}>{order_id}</a>
              )}
              {express_id !== null && isOutcomeReason(reason.code) && (
                <>
                  <a href={screenHref('ExpressTable', { id: express_id })}>
                    {t('workplace.alert_outcome')}
                  </a>
                  <a href={screenHref('OutcomePage', { id: express_id })}>
                    {outcomeLink[language]}
                  </a>
                </>
              )}
              {reason.params?.['raise_id'] !== undefined && (
                <RaiseDecision
                  id={Number(reason.params['raise_id'])}
                  name={errorText(reason.code, reason.params, language)}
                  mine={false}
                />
              )}
              {merchant_name} <time dateTime={at}>{format.relative(at)}</time>
              <button
                type="button"
                className={styles['close']}
                disabled={busy.has(id)}
                aria-label={`${t('workplace.alert_close')}: ${errorText(reason.code, reason.params, language)}`}
                onClick={() => void close(id)}
              >
                {t('workplace.alert_close')}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
