import { errorText } from '@waystation/contract/base/errors.ts';
import { getMerchant, secretFields } from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { placeText } from '#ui/fields/address-cascader.tsx';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import { Notice } from '#ui/notice.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { lazyComponent } from '#ui/lazy.tsx';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import { DefaultTag, Health, TokenEnd } from './columns.tsx';
import { PushAddress } from './push-address.tsx';
import styles from './merchants.module.css';
import { useEnvironment, useMerchantWords } from './words.ts';

const CallsTab = lazyComponent(async () => (await import('./calls-tab.tsx')).CallsTab);

/** The result of the last test. */
const Proof = ({ merchant: { proof } }: { merchant: Merchant }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  if (!proof) return t('merchants.proof_none');
  return (
    <>
      {proof.ok === 1
        ? t('merchants.proof_ok', { ms: proof.ms })
        : proof.reason
          ? errorText(proof.reason.code, proof.reason.params, language)
          : t('merchants.failed')}
      <span className={styles['quiet']}> · {format.moment(proof.at)}</span>
    </>
  );
};

const Overview = ({
  merchant,
  resume,
}: {
  merchant: Merchant;
  resume: RowAction<Merchant> | undefined;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useMerchantWords();
  const environment = useEnvironment();
  const plain = (
    key:
      | 'name'
      | 'provider'
      | 'customer_code'
      | 'guarantee'
      | 'warehouse_code'
      | 'sender_name'
      | 'sender_phone'
      | 'prefetch_numbers'
      | 'status',
  ) => ({
    key,
    label: words[key].label,
    value: shownValue(words[key], merchant[key]),
  });
  const tail = (key: (typeof secretFields)[number]) => ({
    key,
    label: words[key].label,
    value:
      merchant.secret_tails[key] === null
        ? t('merchants.secret_none')
        : t('merchants.secret_tail', { tail: merchant.secret_tails[key] }),
  });
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
      <Facts
        facts={[
          plain('name'),
          plain('provider'),
          { ...plain('customer_code'), value: <CodeText code={merchant.customer_code} /> },
          plain('status'),
          {
            key: 'is_default',
            label: words.is_default.label,
            value: merchant.is_default === 1 ? <DefaultTag /> : '',
          },
          {
            key: 'environment',
            fields: ['simulated', 'base_url'],
            label: t('merchants.environment'),
            value: `${environment(merchant)} · ${merchant.base_url}`,
            wide: true,
          },
          {
            key: 'proof',
            label: t('merchants.proof'),
            value: <Proof merchant={merchant} />,
            wide: true,
          },
          {
            key: 'push',
            label: t('merchants.push_address'),
            value: <PushAddress key={merchant.id} merchant={merchant} />,
            wide: true,
          },
          {
            key: 'health',
            fields: ['calls_24h', 'answered_24h', 'paused_at', 'paused_reason', 'down_since'],
            label: t('merchants.health'),
            value: <Health merchant={merchant} />,
          },
          {
            key: 'last_call_at',
            label: t('merchants.last_call'),
            value: merchant.last_call_at && format.moment(merchant.last_call_at),
          },
          ...secretFields.map(tail),
          {
            key: 'token_expires_at',
            label: words.token_expires_at.label,
            value: <TokenEnd at={merchant.token_expires_at} />,
          },
          plain('guarantee'),
          plain('warehouse_code'),
          plain('prefetch_numbers'),
          plain('sender_name'),
          plain('sender_phone'),
          {
            key: 'place',
            fields: ['province', 'city', 'county', 'address'],
            label: t('merchants.place'),
            value: `${placeText(merchant)} ${merchant.address}`.trim(),
            wide: true,
          },
          {
            key: 'parcels_30d',
            label: t('merchants.parcels'),
            value: format.number(merchant.parcels_30d),
          },
          { key: 'id', label: 'ID', value: merchant.id },
          {
            key: 'created_at',
            label: t('lists.created'),
            value: format.moment(merchant.created_at),
          },
          {
            key: 'updated_at',
            label: t('lists.updated'),
            value: format.moment(merchant.updated_at),
          },
        ]}
      />
    </div>
  );
};

interface Props {
  list: List<Merchant>;
  actions: readonly RowAction<Merchant>[];
  switching: StatusSwitching;
}

/** One carrier account beside the list: its facts, its calls, its history. */
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
