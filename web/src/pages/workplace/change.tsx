import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';

/** The ratio of two whole numbers. It is only for display. */
export const shareOf = (part: number, whole: number): number => part / whole;

/**
 * The growth as a short text, such as "+12.3%", "−4%" or "0%". Null if the earlier number is zero.
 */
export const useGrowth = (): ((now: number, then: number) => string | null) => {
  const format = useFormat();
  return (now, then) => {
    if (then <= 0) return null;
    const change = shareOf(now - then, then);
    return `${change > 0 ? '+' : change < 0 ? '−' : ''}${format.percent(Math.abs(change))}`;
  };
};

/** The growth compared with the same number of earlier days. */
export const Change = ({ now, then, days }: { now: number; then: number; days: number }) => {
  const { t } = useTexts();
  const growth = useGrowth()(now, then);
  return (
    <span>
      {growth === null
        ? t('workplace.money_board.against_none', { days })
        : t('workplace.money_board.against', { days, change: growth })}
    </span>
  );
};
