import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { listStatements } from '@waystation/contract/statement.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';

/** Opening + in − out = closing of the stations and days shown, with what was frozen apart; where the list is narrowed otherwise, what it comes to, and why no more. */
export const StripWords = ({ data }: { data: OutputOf<typeof listStatements> | undefined }) => {
  const { t } = useTexts();
  if (!data) return null;
  const { strip, sums } = data;
  if (strip) {
    const words = { opening: yuan(strip.opening), gained: yuan(strip.in), spent: yuan(strip.out), closing: yuan(strip.closing) };
    return (
      <>
        {t('statements.strip', words)} · {t('statements.strip_frozen', { frozen: yuan(strip.frozen) })}
      </>
    );
  }
  return (
    <span title={t('statements.strip_narrowed')}>
      {sums ? t('statements.sums', { gained: yuan(sums.in), spent: yuan(sums.out) }) : t('statements.sums_many')} · {t('statements.strip_narrowed')}
    </span>
  );
};
