import { useId } from 'react';
import type { ReactNode } from 'react';
import { useTexts } from '#base/texts.ts';
import { chosenOf } from '#parcels/orders/price.ts';
import type { Choice } from '#parcels/orders/price.ts';
import { Button } from '#ui/button.tsx';
import { Money } from '#ui/values/money.tsx';
import type { BatchRow } from './batch.ts';
import styles from './batch.module.css';
import { offerName } from './comparison.ts';
import { isOwnChoice, offersOfList } from './list-offers.ts';
import type { BatchQuotes } from './use-batch-quotes.ts';

interface Props {
  form: Choice;
  rows: readonly BatchRow[];
  prices: BatchQuotes;
  /**
   * Called with a product for all people of the paste. Products that were chosen for a single
   * person are then dropped.
   */
  onChoose: (choice: Choice) => void;
}

interface LineProps {
  group: string;
  checked: boolean;
  name: string;
  /** A text with the people for whom the product is offered. */
  people: string;
  amount: ReactNode;
  onChoose: () => void;
}

const Line = ({ group, checked, name, people, amount, onChoose }: LineProps) => (
  <label className={styles['offer']} data-chosen={checked || undefined}>
    <input type="radio" name={group} checked={checked} onChange={onChoose} />
    <span>{name}</span>
    <span className={styles['people']}>{people}</span>
    <span className={styles['sum']}>{amount}</span>
  </label>
);

/**
 * The choice of a product for all people of a list, each product with its sum. The user can also
 * let the station's rule choose for each person.
 */
export const BatchOffers = ({ form, rows, prices, onChoose }: Props) => {
  const { t, language } = useTexts();
  const group = useId();
  const offers = offersOfList(rows, prices.of);
  const priced = rows.filter((row) => prices.of(row) !== undefined);
  if (offers.length === 0) return <p className={styles['calm']}>{t('store.batch.prices')}</p>;
  const several = offers.some(({ quote }) => quote.provider !== offers[0]?.quote.provider);
  const byRule = { promise_id: '', provider: '' };
  const proposed = priced.flatMap((row) => chosenOf(prices.of(row), byRule) ?? []);
  const own = rows.filter((row) => isOwnChoice(form, row)).length;
  const peopleWords = (count: number): string =>
    count === priced.length
      ? t('store.batch.people', { count })
      : t('store.batch.people_of', { count, total: priced.length });
  return (
    <>
      <div role="radiogroup" aria-label={t('store.batch.product')} className={styles['offers']}>
        <Line
          group={group}
          checked={form.promise_id === ''}
          name={t('store.batch.by_rule')}
          people={peopleWords(proposed.length)}
          amount={
            <Money fen={proposed.reduce((sum, offer) => sum + (offer.post_amount ?? 0), 0)} />
          }
          onChoose={() => onChoose(byRule)}
        />
        {offers.map(({ quote, people, amount }) => {
          const { promise_id, provider } = quote;
          return (
            <Line
              key={`${provider} ${promise_id}`}
              group={group}
              checked={
                form.promise_id === promise_id &&
                (form.provider === provider || form.provider === '')
              }
              name={offerName(quote, several, language)}
              people={peopleWords(people)}
              amount={<Money fen={amount} />}
              onChoose={() => onChoose({ promise_id, provider })}
            />
          );
        })}
      </div>
      {own > 0 && (
        <p className={styles['own']}>
          {t('store.batch.own', { count: own })}
          <Button
            size="small"
            type="link"
            onClick={() => onChoose({ promise_id: form.promise_id, provider: form.provider })}
          >
            {t('store.batch.same')}
          </Button>
        </p>
      )}
    </>
  );
};
