import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { countStatements } from '@waystation/contract/money/statement.ts';
import { useTexts } from '#base/texts.ts';
import type { Counts } from '#resource/list/use-counts.ts';
import { yuan } from '#ui/values/amounts.ts';

/**
 * The calculation for the shown stations and days: opening balance + in − out = closing balance,
 * and the held amount separately. If another filter is set, shows the sum of the matching
 * transactions and the reason why no balance is shown.
 */
export const StripWords = ({ counts }: { counts: Counts<OutputOf<typeof countStatements>> }) => {
  const { t } = useTexts();
  if (counts.stale || !counts.answer) return '…';
  const { strip, sums } = counts.answer;
  if (strip) {
    const words = {
      opening: yuan(strip.opening),
      gained: yuan(strip.in),
      spent: yuan(strip.out),
      closing: yuan(strip.closing),
    };
    return (
      <>
        {t('statements.strip', words)} ·{' '}
        {t('statements.strip_frozen', { frozen: yuan(strip.frozen) })}
      </>
    );
  }
  return (
    <span title={t('statements.strip_narrowed')}>
      {sums
        ? t('statements.sums', { gained: yuan(sums.in), spent: yuan(sums.out) })
        : t('statements.sums_many')}{' '}
      · {t('statements.strip_narrowed')}
    </span>
  );
};
