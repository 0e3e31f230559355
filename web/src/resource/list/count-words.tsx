import { mostCounted } from '@waystation/contract/limits.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import type { Counts } from './use-counts.ts';

/** A count in figures: `…` while it is read, `—` where it could not be, `10,000+` where there are more. */
export const useCountText = ({ total, capped, busy }: Pick<Counts, 'total' | 'capped' | 'busy'>): string => {
  const format = useFormat();
  if (total === null) return busy ? '…' : '—';
  return capped ? `${format.number(total)}+` : format.number(total);
};

/** Counts what was not counted; nothing where all is. */
export const CalculateButton = ({ counts }: { counts: Counts }) => {
  const { t } = useTexts();
  const format = useFormat();
  if (!counts.calculate) return null;
  return (
    <Button
      type="link"
      size="small"
      loading={counts.busy}
      title={t('lists.calculate_hint', { count: format.number(mostCounted) })}
      onClick={() => void counts.calculate?.()}
    >
      {t('lists.calculate')}
    </Button>
  );
};
