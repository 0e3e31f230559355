import { mostExpectedParcels } from '@waystation/contract/base/limits.ts';
import type { HandoverSummary } from '@waystation/contract/parcels/handover.ts';
import { useFormat } from '#base/format.ts';
import primitives from '#ui/primitives.module.css';
import styles from './visit.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

/** Four figures in large type: expected, handed over, missing, refused. */
export const Figures = ({ summary }: { summary: HandoverSummary }) => {
  const say = useHandoverWords();
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
            <dt>{say(`figure.${key}`)}</dt>
            <dd>{format.number(value)}</dd>
          </div>
        ))}
      </dl>
      {summary.is_capped === 1 && (
        <p className={primitives['note']}>
          {say('capped', { count: format.number(mostExpectedParcels) })}
        </p>
      )}
    </div>
  );
};
