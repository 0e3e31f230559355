import { CheckCircleOutlined } from '@ant-design/icons-svg';
import { Fragment, useId } from 'react';
import type { ReactNode } from 'react';
import type { Language } from '@waystation/contract/base/errors.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { errorText } from '#base/error-text.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import type { Say } from '#base/texts.ts';
import { coveredWords } from '#parcels/orders/words.ts';
import type { LostChoice } from '#parcels/orders/price.ts';
import { Icon } from '#ui/icon.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { PriceLines } from '#money/why-panel.tsx';
import type { Options } from '#parcels/orders/form.ts';
import type { ChosenAccount } from './choice-notes.tsx';
import type { useQuotes } from './quotes.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import { arrivalOf, fastestOf, isExplained, offerName } from './comparison.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import type { Coverages } from './use-coverage.ts';
import styles from './store.module.css';

const LostNotice = lazyComponent(async () => (await import('./choice-notes.tsx')).LostNotice);
const AccountLine = lazyComponent(async () => (await import('./choice-notes.tsx')).AccountLine);
const RuleLine = lazyComponent(async () => (await import('./choice-notes.tsx')).RuleLine);

interface OfferProps {
  quote: Quote;
  chosen: boolean;
  fastest: boolean;
  /**
   * True if several carriers have offers. Each offer then contains the name of its carrier, for
   * users who cannot see the heading.
   */
  several: boolean;
  group: string;
  coverages: Coverages;
  onChoose: () => void;
}

/**
 * The share of deliveries on this lane that arrived in time. Empty if too few deliveries are known.
 */
const KeptRate = ({ lane }: Pick<Quote, 'lane'>) => {
  const { t } = useTexts();
  const format = useFormat();
  if (lane === null) return <span />;
  const { of, average_hours, on_time_rate } = lane;
  return (
    <span className={styles['fact']} title={t(`store.lane_hint.${of}`)}>
      {on_time_rate !== null ? (
        <>
          <span className="sr-only">{t('store.lane_rate')} </span>
          {format.percent(on_time_rate / 10_000)}
        </>
      ) : (
        average_hours !== null &&
        t('store.lane_days', { days: format.number(Math.round((average_hours * 10) / 24) / 10) })
      )}
    </span>
  );
};

/**
 * The time at which an offer would arrive. Shows a dash if the carrier serves the addresses but
 * promises no time.
 */
const Arrival = ({
  quote,
  coverages,
  fastest,
}: Pick<OfferProps, 'quote' | 'coverages' | 'fastest'>) => {
  const { t } = useTexts();
  const format = useFormat();
  const at = quote.selectable === 1 ? arrivalOf(quote, coverages) : null;
  if (at === null)
    return quote.selectable === 1 && coverages.get(quote.provider)?.result === 'reachable' ? (
      <span className={styles['fact']} title={t('store.no_promise')}>
        —
      </span>
    ) : (
      <span />
    );
  return (
    <span className={styles['fact']} title={fastest ? t('store.fastest') : undefined}>
      <span data-best={fastest || undefined}>
        {format.time(at)}
        <span className="sr-only">
          {' '}
          {t('store.arrives')} {fastest && t('store.fastest')}
        </span>
      </span>
    </span>
  );
};

/**
 * The reason why an offer cannot be chosen, or else a problem that the carrier reports in its
 * coverage answer. Empty if there is neither.
 */
const againstOf = (quote: Quote, coverages: Coverages, t: Say, language: Language): string => {
  const coverage = coverages.get(quote.provider);
  const reason = quote.reason ?? (quote.selectable === 1 ? coverage?.reason : null);
  if (reason) return errorText(reason.code, reason.params, language);
  return quote.selectable === 0 ||
    coverage === undefined ||
    coverage.result === 'reachable' ||
    coverage.result === 'unknown'
    ? ''
    : t(`store.pre_sort.${coverage.result}`);
};

/**
 * One line with an offer: product, arrival, on-time rate and price. If the offer cannot be used,
 * the reason follows on a second line.
 */
const Offer = (offer: OfferProps) => {
  const { quote, chosen, fastest, several, group, coverages, onChoose } = offer;
  const { t, language } = useTexts();
  const against = againstOf(quote, coverages, t, language);
  const cheapest = quote.cheapest === 1;
  return (
    <label
      className={styles['offer']}
      data-chosen={chosen || undefined}
      data-off={quote.selectable === 0 || undefined}
    >
      <input
        type="radio"
        name={group}
        checked={chosen}
        disabled={quote.selectable === 0}
        onChange={onChoose}
      />
      <span className={primitives['cut']} title={offerName(quote, several, language)}>
        {several && (
          <span className="sr-only">{wordOf(providers, quote.provider, language)} · </span>
        )}
        {offerName(quote, false, language)}
      </span>
      <Arrival quote={quote} coverages={coverages} fastest={fastest} />
      <KeptRate lane={quote.selectable === 1 ? quote.lane : null} />
      <span className={styles['amount']} title={cheapest ? t('store.cheapest') : undefined}>
        <span data-best={cheapest || undefined}>
          <Money fen={quote.post_amount} />
          {cheapest && <span className="sr-only"> {t('store.cheapest')}</span>}
        </span>
      </span>
      {against !== '' && (
        <span className={styles['against']} data-warns={quote.selectable === 1 || undefined}>
          {against}
        </span>
      )}
    </label>
  );
};

/**
 * The list of offers. If several carriers have offers, their names are shown as headings, and the
 * columns have titles.
 */
