import { priceExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Pricing } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/values/money.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { PriceCompared, WhyPanel } from '#money/why-panel.tsx';
import styles from './parcel-drawer.module.css';

const ChoiceLine = lazyComponent(async () => (await import('#parcels/choice-line.tsx')).ChoiceLine);

const sources = [
  'order',
  'edit',
  'station',
  'poll',
  'push',
  'bill',
  'estimate',
  'accepted',
] as const;

/** Shows the cause of a new price. A source that has no text is shown unchanged. */
export const SourceWords = ({ source }: { source: string }) => {
  const { t } = useTexts();
  const known = sources.find((each) => each === source);
  return <span>{known ? t(`expresses.source.${known}`) : source}</span>;
};

const OnePricing = ({
  pricing,
  heading,
  open,
}: {
  pricing: Pricing;
  heading: string;
  open: boolean;
}) => {
  const format = useFormat();
  return (
    <details className={styles['pricing']} open={open}>
      <summary>
        <SourceWords source={pricing.source} />
        <time className={styles['quiet']} dateTime={pricing.at} title={format.moment(pricing.at)}>
          {format.time(pricing.at)}
        </time>
        {pricing.reason !== '' && <span className={styles['quiet']}>{pricing.reason}</span>}
        <Money fen={pricing.price.post_amount} />
      </summary>
      <div className={styles['inside']}>
        {pricing.choice && <ChoiceLine choice={pricing.choice} />}
        <WhyPanel price={pricing.price} cal_weight={pricing.price.cal_weight} heading={heading} />
      </div>
    </details>
  );
};

/**
 * The explanation of the parcel's price: every pricing line by line, and the differences since the
 * order.
 */
export const PriceTab = ({ parcel }: { parcel: Express }) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(
    priceExpress,
    { id: parcel.id },
    { quiet: true, keep: true },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />;
  const first = data.pricings[0];
  const last = data.pricings.at(-1);
  if (!first || !last)
    return <Empty title={t('expresses.not_priced')} hint={t('expresses.not_priced_hint')} />;
  return (
    <>
      <div className={styles['amount']}>
        <strong>
          <Money fen={last.price.post_amount} />
        </strong>
        <span className={styles['quiet']}>
          {t('expresses.template', { name: data.voucher_name, version: data.voucher_no ?? '—' })}
        </span>
      </div>
      {first !== last && (
        <section>
          <PriceCompared before={first.price} after={last.price} />
        </section>
      )}
      <section className={styles['section']}>
        <h2>
          {data.pricings.length > 1
            ? t('expresses.pricings', { count: data.pricings.length })
            : t('common.why')}
        </h2>
        {data.pricings.toReversed().map((pricing) => (
          <OnePricing
            key={pricing.no}
            pricing={pricing}
            heading={numberOf(parcel)}
            open={pricing === last}
          />
        ))}
      </section>
    </>
  );
};
