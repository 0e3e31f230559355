import { useTexts } from '#app/texts.ts';
import { kg, kilograms } from './amounts.ts';
import styles from './numbers.module.css';

/** Grams in kilograms, with as many decimals as it takes; null shows a dash. */
export const Weight = ({ grams, signed = false }: { grams: number | null | undefined; signed?: boolean }) =>
  grams === null || grams === undefined ? (
    <span className={styles['weight']}>—</span>
  ) : (
    <span className={styles['weight']}>
      {grams < 0 ? '−' : signed && grams > 0 ? '+' : ''}
      {kilograms(Math.abs(grams))}
      <span className={styles['unit']}>kg</span>
    </span>
  );

interface ChangeProps {
  declared: number;
  billed: number | null;
  /** What a scale said since; where it is another weight than declared, the direction is marked. */
  measured: number | null;
}

/** What was declared and what is billed. Rounding up alone is no news; a scale that disagrees is. */
export const WeightChange = ({ declared, billed, measured }: ChangeProps) => {
  const { t } = useTexts();
  if (billed === null || (billed === declared && (measured === null || measured === declared))) return <Weight grams={declared} />;
  const difference = (measured ?? declared) - declared;
  const words = t('common.weight_change', { declared: kg(declared), billed: kg(billed) });
  return (
    <span
      className={styles['weight']}
      title={
        difference === 0
          ? words
          : `${words} ${t('common.weight_measured', { measured: kg(measured!), difference: `${difference > 0 ? '+' : '−'}${kg(Math.abs(difference))}` })}`
      }
    >
      {kilograms(declared)}
      <span className={styles['arrow']} aria-hidden>
        →
      </span>
      <span className="sr-only">{t('common.billed_as')}</span>
      {kilograms(billed)}
      <span className={styles['unit']}>kg</span>
      <span className={styles['delta']} data-up={difference > 0 || undefined} data-down={difference < 0 || undefined} aria-hidden>
        {difference > 0 ? '▲' : difference < 0 ? '▼' : ''}
      </span>
    </span>
  );
};
