import { CheckCircleOutlined } from '@ant-design/icons-svg';
import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { errorText } from '#base/error-text.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { coveredWords } from '#parcels/orders/words.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { PriceLines } from '#money/why-panel.tsx';
import type { Options } from '#parcels/orders/form.ts';
import type { useQuotes } from './quotes.ts';
import type { Coverage } from './use-coverage.ts';
import styles from './store.module.css';

interface OfferProps {
  quote: Quote;
  /** Latest time for a pickup today, `18:00`; empty: none is known. */
  cutoff: string;
  chosen: boolean;
  group: string;
  /** The carrier's delivery time; null if it was not requested or is unknown. */
  arrives: string | null;
  onChoose: () => void;
}

/** One promise in one line: its name, its price, or why it is unavailable. */
const Offer = ({ quote, cutoff, arrives, chosen, group, onChoose }: OfferProps) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const times = [
    arrives === null ? '' : t('store.arrives', { time: format.time(arrives) }),
    cutoff === '' ? '' : t('store.cutoff', { time: cutoff }),
  ]
    .filter(Boolean)
    .join(' · ');
  const note = quote.reason
    ? errorText(quote.reason.code, quote.reason.params, language)
    : quote.selectable === 1
      ? times
      : '';
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
      <span className={styles['offerName']}>
        <span className={primitives['cut']}>
          {language === 'en' && quote.promise_name_en !== ''
            ? quote.promise_name_en
            : quote.promise_name}
        </span>
        {quote.cheapest === 1 && <span className={styles['tag']}>{t('store.cheapest')}</span>}
        {note !== '' && (
          <span className={`${primitives['cut']} ${styles['reason']}`} title={note}>
            {note}
          </span>
        )}
      </span>
      <Money fen={quote.post_amount} />
    </label>
  );
};

interface Props {
  quotes: ReturnType<typeof useQuotes>;
  promises: Options['promises'];
  /** Nothing can be priced before a station is chosen. */
  needsStation: boolean;
  chosen: Quote | null;
  error: string | undefined;
  /** The carrier's answer about the two places; null until there is one. */
  coverage: Coverage | null;
  /** The carrier accounts that the office may choose from; null: none may be chosen. */
  account: {
    code: string;
    choices: NonNullable<Options['accounts']>;
    onChange: (customer_code: string) => void;
  } | null;
  onChoose: (promise_id: string) => void;
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
  error,
  coverage,
  account,
  onChoose,
  children,
}: Props) => {
  const { t } = useTexts();
  const group = useId();
  const { data, asking } = quotes;
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
        {data && data.quotes.length > 0 && (
          <div role="radiogroup" aria-label={t('store.price')} className={styles['offers']}>
            {data.quotes.map((quote) => (
              <Offer
                key={quote.promise_id}
                quote={quote}
                cutoff={
                  promises.find(
                    ({ promise_id, provider }) =>
                      promise_id === quote.promise_id && provider === quote.provider,
                  )?.cutoff_time ?? ''
                }
                arrives={
                  coverage?.products.find(({ promise_id }) => promise_id === quote.promise_id)
                    ?.delivery_promise_at ?? null
                }
                chosen={quote.promise_id === chosen?.promise_id}
                group={group}
                onChoose={() => onChoose(quote.promise_id)}
              />
            ))}
          </div>
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
