import { mostExpectedParcels } from '@waystation/contract/base/limits.ts';
import type { HandoverSummary } from '@waystation/contract/parcels/handover.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import primitives from '#ui/primitives.module.css';
import styles from './visit.module.css';

/** Expected, given, missing and refused, in large figures. */
export const Figures = ({ summary }: { summary: HandoverSummary }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { expected, missing, others, handover } = summary;
  const figures = [
    ['expected', expected],
    ['given', handover.packages],
    ['missing', missing],
    ['others', others],
  ] as const;
  return (
    <div>
      <dl className={styles['figures']}>
        {figures.map(([key, value]) => (
          <div key={key} data-figure={key} data-some={value > 0 || undefined}>
            <dt>{t(`handovers.figure.${key}`)}</dt>
            <dd>{format.number(value)}</dd>
          </div>
        ))}
      </dl>
      {summary.is_capped === 1 && (
        <p className={primitives['note']}>
          {t('handovers.capped', { count: format.number(mostExpectedParcels) })}
        </p>
      )}
    </div>
  );
};
