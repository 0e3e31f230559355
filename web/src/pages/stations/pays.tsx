import { previewStationPrice } from '@waystation/contract/network/station.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';
import { Money } from '#ui/values/money.tsx';
import type { StationValues } from './form-values.ts';
import styles from './stations.module.css';

interface Props {
  /**
   * The id of the station whose address and template determine the price. This is the station
   * itself, or the parent if the station is new.
   */
  like: number | null;
  values: Pick<StationValues, 'discount' | 'northeast_discount' | 'project_id'>;
  office: boolean;
}

const rateOf = (value: number | null): number | null =>
  value !== null && value >= 1 && value <= 10_000 ? value : null;

/** The price of a sample parcel of 1 kg to 广东 with the values now in the form. */
export const Pays = ({ like, values, office }: Props) => {
  const { t, language } = useTexts();
  const trial = {
    id: like,
    discount: rateOf(values.discount),
    northeast_discount: rateOf(values.northeast_discount),
    ...(office && { project_id: values.project_id }),
  };
  const settled = JSON.parse(useSettled(JSON.stringify(trial), 250)) as typeof trial;
  const { data } = useCall(
    previewStationPrice,
    settled.id === null ? null : { ...settled, id: settled.id },
    { keep: true, quiet: true },
  );
  if (settled.id === null) return null;
  return (
    <div data-span className={styles['pays']} role="status">
      <span>{t('stations.pays')}</span>
      {data?.quotes.length === 0 && <span>{t('stations.pays_none')}</span>}
      {data?.quotes.map((quote) => (
        <span key={quote.promise_id}>
          {language === 'en' && quote.promise_name_en !== ''
            ? quote.promise_name_en
            : quote.promise_name}{' '}
          <strong>
            {quote.post_amount === null ? (
              t('stations.pays_none')
            ) : (
              <Money fen={quote.post_amount} />
            )}
          </strong>
        </span>
      ))}
    </div>
  );
};
