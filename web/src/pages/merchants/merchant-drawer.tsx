import { getMerchant } from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import primitives from '#ui/primitives.module.css';
import { MerchantFacts } from './merchant-facts.tsx';
import { useMerchantWords } from './words.ts';

const CallsTab = lazyComponent(async () => (await import('./calls-tab.tsx')).CallsTab);

const Overview = ({
  merchant,
  resume,
}: {
  merchant: Merchant;
  resume: RowAction<Merchant> | undefined;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <div className={primitives['stack']}>
      {merchant.down_since !== null && (
        <Notice tone="danger">
          {t('merchants.down_words', { time: format.moment(merchant.down_since) })}
        </Notice>
      )}
      {merchant.paused_at !== null && (
        <Notice
          tone="danger"
          actions={resume && <Button onClick={() => resume.run(merchant)}>{resume.label}</Button>}
        >
          {t('merchants.paused_words', {
            time: format.moment(merchant.paused_at),
            reason: merchant.paused_reason,
          })}
        </Notice>
      )}
      <MerchantFacts merchant={merchant} />
    </div>
  );
};

interface Props {
  list: List<Merchant>;
  actions: readonly RowAction<Merchant>[];
  switching: StatusSwitching;
}

/** The drawer of one carrier account: its facts, its calls, its change history. */
export const MerchantDrawer = ({ list, actions, switching }: Props) => {
  const { t } = useTexts();
  const words = useMerchantWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getMerchant, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const merchant = data?.id === opened ? data : list.openedRow;
  const resume = actions.find(({ key }) => key === 'resume');
  const history = {
    default: t('merchants.act.default'),
    test: t('merchants.act.test'),
    resume: t('merchants.act.resume'),
    reveal_push_address: t('merchants.act.reveal_push_address'),
    replace_push_address: t('merchants.act.replace_push_address'),
    end_push_address: t('merchants.act.end_push_address'),
  };
  return (
    <RecordDrawer
      list={list}
      title={merchant?.name ?? t('shell.loading')}
      reading={{ ready: merchant !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: merchant && <Overview merchant={merchant} resume={resume} />,
        },
        {
          key: 'calls',
          label: t('merchants.calls'),
          content: merchant && <CallsTab key={merchant.id} id={merchant.id} />,
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: merchant && (
            <AuditTab
              key={merchant.id}
              subject="merchants"
              id={merchant.id}
              words={words}
              actions={history}
            />
          ),
        },
      ]}
      actions={
        merchant && (
          <>
            {visibleActions(actions, merchant).map((action) => (
              <Button
                key={action.key}
                type={action.key === 'edit' ? 'primary' : 'default'}
                disabled={Boolean(action.blocked?.(merchant))}
                title={action.blocked?.(merchant) ?? undefined}
                onClick={() => action.run(merchant)}
              >
                {action.label}
              </Button>
            ))}
            <StatusSwitch row={merchant} name={merchant.name} switching={switching} />
          </>
        )
      }
    />
  );
};
