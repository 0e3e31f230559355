import { getImpact } from '@waystation/contract/money/voucher.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { signedYuan, yuan } from '#ui/values/amounts.ts';
import { Notice } from '#ui/notice.tsx';
import { byDifference } from './impact-panel.tsx';

const shown = 5;

/**
 * The latest estimate of what the draft changes, and the stations that it affects most. A text
 * reports if the draft was changed after the estimate.
 */
export const PublishImpact = ({ id }: { id: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data } = useCall(getImpact, { id }, { quiet: true, staleTime: 0 });
  if (!data) return null;
  const { impact } = data;
  if (impact === null) return <Notice tone="info">{t('vouchers.impact.publish_none')}</Notice>;
  if (impact.status === 'running')
    return <Notice tone="info">{t('vouchers.impact.publish_running')}</Notice>;
  const changed = byDifference(impact.stations).filter(
    ({ new_amount, old_amount }) => new_amount !== old_amount,
  );
  const rows = changed
    .slice(0, shown)
    .map(({ name, new_amount, old_amount }) => `${name} ${signedYuan(new_amount - old_amount)}`);
  return (
    <>
      {impact.is_current === 0 && <Notice tone="warn">{t('vouchers.impact.publish_stale')}</Notice>}
      <p>
        {t('vouchers.impact.publish_sum', {
          count: format.number(impact.parcels),
          old: yuan(impact.old_amount),
          now: yuan(impact.new_amount),
          difference: signedYuan(impact.new_amount - impact.old_amount),
        })}{' '}
        {rows.length > 0 &&
          t('vouchers.impact.publish_most', { rows: rows.join(t('shell.list_comma')) })}
      </p>
    </>
  );
};
