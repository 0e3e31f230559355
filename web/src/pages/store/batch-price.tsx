import { choiceReason } from '@waystation/contract/network/offer-choice-words.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import type { ApiError } from '#base/api-error.ts';
import { errorText } from '#base/error-text.ts';
import { useTexts } from '#base/texts.ts';
import { chosenOf, lostChoice } from '#parcels/orders/price.ts';
import type { Choice, Quotes } from '#parcels/orders/price.ts';
import { Select } from '#ui/fields/select.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { useLostWords } from './choice-notes.tsx';
import { isExplained, offerName } from './comparison.ts';
import styles from './batch.module.css';

interface Props {
  /**
   * The product for this person: the product chosen for this person, or else the product chosen for
   * all.
   */
  choice: Choice;
  name: string;
  /**
   * True if several carriers have offers for the list. The names of the carriers are then shown.
   */
  several: boolean;
  /** Undefined if the row has no price yet. */
  quotes: Quotes | undefined;
  isPending: boolean;
  error: ApiError | null;
  onChoose: (choice: Choice) => void;
}

const keyOf = ({ provider, promise_id }: Quote): string => `${provider} ${promise_id}`;

/**
 * The product for one pasted person. If several products are available, it is a selection;
 * otherwise it is the product's name.
 */
const Product = ({
  offer,
  quotes,
  name,
  several,
  onChoose,
}: Pick<Props, 'name' | 'several' | 'onChoose'> & {
  offer: Quote | null;
  quotes: readonly Quote[];
}) => {
  const { t, language } = useTexts();
  const offered = quotes.filter(({ selectable }) => selectable === 1);
  if (offered.length < 2 && offer !== null)
    return <strong>{offerName(offer, several, language)}</strong>;
  if (offered.length === 0) return null;
  return (
    <Select
      className={styles['choice']}
      label={t('store.batch.product_of', { name })}
      value={offer === null ? '' : keyOf(offer)}
      options={[
        ...(offer === null ? [{ value: '', label: t('lists.choose') }] : []),
        ...offered.map((quote) => ({
          value: keyOf(quote),
          label:
            quote === offer || quote.post_amount === null
              ? offerName(quote, several, language)
              : `${offerName(quote, several, language)} ${yuan(quote.post_amount)}`,
        })),
      ]}
      onChange={(key) => {
        const next = offered.find((quote) => keyOf(quote) === key);
        if (next) onChoose({ promise_id: next.promise_id, provider: next.provider });
      }}
    />
  );
};

/**
 * Shows the carrier, product and price of a pasted person's parcel, and the reason why the
 * station's rule chose them. If nothing can be ordered, shows the reason for that.
 */
export const RowPrice = (props: Props) => {
  const { choice, name, several, quotes, isPending, error, onChoose } = props;
  const { t, language } = useTexts();
  const lostWords = useLostWords();
  if (quotes === undefined) {
    if (error !== null) return <em>{errorText(error.code, error.params, language)}</em>;
    return isPending ? <span className={styles['price']}>{t('store.quoting')}</span> : null;
  }
  const offer = chosenOf(quotes, choice);
  const product = (
    <Product
      offer={offer}
      quotes={quotes.quotes}
      name={name}
      several={several}
      onChoose={onChoose}
    />
  );
  if (offer === null) {
    const lost = lostChoice(quotes, choice);
    const reason = quotes.quotes.find((quote) => quote.reason !== null)?.reason;
    return (
      <span className={styles['price']}>
        {product}
        <em>
          {lost !== null
            ? lostWords(lost, several)
            : reason
              ? errorText(reason.code, reason.params, language)
              : t('store.no_quotes')}
        </em>
      </span>
    );
  }
  const rule = quotes.choice;
  return (
    <span className={styles['price']}>
      {product} <Money fen={offer.post_amount} />
      {choice.promise_id === '' && rule !== null && isExplained(rule) && (
        <small>{t('store.batch.rule', { reason: choiceReason(rule, language) })}</small>
      )}
    </span>
  );
};
