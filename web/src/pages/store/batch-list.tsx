import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { errorText } from '#base/error-text.ts';
import { useTexts } from '#base/texts.ts';
import { choiceOnce, doubtsOf, receiverFrom } from '#parcels/orders/form.ts';
import { fieldLabel } from '#parcels/orders/words.ts';
import { Phone } from '#ui/values/waybill.tsx';
import { Button } from '#ui/button.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import { RowPrice } from './batch-price.tsx';
import { choiceOf, isReady, replacedRow, rowFindings } from './batch.ts';
import type { BatchRow, TroubleOfRow } from './batch.ts';
import styles from './batch.module.css';
import { withoutRow } from './list-offers.ts';
import type { BatchQuotes } from './use-batch-quotes.ts';
import type { FormState } from './use-form.ts';
import { focusField } from './use-sending.ts';

interface Props {
  state: FormState;
  rows: readonly BatchRow[];
  prices: BatchQuotes;
  troubleOf: TroubleOfRow;
  onRows: (rows: readonly BatchRow[]) => void;
  onKeepDrafts: (rows: readonly BatchRow[]) => void;
  /** Called to order all rows without problems. */
  onOrder: () => void;
  onFilled: () => void;
  /**
   * The field for the pickup window of all rows. Null if the pickup window is chosen beside the
   * price instead.
   */
  pickup: ReactNode;
}

/**
 * Returns the text that describes the problems of a row and uses the labels of the form's fields.
 */
const useFindingWords = (): ((findings: ReturnType<typeof rowFindings>) => string) => {
  const { t, language } = useTexts();
  return ({ doubts, fields, refused, left }) => {
    const words = [
      ...new Set([...doubts, ...fields].map((name) => fieldLabel(name, t) ?? t('store.parcel'))),
    ];
    const reasons = [
      ...new Set(
        [...refused, ...(left === null ? [] : [left])].map(({ code, params }) =>
          errorText(code, params, language),
        ),
      ),
    ];
    if (words.length > 0)
      reasons.unshift(t('store.batch.check', { fields: words.join(t('shell.list_comma')) }));
    return reasons.join(' · ');
  };
};

/**
 * The list of several pasted people. Each person can have a weight of their own. Each parcel is
 * ordered with the form's goods and sender, and with the carrier and product shown on its line.
 */
export const BatchList = ({
  state,
  rows,
  prices,
  troubleOf,
  onRows,
  onKeepDrafts,
  onOrder,
  onFilled,
  pickup,
}: Props) => {
  const { t, language } = useTexts();
  const findingWords = useFindingWords();
  const { form } = state;
  const several =
    new Set(rows.flatMap((row) => prices.of(row)?.quotes.map(({ provider }) => provider) ?? []))
      .size > 1;
  const replaceable = rows.filter((row) => replacedRow(row) !== row).length;
  const ready = rows.filter((row) => isReady(form, row, { quotesOf: prices.of, troubleOf })).length;
  useEffect(() => {
    focusField(form.goods === '' ? 'goods' : 'weight');
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the list appears
  }, []);
  const take = (row: BatchRow): void => {
    state.setParty('receiver', () => receiverFrom(row.candidate), doubtsOf(row.candidate));
    if (row.weight.trim() !== '') state.set({ weight: row.weight });
    onRows(withoutRow(form, rows, row));
    if (row.choice) state.set(choiceOnce(form, row.choice));
    onFilled();
  };
  const change = (row: BatchRow, changes: Partial<BatchRow>): void =>
    onRows(rows.map((one) => (one === row ? { ...row, ...changes } : one)));
  return (
    <section
      className={styles['batch']}
      aria-label={t('store.batch.title', { count: rows.length })}
    >
      <div className={primitives['buttons']}>
        <strong>{t('store.batch.title', { count: rows.length })}</strong>
        <Button size="small" type="primary" disabled={ready === 0} onClick={onOrder}>
          {t('store.batch.order', { count: ready })}
        </Button>
        {replaceable > 0 && (
          <Button size="small" onClick={() => onRows(rows.map(replacedRow))}>
            {t('store.batch.replace', { count: replaceable })}
          </Button>
        )}
        <Button size="small" type="link" onClick={() => onKeepDrafts(rows)}>
          {t('store.queue_drafts')}
        </Button>
      </div>
      {pickup}
      <ol className={`${primitives['list']} ${styles['rows']}`} tabIndex={0}>
        {rows.map((row, index) => {
          const { name, phone, place, address } = receiverFrom(row.candidate);
          const words = findingWords(rowFindings(form, row));
          const trouble = troubleOf(row);
          return (
            // Two people of one paste may have the same name, so the key is the index.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={styles['row']}>
              <span className={styles['who']}>
                {name} <Phone number={phone} />{' '}
                {place.province === place.city ? place.city : `${place.province}${place.city}`}
                {place.county} {address}
                {words !== '' && <em>{words}</em>}
                {/* Rows stored by an earlier version have no source. */}
                {row.candidate.source && (
                  <small className={styles['source']}>
                    {t('store.batch.source', { text: row.candidate.source })}
                  </small>
                )}
              </span>
              <span className={styles['who']}>
                <RowPrice
                  choice={choiceOf(form, row)}
                  name={name || phone}
                  several={several}
                  quotes={prices.of(row)}
                  isPending={prices.isPending(row)}
                  error={prices.errorOf(row)}
                  onChoose={(choice) => change(row, { choice })}
                />
                {trouble && <em>{errorText(trouble, undefined, language)}</em>}
              </span>
              <span className={styles['weight']}>
                <TextField
                  bare
                  label={t('store.batch.weight_of', { name: name || phone })}
                  value={row.weight}
                  onChange={(weight) => change(row, { weight })}
                  numeric
                  suffix="kg"
                  placeholder={form.weight}
                />
              </span>
              <Button
                size="small"
                type="link"
                aria-label={t('store.queue_take', { name: name || phone })}
                onClick={() => take(row)}
              >
                {t('store.order_state.open')}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
};
