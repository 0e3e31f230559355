import { formatYuan } from '@waystation/contract/money/money.ts';
import styles from './numbers.module.css';

interface Props {
  /** An amount in whole fen; null shows a dash. */
  fen: number | null | undefined;
  /** True if an amount above zero is shown with a plus sign. */
  signed?: boolean;
  tone?: 'good' | 'danger';
}

/**
 * An amount with two decimals and a small ¥. Its digits are aligned with those of the other amounts
 * in the column.
 */
export const Money = ({ fen, signed = false, tone }: Props) => {
  if (fen === null || fen === undefined) return <span className={styles['money']}>—</span>;
  return (
    <span className={styles['money']} data-money data-tone={tone}>
      {fen < 0 ? '−' : signed && fen > 0 ? '+' : ''}
      <span className={styles['yuan']}>¥</span>
      {formatYuan(Math.abs(fen))}
    </span>
  );
};
