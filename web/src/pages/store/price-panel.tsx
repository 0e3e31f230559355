import { CheckCircleOutlined } from '@ant-design/icons-svg';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { errorText } from '#base/error-text.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { coveredWords } from '#parcels/orders/words.ts';
import type { LostChoice } from '#parcels/orders/price.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { PriceLines } from '#money/why-panel.tsx';
import type { Options } from '#parcels/orders/form.ts';
import type { useQuotes } from './quotes.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import { arrivalOf, fastestOf, isExplained, offerName } from './comparison.ts';
import type { Coverage } from '#parcels/ask-coverage.ts';
import type { Coverages } from './use-coverage.ts';
import styles from './store.module.css';

const LostNotice = lazyComponent(async () => (await import('./choice-notes.tsx')).LostNotice);
const RuleLine = lazyComponent(async () => (await import('./choice-notes.tsx')).RuleLine);

interface OfferProps {
  quote: Quote;
  /** Latest time for a pickup today, `18:00`; empty: none is known. */
  cutoff: string;
  chosen: boolean;
  fastest: boolean;
  /** The carrier is named, because the list has offers of others. */
  several: boolean;
  group: string;
  coverages: Coverages;
  onChoose: () => void;
}

/** How the product kept its time on this lane, below its price; empty while too few are known. */
const KeptRate = ({ lane }: Pick<Quote, 'lane'>) => {
  const { t } = useTexts();
  const format = useFormat();
  if (lane === null) return <span className={styles['kept']} />;
  const { of, average_hours, on_time_rate } = lane;
  return (
    <span className={styles['kept']} title={t(`store.lane_hint.${of}`)}>
      {on_time_rate !== null
        ? t('store.lane_rate', { rate: format.percent(on_time_rate / 10_000) })
        : average_hours !== null &&
          t('store.lane_days', { days: format.number(Math.round((average_hours * 10) / 24) / 10) })}
    </span>
  );
};

/** The carrier's answer about an offer that can be chosen: when it arrives, or what prevents it. */
const useCarrierNote = (): ((
  quote: Quote,
  coverages: Coverages,
  cutoff: string,
) => { words: string; warns: boolean }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  return (quote, coverages, cutoff) => {
    const coverage = coverages.get(quote.provider);
    if (coverage?.reason)
      return {
        words: errorText(coverage.reason.code, coverage.reason.params, language),
        warns: true,
      };
    if (coverage !== undefined && coverage.result !== 'reachable' && coverage.result !== 'unknown')
      return { words: t(`store.pre_sort.${coverage.result}`), warns: true };
    const arrives = arrivalOf(quote, coverages);
    const words = [
      arrives !== null
        ? t('store.arrives', { time: format.time(arrives) })
        : coverage?.result === 'reachable'
          ? t('store.no_promise')
          : '',
      cutoff === '' ? '' : t('store.cutoff', { time: cutoff }),
    ];
    return { words: words.filter(Boolean).join(' · '), warns: false };
  };
};

/** One promise: its name and its price, below them its time, or why it is unavailable. */
const Offer = (offer: OfferProps) => {
  const { quote, cutoff, chosen, fastest, several, group, coverages, onChoose } = offer;
  const { t, language } = useTexts();
  const carrierNote = useCarrierNote();
  const note = quote.reason
    ? { words: errorText(quote.reason.code, quote.reason.params, language), warns: false }
    : quote.selectable === 1
      ? carrierNote(quote, coverages, cutoff)
      : { words: '', warns: false };
  const name = offerName(quote, several, language);
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
      <span className={primitives['cut']} title={name}>
        {name}
      </span>
      <Money fen={quote.post_amount} />
      <span className={styles['reason']} data-warns={note.warns || undefined}>
        {quote.cheapest === 1 && <span className={styles['tag']}>{t('store.cheapest')}</span>}
        {fastest && <span className={styles['tag']}>{t('store.fastest')}</span>}
        <span className={primitives['cut']} title={note.words}>
          {note.words}
        </span>
      </span>
      <KeptRate lane={quote.selectable === 1 ? quote.lane : null} />
    </label>
  );
};