export const Offers = ({
  quotes,
  fastest,
  chosen,
  onChoose,
  ...shared
}: Pick<OfferProps, 'group' | 'coverages'> & {
  quotes: readonly Quote[];
  fastest: Quote | null;
  chosen: Quote | null;
  onChoose: (quote: Quote) => void;
}) => {
  const { t, language } = useTexts();
  const carriers = [...new Set(quotes.map(({ provider }) => provider))];
  const several = carriers.length > 1;
  return carriers.map((carrier, at) => (
    <Fragment key={carrier}>
      <p className={styles['head']} aria-hidden>
        <span>{several && wordOf(providers, carrier, language)}</span>
        <span>{at === 0 && t('store.arrives')}</span>
        <span>{at === 0 && quotes.some(({ lane }) => lane !== null) && t('store.lane_rate')}</span>
      </p>
      {quotes
        .filter(({ provider }) => provider === carrier)
        .map((quote) => (
          <Offer
            key={quote.promise_id}
            {...shared}
            quote={quote}
            several={several}
            fastest={quote === fastest}
            chosen={quote === chosen}
            onChoose={() => onChoose(quote)}
          />
        ))}
    </Fragment>
  ));
};

interface Props {
  quotes: ReturnType<typeof useQuotes>;
  promises: Options['promises'];
  /** The element to show while nothing can be priced. */
  wants: ReactNode;
  chosen: Quote | null;
  /** True if the station's rule chose the offer; false if the user chose it. */
  isProposed: boolean;
  /** The chosen product, if it is not available any more; otherwise null. */
  lost: LostChoice | null;
  error: string | undefined;
  /** The carriers' coverage answers about the sender's and the receiver's place. */
  coverages: Coverages;
  /** The carrier accounts from which an administrator may choose; null if none may be chosen. */
  account: ChosenAccount | null;
  onChoose: (quote: Quote) => void;
  /** The line that shows the printer. */
  children: ReactNode;
}

/**
 * Shows whether the carrier serves the sender's and the receiver's address, and until what time it
 * comes today. The line has a fixed height. If the carrier does not serve them, a warning is shown
 * instead.
 */
const CoverageLine = ({ coverage, cutoff }: { coverage: Coverage | null; cutoff: string }) => {
  const { t } = useTexts();
  const words = coveredWords(coverage, t);
  if (words !== '' && coverage?.result !== 'reachable') return <Notice tone="warn">{words}</Notice>;
  return (
    <p className={styles['covered']}>
      <span className={primitives['cut']} title={words}>
        {words !== '' && <Icon of={CheckCircleOutlined} />} {words}
      </span>
      <span>{cutoff !== '' && t('store.cutoff', { time: cutoff })}</span>
    </p>
  );
};

/** The panel of all offers, with the chosen offer explained line by line. */
export const PricePanel = ({
  quotes,
  promises,
  wants,
  chosen,
  isProposed,
  lost,
  error,
  coverages,
  account,
  onChoose,
  children,
}: Props) => {
  const { t } = useTexts();
  const group = useId();
  const { data, asking } = quotes;
  const coverage = (chosen && coverages.get(chosen.provider)) ?? null;
  const fastest = fastestOf(data?.quotes ?? [], coverages);
  const several = data?.quotes.some(({ provider }) => provider !== data.quotes[0]?.provider);
  return (
    <section
      className={`${primitives['card']} ${styles['card']}`}
      aria-labelledby={`${group}-title`}
      aria-busy={quotes.isFetching}
    >
      <h2 id={`${group}-title`}>{t('store.price')}</h2>
      <div className={styles['quotes']}>
        {!asking && <div className={styles['calm']}>{wants}</div>}
        {quotes.error && asking && <ErrorPanel error={quotes.error} onRetry={quotes.refetch} />}
        {asking && !data && !quotes.error && <p className={styles['calm']}>{t('store.quoting')}</p>}
        {data?.quotes.length === 0 && <p className={styles['calm']}>{t('store.no_quotes')}</p>}
        {lost !== null && <LostNotice lost={lost} several={several ?? false} onChoose={onChoose} />}
        {data && data.quotes.length > 0 && (
          <div role="radiogroup" aria-label={t('store.price')} className={styles['offers']}>
            <Offers
              quotes={data.quotes}
              fastest={fastest}
              chosen={chosen}
              coverages={coverages}
              group={group}
              onChoose={onChoose}
            />
          </div>
        )}
        {isProposed && data?.choice && isExplained(data.choice) && (
          <RuleLine choice={data.choice} />
        )}
        {error !== undefined && <p className={styles['bad']}>{error}</p>}
        {chosen?.post_amount != null && (
          <div className={styles['why']}>
            <h3>
              {t('store.why')}
              {data?.northeast === 1 && (
                <span className={styles['tag']}>{t('store.northeast')}</span>
              )}
            </h3>
            <PriceLines
              price={{
                lines: chosen.lines,
                post_amount: chosen.post_amount,
                weight_message: chosen.weight_reason as never,
              }}
              cal_weight={chosen.cal_weight}
              brief
            />
          </div>
        )}
      </div>
      {chosen?.post_amount != null && (
        <CoverageLine
          coverage={coverage}
          cutoff={
            promises.find(
              ({ promise_id, provider }) =>
                promise_id === chosen.promise_id && provider === chosen.provider,
            )?.cutoff_time ?? ''
          }
        />
      )}
      {chosen?.customer_code !== undefined && (
        <AccountLine chosen={chosen} code={chosen.customer_code} account={account} />
      )}
      {children}
    </section>
  );
};
