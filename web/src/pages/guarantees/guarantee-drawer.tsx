import { getGuarantee } from '@waystation/contract/money/guarantee.ts';
import type { Guarantee } from '@waystation/contract/money/guarantee.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import { useGuaranteeWords } from './words.ts';

const Overview = ({ tier }: { tier: Guarantee }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useGuaranteeWords();
  return (
    <Facts
      facts={[
        {
          key: 'from_money',
          label: t('guarantees.from'),
          value: tier.from_money === null ? '' : yuan(tier.from_money),
        },
        ...(['money', 'price', 'status'] as const).map((key) => ({
          key,
          label: words[key].label,
          value: shownValue(words[key], tier[key]),
        })),
        { key: 'parcels_30d', label: t('guarantees.used'), value: format.number(tier.parcels_30d) },
        { key: 'id', label: 'ID', value: tier.id },
        { key: 'created_at', label: t('lists.created'), value: format.moment(tier.created_at) },
        { key: 'updated_at', label: t('lists.updated'), value: format.moment(tier.updated_at) },
      ]}
    />
  );
};

/** The drawer of one insurance tier, with its facts and its change history. */
export const GuaranteeDrawer = ({
  list,
  switching,
}: {
  list: List<Guarantee>;
  switching: StatusSwitching;
}) => {
  const { t } = useTexts();
  const words = useGuaranteeWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getGuarantee, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const tier = data?.id === opened ? data : list.openedRow;
  return (
    <RecordDrawer
      list={list}
      title={tier ? t('guarantees.up_to', { money: yuan(tier.money) }) : t('shell.loading')}
      reading={{ ready: tier !== undefined, error, retry: refetch }}
      tabs={[
        { key: 'overview', label: t('lists.overview'), content: tier && <Overview tier={tier} /> },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: tier && (
            <AuditTab key={tier.id} subject="guarantees" id={tier.id} words={words} />
          ),
        },
      ]}
      actions={
        tier && (
          <>
            <Button type="primary" onClick={() => list.openForm(tier.id)}>
              {t('lists.edit')}
            </Button>
            <StatusSwitch row={tier} name={yuan(tier.money)} switching={switching} />
          </>
        )
      }
    />
  );
};
