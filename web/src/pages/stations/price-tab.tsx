import { useState } from 'react';
import { errorText } from '#base/error-text.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { provinces } from '@waystation/contract/parcels/provinces.ts';
import { previewStationPrice } from '@waystation/contract/network/station.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { DiscountField, WeightField } from '#ui/fields/number-fields.tsx';
import { Money } from '#ui/values/money.tsx';
import { Waiting } from '#ui/waiting.tsx';
import primitives from '#ui/primitives.module.css';
import { PriceLines } from '#money/why-panel.tsx';
import styles from './stations.module.css';

const Offered = ({ quote }: { quote: Quote }) => {
  const { t, language } = useTexts();
  return (
    <li>
      <details open={quote.cheapest === 1}>
        <summary>
          <span>
            {language === 'en' && quote.promise_name_en !== ''
              ? quote.promise_name_en
              : quote.promise_name}
          </span>
          {quote.cheapest === 1 && <span className={styles['flag']}>{t('stations.cheapest')}</span>}
          <span className={styles['price']}>
            <Money fen={quote.post_amount} />
          </span>
          {quote.reason && (
            <span className={styles['cannot']}>
              {errorText(quote.reason.code, quote.reason.params, language)}
            </span>
          )}
        </summary>
        {quote.post_amount !== null && (
          <div className={styles['why']}>
            <PriceLines
              price={{
                lines: quote.lines,
                post_amount: quote.post_amount,
                weight_message: quote.weight_reason,
              }}
              cal_weight={quote.cal_weight}
            />
          </div>
        )}
      </details>
    </li>
  );
};

/**
 * The price calculator for a sample parcel of this station. It uses the station's real rules; the
 * user may try a different discount.
 */
export const PriceTab = ({ station }: { station: Station }) => {
  const { t, language } = useTexts();
  const [code, setCode] = useState<string>('440000');
  const [weight, setWeight] = useState<number | null>(1_000);
  const [trial, setTrial] = useState<number | null>(null);
  const wanted = {
    receive_province: provinces.find((province) => province.code === code)?.zh ?? '广东',
    weight: weight === null || Number.isNaN(weight) || weight < 1 ? null : weight,
    discount: trial === null || Number.isNaN(trial) || trial < 1 || trial > 10_000 ? null : trial,
  };
  const settled = JSON.parse(useSettled(JSON.stringify(wanted), 250)) as typeof wanted;
  const { receive_province, discount } = settled;
  const input =
    settled.weight === null
      ? null
      : {
          id: station.id,
          receive_province,
          weight: settled.weight,
          ...(discount !== null && { discount }),
        };
  const { data, error, isFetching, refetch } = useCall(previewStationPrice, input, {
    keep: true,
    quiet: true,
  });
  return (
    <>
      <div className={styles['inputs']}>
        <SelectField
          label={t('stations.receive')}
          value={code}
          onChange={(next) => setCode(next ?? code)}
          options={provinces.map((province) => ({
            value: province.code,
            label: province[language],
          }))}
        />
        <WeightField label={t('stations.weight')} value={weight} onChange={setWeight} />
        <DiscountField
          label={t('stations.trial_discount')}
          value={trial}
          onChange={setTrial}
          hint={t('stations.trial_hint')}
        />
      </div>
      {!data &&
        (error ? <ErrorPanel error={error} onRetry={refetch} /> : isFetching && <Waiting />)}
      {data?.quotes.length === 0 && <p className={styles['note']}>{t('stations.no_quotes')}</p>}
      {data && data.quotes.length > 0 && (
        <ul
          className={`${primitives['list']} ${styles['quotes']}`}
          aria-label={t('stations.quotes')}
        >
          {data.quotes.map((quote) => (
            <Offered key={quote.promise_id} quote={quote} />
          ))}
        </ul>
      )}
    </>
  );
};
