import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { countExpresses } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressTab } from '@waystation/contract/parcels/express.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { kilograms, yuan } from '#ui/values/amounts.ts';
import { CalculateButton, useCountText } from '#resource/list/count-words.tsx';
import type { Counts } from '#resource/list/use-counts.ts';
import { TabStrip } from '#ui/tab-strip.tsx';
import styles from './expresses.module.css';

type ParcelCounts = Counts<OutputOf<typeof countExpresses>>;

const tabOrder = [
  'awaiting_pickup',
  'in_transit',
  'delivering',
  'signed',
  'exception',
  'returned',
  'on_hold',
  'ordering',
  'failed',
  'draft',
  'cancelled',
] as const satisfies readonly ExpressTab[];

/**
 * The number of matching parcels and their sums. If no state is chosen, the text adds that parcels
 * without a waybill number are counted too.
 */
export const Totals = ({ counts, every }: { counts: ParcelCounts; every: boolean }) => {
  const { t } = useTexts();
  const count = useCountText(counts);
  const sums = counts.stale ? null : (counts.answer?.sums ?? null);
  return (
    <p className={styles['totals']}>
      {sums === null
        ? t('expresses.totals_count', { count })
        : t('expresses.totals', {
            count,
            amount: yuan(sums.post_amount),
            weight: kilograms(sums.weight),
          })}
      <CalculateButton counts={counts} />
      {every && (
        <span title={t('expresses.totals_every_long')}> · {t('expresses.totals_every')}</span>
      )}
    </p>
  );
};

/** A tab per state, with the number of parcels in this state that the other filters match. */
export const StateTabs = ({
  counts,
  tab,
  panel,
  onChange,
}: {
  counts: ParcelCounts;
  tab: string;
  panel: string;
  onChange: (tab: string | undefined) => void;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const figures = counts.answer?.tabs;
  return (
    <TabStrip<string>
      label={t('expresses.states')}
      controls={panel}
      value={tab}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
      tabs={(['all', ...tabOrder] as const).map((key) => ({
        key,
        label: t(`expresses.tabs.${key}`),
        count: figures?.[key] === undefined ? undefined : format.number(figures[key]),
        empty: figures?.[key] === 0,
      }))}
    />
  );
};
