import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { merchantCalls } from '@waystation/contract/network/merchant.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { CarrierCalls } from '#parcels/carrier-calls.tsx';
import { Button } from '#ui/button.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';

const first = 20;
const most = mostPageSize;

/** The list of calls to the carrier, newest first. Secrets in the calls are left out. */
export const CallsTab = ({ id }: { id: number }) => {
  const { t } = useTexts();
  const [failed, setFailed] = useState<'all' | 'failed'>('all');
  const [size, setSize] = useState(first);
  const input = { id, page_size: size, ...(failed === 'failed' && { failed: 1 as const }) };
  const { data, error, refetch, isFetching } = useCall(merchantCalls, input, {
    quiet: true,
    keep: true,
    staleTime: 0,
  });
  return (
    <>
      <Segmented
        size="small"
        label={t('merchants.calls_shown')}
        value={failed}
        onChange={setFailed}
        options={[
          { value: 'all', label: t('merchants.all_calls') },
          { value: 'failed', label: t('merchants.only_failed') },
        ]}
      />
      {!data && error ? <ErrorPanel error={error} onRetry={refetch} /> : null}
      {data?.items.length === 0 && (
        <Empty title={t('merchants.calls_none')} hint={t('merchants.calls_hint')} />
      )}
      {data && data.items.length > 0 && <CarrierCalls calls={data.items} />}
      {data && data.next_cursor !== null && size < most && (
        <Button block loading={isFetching} onClick={() => setSize(Math.min(most, size * 2))}>
          {t('merchants.older_calls')}
        </Button>
      )}
    </>
  );
};
