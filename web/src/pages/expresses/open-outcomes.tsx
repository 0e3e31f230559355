import type { previewBulk } from '@waystation/contract/shell/bulk.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { FirstRows } from '#ui/first-rows.tsx';
import { Notice } from '#ui/notice.tsx';
import { yuan } from '#ui/values/amounts.ts';

interface Props {
  groups: OutputOf<typeof previewBulk>['open_outcomes'];
}

/** Lists the orders whose outcome at the carrier is unknown, with the effect of cancelling them. */
export const OpenOutcomes = ({ groups }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  return groups.map(({ effect, count, post_amount, names }) => (
    <Notice key={effect} tone="warn">
      <strong>
        {t(`expresses.bulk.open_outcomes.${effect}`, { count: format.number(count) })}
      </strong>
      <FirstRows names={names} count={count} />
      <p>{t(`common.cancelling.effect_${effect}`, { amount: yuan(post_amount) })}</p>
    </Notice>
  ));
};
