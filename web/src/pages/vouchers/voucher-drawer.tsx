import { getVoucher } from '@waystation/contract/money/voucher.ts';
import type { Voucher, VoucherRow } from '@waystation/contract/money/voucher.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { AuditTab } from '#resource/record/audit-tab.tsx';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { StatusSwitch } from '#resource/record/use-status-switch.tsx';
import type { StatusSwitching } from '#resource/record/use-status-switch.tsx';
import { shownValue } from '#resource/record/record-words.ts';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { VersionStatus } from './columns.tsx';
import { ImpactPanel } from './impact-panel.tsx';
import { VersionsPanel } from './versions-panel.tsx';
import { useVoucherWords } from './words.ts';

const Overview = ({ voucher }: { voucher: Voucher }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useVoucherWords();
  const plain = (key: 'name' | 'provider' | 'discount' | 'northeast_discount' | 'status') => ({
    key,
    label: words[key].label,
    value: words[key].show?.(voucher[key]) ?? shownValue(words[key], voucher[key]),
  });
  return (
    <Facts
      facts={[
        plain('name'),
        plain('provider'),
        {
          key: 'promise',
          fields: ['promise_id', 'promise_name'],
          label: words.promise_id.label,
          value: `${voucher.promise_name} · ${voucher.promise_id}`,
        },
        plain('status'),
        {
          key: 'standing',
          fields: ['no', 'next_no', 'next_from', 'latest_no', 'changed'],
          label: t('vouchers.version'),
          value: <VersionStatus row={voucher} />,
        },
        {
          key: 'valid_from',
          label: t('vouchers.valid_from'),
          value: voucher.valid_from && format.moment(voucher.valid_from),
        },
        plain('discount'),
        plain('northeast_discount'),
        {
          key: 'northeast',
          label: t('vouchers.northeast'),
          value: voucher.northeast
            .map((code) => provinceName(code, language))
            .join(t('vouchers.and')),
          wide: true,
        },
        {
          key: 'weight',
          label: words.divisor.label,
          value:
            voucher.weight.divisor === null
              ? t('vouchers.no_divisor')
              : `${voucher.weight.divisor} cm³/kg`,
        },
        { key: 'zones', label: t('vouchers.zones'), value: format.number(voucher.zones) },
        { key: 'projects', label: t('vouchers.projects'), value: format.number(voucher.projects) },
        { key: 'stations', label: t('vouchers.stations'), value: format.number(voucher.stations) },
        {
          key: 'parcels_30d',
          label: t('vouchers.parcels'),
          value: format.number(voucher.parcels_30d),
        },
        { key: 'id', label: 'ID', value: voucher.id },
        { key: 'created_at', label: t('lists.created'), value: format.moment(voucher.created_at) },
        { key: 'updated_at', label: t('lists.updated'), value: format.moment(voucher.updated_at) },
      ]}
    />
  );
};

interface Props {
  list: List<VoucherRow>;
  actions: readonly RowAction<VoucherRow>[];
  switching: StatusSwitching;
}

/**
 * The drawer of one freight template. It shows facts, versions, estimated impact and change
 * history; the prices are changed in the editor.
 */
export const VoucherDrawer = ({ list, actions, switching }: Props) => {
  const { t } = useTexts();
  const words = useVoucherWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getVoucher, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const voucher = data?.id === opened ? data : undefined;
  const history = { publish: t('vouchers.act.publish'), impact: t('vouchers.act.impact') };
  return (
    <RecordDrawer
      list={list}
      title={voucher?.name ?? list.openedRow?.name ?? t('shell.loading')}
      reading={{ ready: voucher !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: voucher && <Overview voucher={voucher} />,
        },
        {
          key: 'versions',
          label: t('vouchers.versions'),
          content: voucher && <VersionsPanel key={voucher.id} voucher={voucher} />,
        },
        {
          key: 'impact',
          label: t('vouchers.impact.title'),
          content: voucher && (
            <ImpactPanel key={voucher.id} id={voucher.id} empty={voucher.zones === 0} />
          ),
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: voucher && (
            <AuditTab
              key={voucher.id}
              subject="vouchers"
              id={voucher.id}
              words={words}
              actions={history}
            />
          ),
        },
      ]}
      actions={
        voucher && (
          <>
            {actions.map((action, index) => (
              <Button
                key={action.key}
                type={index === 0 ? 'primary' : 'default'}
                onClick={() => action.run(voucher)}
              >
                {action.label}
              </Button>
            ))}
            <StatusSwitch row={voucher} name={voucher.name} switching={switching} />
          </>
        )
      }
    />
  );
};
