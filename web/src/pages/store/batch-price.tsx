import { choiceReason } from '@waystation/contract/network/offer-choice-words.ts';
import type { ApiError } from '#base/api-error.ts';
import { errorText } from '#base/error-text.ts';
import { useTexts } from '#base/texts.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { chosenOf, lostChoice } from '#parcels/orders/price.ts';
import type { Quotes } from '#parcels/orders/price.ts';
import { Money } from '#ui/values/money.tsx';
import { useLostWords } from './choice-notes.tsx';
import { isExplained, offerName } from './comparison.ts';
import styles from './batch.module.css';

interface Props {
  form: Pick<OrderForm, 'promise_id' | 'provider'>;
  /** Undefined: the row is not priced, or its price is being read. */
  quotes: Quotes | undefined;
  isPending: boolean;
  error: ApiError | null;
}

/**
 * The carrier, product and price that a person's parcel is ordered with, and why the station's rule
 * chose it; or why nothing can be ordered.
 */
export const RowPrice = ({ form, quotes, isPending, error }: Props) => {
  const { t, language } = useTexts();
  const lostWords = useLostWords();
  if (quotes === undefined) {
    if (error !== null) return <em>{errorText(error.code, error.params, language)}</em>;
    return isPending ? <span className={styles['price']}>{t('store.quoting')}</span> : null;
  }
  const offer = chosenOf(quotes, form);
  if (offer === null) {
    const lost = lostChoice(quotes, form);
    const reason = quotes.quotes.find((quote) => quote.reason !== null)?.reason;
    return (
      <em>
        {lost !== null
          ? lostWords(lost, true)
          : reason
            ? errorText(reason.code, reason.params, language)
            : t('store.no_quotes')}
      </em>
    );
  }
  const { choice } = quotes;
  return (
    <span className={styles['price']}>
      <strong>{offerName(offer, true, language)}</strong> <Money fen={offer.post_amount} />
      {form.promise_id === '' && choice !== null && isExplained(choice) && (
        <small>{t('store.batch.rule', { reason: choiceReason(choice, language) })}</small>
      )}
    </span>
  );
};
