import { useId } from 'react';
import { office } from '@waystation/contract/base/roles.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { outageName } from '#shell/outages.ts';
import type { Outage } from '#shell/outages.ts';
import { useUser } from '#shell/session/session.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import styles from './outage.module.css';

const waitingHref = ({ merchant_id, provider }: Outage): string =>
  screenHref('ExpressTable', {
    tab: 'ordering',
    ...(merchant_id === null ? { provider } : { merchant_id: String(merchant_id) }),
  });

/**
 * The card of carriers that do not answer: since when, how many orders wait, what happens
 * automatically, and what users can do.
 */
export const OutageCard = ({ outages }: { outages: readonly Outage[] }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const heading = useId();
  const { role } = useUser();
  return (
    <section className={styles['card']} aria-labelledby={heading}>
      <h2 id={heading}>{t('workplace.outage.title')}</h2>
      <ul>
        {outages.map((outage) => (
          <li key={outage.merchant_id ?? outage.provider}>
            <strong>{outageName(outage, language)}</strong>
            <span title={format.moment(outage.since)}>
              {t('workplace.outage.since', {
                time: format.time(outage.since),
                ago: format.relative(outage.since),
              })}
            </span>
            <a href={waitingHref(outage)}>
              {t('workplace.outage.waiting', { count: format.number(outage.waiting) })}
            </a>
            {outage.merchant_id !== null && (
              <a href={screenHref('MerchantTable', { id: outage.merchant_id })}>
                {t('workplace.outage.account')}
              </a>
            )}
          </li>
        ))}
      </ul>
      <p>{t('workplace.outage.next')}</p>
      <p>{t(office.includes(role) ? 'workplace.outage.to_do_office' : 'workplace.outage.to_do')}</p>
    </section>
  );
};
