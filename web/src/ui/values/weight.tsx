import { useTexts } from '#base/texts.ts';
import { kg, kilograms } from './amounts.ts';
import styles from './numbers.module.css';

/** A weight in grams, shown in kilograms with as many decimals as needed; null shows a dash. */
export const Weight = ({
  grams,
  signed = false,
}: {
  grams: number | null | undefined;
  signed?: boolean;
}) =>
  grams === null || grams === undefined ? (
    <span className={styles['weight']}>—</span>
  ) : (
    <span className={styles['weight']}>
      {grams < 0 ? '−' : signed && grams > 0 ? '+' : ''}
      {kilograms(Math.abs(grams))}
      <span className={styles['unit']}>kg</span>
    </span>
  );

/**
 * The number of decimals of a weight in a column. It is the same for all rows, so that the decimal
 * points are aligned.
 */
const decimals = 3;

/**
 * A weight in grams, shown in kilograms. The header of the column contains the unit, and the
 * decimal points of the column are aligned.
 */
export const AlignedWeight = ({ grams }: { grams: number | null }) => {
  if (grams === null) return <span className={styles['weight']}>—</span>;
  const text = kilograms(grams);
  const fraction = text.split('.')[1] ?? '';
  const missing = `${fraction === '' ? '.' : ''}${'0'.repeat(decimals - fraction.length)}`;
  return (
    <span className={styles['weight']}>
      {text}
      {missing !== '' && (
        <span className={styles['blank']} aria-hidden>
          {missing}
        </span>
      )}
    </span>
  );
};

interface ChangeProps {
  declared: number;
  /**
   * The weight that a scale measured later; null if it was not measured. If it differs from the
   * declared weight, both are shown with an arrow.
   */
  measured: number | null;
}

/**
 * Shows the declared weight, and the measured weight if it is different. An arrow shows whether the
 * measured weight is higher or lower than the declared weight.
 */
export const WeightChange = ({ declared, measured }: ChangeProps) => {
  const { t } = useTexts();
  const difference = measured === null ? 0 : measured - declared;
  return (
    <span
      className={styles['weight']}
      title={
        measured === null || difference === 0
          ? undefined
          : t('common.weight_measured', {
              declared: kg(declared),
              measured: kg(measured),
              difference: `${difference > 0 ? '+' : '−'}${kg(Math.abs(difference))}`,
            })
      }
    >
      {measured !== null && difference !== 0 && (
        <>
          {kilograms(declared)}
          <span className={styles['arrow']} aria-hidden>
            →
          </span>
          <span className="sr-only">{t('common.weighed_as')}</span>
        </>
      )}
      <AlignedWeight grams={difference === 0 ? declared : measured} />
      <span
        className={styles['delta']}
        data-up={difference > 0 || undefined}
        data-down={difference < 0 || undefined}
        aria-hidden
      >
        {difference > 0 ? '▲' : difference < 0 ? '▼' : ''}
      </span>
    </span>
  );
};