interface Props {
  quotes: ReturnType<typeof useQuotes>;
  promises: Options['promises'];
  /** Nothing can be priced before a station is chosen. */
  needsStation: boolean;
  chosen: Quote | null;
  /** Nobody chose: the station's rule did. */
  isProposed: boolean;
  /** The form's choice, if it is not available any more. */
  lost: LostChoice | null;
  error: string | undefined;
  /** The carriers' answers about the two places. */
  coverages: Coverages;
  /** The carrier accounts that the office may choose from; null: none may be chosen. */
  account: {
    code: string;
    choices: NonNullable<Options['accounts']>;
    onChange: (customer_code: string) => void;
  } | null;
  onChoose: (quote: Quote) => void;
  /** The line that names the printer. */
  children: ReactNode;
}

/**
 * Whether the carrier serves both ends: a line if it does, whose room is reserved, else a warning
 * with the carrier's text.
 */
const CoverageLine = ({ coverage }: { coverage: Coverage | null }) => {
  const { t } = useTexts();
  const words = coveredWords(coverage, t);
  if (words !== '' && coverage?.result !== 'reachable') return <Notice tone="warn">{words}</Notice>;
  return (
    <p className={styles['covered']}>
      {words !== '' && <Icon of={CheckCircleOutlined} />} {words}
    </p>
  );
};

/** The carrier account of the order; the office may choose another one of the same carrier. */
const AccountLine = ({
  chosen,
  code,
  account,
}: {
  chosen: Quote;
  code: string;
  account: Props['account'];
}) => {
  const { t } = useTexts();
  const choices = account?.choices.filter(({ provider }) => provider === chosen.provider) ?? [];
  // A chosen account that is unavailable now is still named, so that it can be removed.
  const gone =
    account !== null &&
    account.code !== '' &&
    !choices.some(({ customer_code }) => customer_code === account.code)
      ? [account.code]
      : [];
  if (account === null || choices.length + gone.length < 2)
    return (
      <p className={styles['after']}>
        <span>{t('store.carrier_account')}</span>
        <span className="tabular">{code}</span>
      </p>
    );
  return (
    <SelectField
      label={t('store.carrier_account')}
      name="customer_code"
      value={account.code === '' ? null : account.code}
      none={
        account.code === '' ? t('store.account_of_station', { code }) : t('store.account_station')
      }
      options={[
        ...choices.map(({ customer_code, name }) => ({
          value: customer_code,
          label: `${name} ${customer_code}`,
        })),
        ...gone.map((customer_code) => ({ value: customer_code, label: customer_code })),
      ]}
      onChange={(next) => account.onChange(next ?? '')}
    />
  );
};

/** Every promise, and the chosen one explained line by line. */
export const PricePanel = ({
  quotes,
  promises,
  needsStation,
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
        {!asking && (
          <p className={styles['calm']}>
            {needsStation ? t('store.choose_station') : t('store.quote_wait')}
          </p>
        )}
        {quotes.error && asking && <ErrorPanel error={quotes.error} onRetry={quotes.refetch} />}
        {asking && !data && !quotes.error && <p className={styles['calm']}>{t('store.quoting')}</p>}
        {data?.quotes.length === 0 && <p className={styles['calm']}>{t('store.no_quotes')}</p>}
        {lost !== null && <LostNotice lost={lost} several={several ?? false} onChoose={onChoose} />}
        {data && data.quotes.length > 0 && (
          <div role="radiogroup" aria-label={t('store.price')} className={styles['offers']}>
            {data.quotes.map((quote) => (
              <Offer
                key={`${quote.provider} ${quote.promise_id}`}
                quote={quote}
                several={several ?? false}
                fastest={quote === fastest}
                coverages={coverages}
                cutoff={
                  promises.find(
                    ({ promise_id, provider }) =>
                      promise_id === quote.promise_id && provider === quote.provider,
                  )?.cutoff_time ?? ''
                }
                chosen={quote === chosen}
                group={group}
                onChoose={() => onChoose(quote)}
              />
            ))}
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
            />
          </div>
        )}
      </div>
      {chosen?.post_amount != null && <CoverageLine coverage={coverage} />}
      {chosen?.customer_code !== undefined && (
        <AccountLine chosen={chosen} code={chosen.customer_code} account={account} />
      )}
      {children}
    </section>
  );
};
