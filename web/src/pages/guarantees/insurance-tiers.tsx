import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/limits.ts';
import { insuranceFee, listGuarantees } from '@waystation/contract/guarantee.ts';
import { errorText } from '@waystation/contract/errors.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { DayBars } from '#ui/charts/day-bars.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { Money } from '#ui/values/money.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './guarantees.module.css';

/** What a value costs to insure as things stand, with each least value of the carrier accounts. */
const Tester = () => {
  const { t, language } = useTexts();
  const [value, setValue] = useState<number | null>(50_000);
  const settled = useSettled(value, 200);
  const usable = settled !== null && !Number.isNaN(settled) && settled >= 0;
  const { data, error, refetch, isPlaceholderData } = useCall(insuranceFee, usable ? { value_amount: settled } : null, {
    keep: true,
    quiet: true,
    staleTime: 0,
  });
  return (
    <div className={styles['tester']}>
      <h3>{t('guarantees.tester')}</h3>
      <MoneyField
        label={t('guarantees.value')}
        value={value}
        onChange={setValue}
        {...(value !== null && (Number.isNaN(value) || value < 0) && { error: t('lists.unreadable') })}
      />
      {error !== null && usable && <ErrorPanel error={error} onRetry={refetch} />}
      <ul className={`${primitives['list']} ${styles['fees']}`} aria-live="polite" data-stale={isPlaceholderData || undefined}>
        {usable &&
          data?.items.map((item) => (
            <li key={item.least_amount}>
              <span>
                {item.merchants.length > 0 ? item.merchants.join(' · ') : t('guarantees.no_merchant')}
                <span className={styles['quiet']}>
                  {item.least_amount > 0 ? t('guarantees.least', { amount: yuan(item.least_amount) }) : t('guarantees.no_least')}
                  {item.tier_amount !== null && ` · ${t('guarantees.up_to', { money: yuan(item.tier_amount) })}`}
                </span>
              </span>
              {item.reason ? (
                <strong className={styles['refused']}>{errorText(item.reason.code, item.reason.params, language)}</strong>
              ) : (
                <strong>
                  <Money fen={item.price} />
                </strong>
              )}
            </li>
          ))}
      </ul>
    </div>
  );
};

/** The enabled tiers as steps, and a value tried on them. */
export const InsuranceTiers = () => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(listGuarantees, { status: 1, sort: 'money', page_size: mostPageSize }, { quiet: true });
  const tiers = data?.items ?? [];
  const top = tiers.at(-1);
  return (
    <aside className={styles['aside']} aria-labelledby="insurance-tiers">
      <h2 id="insurance-tiers">{t('guarantees.insurance_tiers')}</h2>
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      {top && (
        <DayBars
          title={t('guarantees.insurance_tiers')}
          format={(fen) => yuan(fen)}
          sentence={t('guarantees.sentence', { count: tiers.length, money: yuan(top.money), price: yuan(top.price) })}
          bars={tiers.map(({ money, price }) => ({
            key: t('guarantees.up_to', { money: yuan(money) }),
            label: `${money / 100}`,
            value: price,
            words: t('guarantees.step', { money: yuan(money), price: yuan(price) }),
          }))}
        />
      )}
      {data && !top && <p className={styles['quiet']}>{t('guarantees.empty')}</p>}
      <Tester />
      <p className={styles['quiet']}>{t('guarantees.frozen')}</p>
    </aside>
  );
};
