import { mostCounted } from '@waystation/contract/base/limits.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import type { Counts } from './use-counts.ts';

/**
 * Writes a count as text: `…` while it is being read, `—` if the read failed, `10,000+` above the
 * limit.
 */
export const useCountText = ({
  total,
  capped,
  busy,
}: Pick<Counts, 'total' | 'capped' | 'busy'>): string => {
  const format = useFormat();
  if (total === null) return busy ? '…' : '—';
  return capped ? `${format.number(total)}+` : format.number(total);
};

/** A button that requests an exact count. It is not shown if the count is already exact. */
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
