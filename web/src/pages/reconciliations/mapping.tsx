import { Button } from '#ui/button.tsx';
import { useState } from 'react';
import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import { billFields, mapReconciliation } from '@waystation/contract/money/reconciliation.ts';
import type { BillField, Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { call } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { DiscardDialog } from './bill-dialogs.tsx';
import styles from './reconciliations.module.css';
import { billsShown, useBillWords } from './words.ts';

export const neededFields: readonly BillField[] = billFields.slice(0, 3);

type ByColumn = Readonly<Record<number, BillField>>;

/**
 * Two problems of a column assignment: required fields that have no column, and fields that have
 * more than one column.
 */
export const mappingProblems = (chosen: ByColumn): { missing: BillField[]; twice: BillField[] } => {
  const mapped = Object.values(chosen);
  return {
    missing: neededFields.filter((field) => !mapped.includes(field)),
    twice: billFields.filter((field) => mapped.filter((each) => each === field).length > 1),
  };
};

const byColumn = (mapping: Reconciliation['mapping']): ByColumn =>
  Object.fromEntries(Object.entries(mapping).map(([field, index]) => [index, field as BillField]));

/** The columns of the bill's file, each with some of its values and a choice of its field. */
export const Mapping = ({ bill, onDone }: { bill: Reconciliation; onDone: () => void }) => {
  const { t, language } = useTexts();
  const words = useBillWords();
  const [chosen, setChosen] = useState<ByColumn>(() => byColumn(bill.mapping));
  const [unit, setUnit] = useState(bill.weight_unit);
  const [tried, setTried] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const { missing, twice } = mappingProblems(chosen);
  const options = billFields.map((value) => {
    const name = t(`reconciliations.fields.${value}`);
    return {
      value,
      label: neededFields.includes(value) ? t('reconciliations.needed', { name }) : name,
    };
  });
  const choose = (index: number, field: BillField | null): void => {
    const { [index]: _before, ...rest } = chosen;
    setChosen(field === null ? rest : { ...rest, [index]: field });
  };
  const { failure, busy, submit } = useSubmit({
    send: async () => {
      const mapping = Object.fromEntries(
        Object.entries(chosen).map(([index, field]) => [field, Number(index)]),
      );
      await call(mapReconciliation, {
        id: bill.id,
        version: bill.version,
        mapping,
        weight_unit: unit,
      });
      await refresh(...billsShown);
      return null;
    },
    onDone,
  });
  const named = (fields: readonly BillField[]): string =>
    fields
      .map((field) => t(`reconciliations.fields.${field}`))
      .join(language === 'zh' ? '、' : ', ');
  const missingWords =
    missing.length > 0 ? t('reconciliations.map_missing', { fields: named(missing) }) : undefined;
  const twiceWords = twice.map((field) =>
    t('reconciliations.map_twice', { field: named([field]) }),
  );
  return (
    <form
      className={styles['mapping']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        void submit({ mapping: missingWords ?? twiceWords[0] });
      }}
    >
      <h2>{t('reconciliations.map_title')}</h2>
      <p className={styles['quiet']}>{t('reconciliations.map_hint')}</p>
      {bill.reason !== null && <Notice tone="warn">{words.reason(bill.reason)}</Notice>}
      <ul className={styles['columns']}>
        {bill.columns.map(({ index, title, samples }) => {
          const own =
            title === '' ? t('reconciliations.map_untitled', { index: index + 1 }) : title;
          // The reason why reading failed contains the letters of columns, so the letters are shown
          // here.
          const name =
            bill.reason?.code === 'bill_columns_doubtful'
              ? `${columnLetters(index)} · ${own}`
              : own;
          return (
            <li key={index} data-chosen={chosen[index] !== undefined || undefined}>
              <strong>{name}</strong>
              <span className={styles['samples']}>
                {samples.filter((sample) => sample !== '').join(' · ') || '—'}
              </span>
              <SelectField
                label={t('reconciliations.map_of', { title: name })}
                bare
                value={chosen[index] ?? null}
                options={options}
                none={t('reconciliations.map_none')}
                onChange={(field) => choose(index, field)}
              />
            </li>
          );
        })}
      </ul>
      <div className={styles['unit']}>
        <SelectField
          label={t('reconciliations.weight_unit')}
          value={unit}
          options={[
            { value: 'kg', label: t('reconciliations.unit_kg') },
            { value: 'g', label: t('reconciliations.unit_g') },
          ]}
          onChange={(next) => next !== null && setUnit(next)}
        />
      </div>
      {tried && missingWords !== undefined && <Notice tone="danger">{missingWords}</Notice>}
      {tried &&
        twiceWords.map((words) => (
          <Notice key={words} tone="danger">
            {words}
          </Notice>
        ))}
      {failure !== null && <Notice tone="danger">{failure}</Notice>}
      <div className={primitives['buttons']}>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('reconciliations.map_do')}
        </Button>
        {bill.status === 'ready' || bill.status === 'settled' ? (
          <Button onClick={onDone}>{t('reconciliations.map_back')}</Button>
        ) : (
          <Button danger onClick={() => setDiscarding(true)}>
            {t('reconciliations.discard')}
          </Button>
        )}
      </div>
      {discarding && <DiscardDialog bill={bill} onClose={() => setDiscarding(false)} />}
    </form>
  );
};
