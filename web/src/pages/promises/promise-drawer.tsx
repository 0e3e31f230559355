import { getPromise } from '@waystation/contract/parcels/promise.ts';
import type { DeliveryPromise } from '@waystation/contract/parcels/promise.ts';
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
import { CodeText } from '#ui/values/code-text.tsx';
import { useDaysText, useOnTimeText } from './columns.tsx';
import { LanesTab } from './lanes-tab.tsx';
import { usePromiseWords } from './words.ts';
import type { PromiseField } from './words.ts';

const fields: readonly PromiseField[] = [
  'promise_id',
  'provider',
  'promise_name',
  'promise_name_en',
  'cutoff_time',
  'sort',
  'status',
];

const Overview = ({ promise }: { promise: DeliveryPromise }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = usePromiseWords();
  const days = useDaysText();
  const rate = useOnTimeText();
  return (
    <Facts
      facts={[
        ...fields.map((key) => ({
          key,
          label: words[key].label,
          value:
            key === 'promise_id' ? (
              <CodeText code={promise.promise_id} />
            ) : (
              shownValue(words[key], promise[key])
            ),
        })),
        {
          key: 'voucher_count',
          label: t('promises.vouchers_long'),
          value: format.number(promise.voucher_count),
        },
        {
          key: 'used_count',
          label: t('promises.used_long'),
          value: format.number(promise.used_count),
        },
        {
          key: 'average_hours',
          label: t('promises.average_long'),
          value: days(promise.average_hours),
        },
        {
          key: 'on_time_rate',
          label: t('promises.on_time_long'),
          value: rate(promise.on_time_rate),
        },
        {
          key: 'due_count',
          label: t('promises.due_long'),
          value: format.number(promise.due_count),
        },
        { key: 'id', label: 'ID', value: promise.id },
        { key: 'created_at', label: t('lists.created'), value: format.moment(promise.created_at) },
        { key: 'updated_at', label: t('lists.updated'), value: format.moment(promise.updated_at) },
      ]}
    />
  );
};

/** The drawer of one delivery time: its facts, its lanes and its change history. */
export const PromiseDrawer = ({
  list,
  switching,
}: {
  list: List<DeliveryPromise>;
  switching: StatusSwitching;
}) => {
  const { t } = useTexts();
  const words = usePromiseWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(getPromise, opened === null ? null : { id: opened }, {
    quiet: true,
    staleTime: 0,
  });
  const promise = data?.id === opened ? data : list.openedRow;
  return (
    <RecordDrawer
      list={list}
      title={promise?.promise_name ?? t('shell.loading')}
      reading={{ ready: promise !== undefined, error, retry: refetch }}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: promise && <Overview promise={promise} />,
        },
        {
          key: 'lanes',
          label: t('promises.lanes'),
          content: promise && <LanesTab key={promise.id} id={promise.id} />,
        },
        {
          key: 'audit',
          label: t('lists.audit'),
          content: promise && (
            <AuditTab key={promise.id} subject="promises" id={promise.id} words={words} />
          ),
        },
      ]}
      actions={
        promise && (
          <>
            <Button type="primary" onClick={() => list.openForm(promise.id)}>
              {t('lists.edit')}
            </Button>
            <StatusSwitch row={promise} name={promise.promise_name} switching={switching} />
          </>
        )
      }
    />
  );
};
