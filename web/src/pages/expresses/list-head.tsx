import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import type { ExpressTab } from '@waystation/contract/express.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { kilograms, yuan } from '#ui/values/amounts.ts';
import { TabStrip } from '#ui/tab-strip.tsx';
import styles from './expresses.module.css';

type Answer = OutputOf<typeof listExpresses> | undefined;

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

/** How many parcels are listed and what they come to; where no state is chosen, which of them that counts beside those with a waybill. */
export const Totals = ({ list, every }: { list: Answer; every: boolean }) => {
  const { t } = useTexts();
  const format = useFormat();
  if (!list) return null;
  const words = { count: format.number(list.total), amount: yuan(list.sums.post_amount), weight: kilograms(list.sums.weight) };
  return (
    <p className={styles['totals']}>
      {list.total_is_capped === 1 ? t('expresses.totals_least', words) : t('expresses.totals', words)}
      {every && <span title={t('expresses.totals_every_long')}> · {t('expresses.totals_every')}</span>}
    </p>
  );
};

/** The states, each with how many parcels the other filters find in it. */
export const StateTabs = ({ list, tab, panel, onChange }: { list: Answer; tab: string; panel: string; onChange: (tab: string | undefined) => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <TabStrip<string>
      label={t('expresses.states')}
      controls={panel}
      value={tab}
      onChange={(next) => onChange(next === 'all' ? undefined : next)}
      tabs={(['all', ...tabOrder] as const).map((key) => ({
        key,
        label: t(`expresses.tabs.${key}`),
        count: list?.tabs[key] === undefined ? undefined : format.number(list.tabs[key]),
        empty: list?.tabs[key] === 0,
      }))}
    />
  );
};
