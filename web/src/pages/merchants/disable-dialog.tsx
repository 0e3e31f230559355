import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/limits.ts';
import { listMerchants, setMerchantStatus } from '@waystation/contract/merchant.ts';
import type { Merchant } from '@waystation/contract/merchant.ts';
import type { Usage } from '@waystation/contract/usage.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import type { Replaced } from '#resource/record/use-replacing.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { merchantViews } from './use-merchant-actions.tsx';

/** What an account is to others: the default of its carrier, or named by stations. */
export interface AccountUses extends Pick<Merchant, 'provider' | 'is_default'> {
  stations: Usage['items'][number] | undefined;
}

/** Disables an account that is in use: another one takes its place in the same step. */
export const DisableDialog = ({ replaced: { id, name, uses }, onClose }: { replaced: Replaced<AccountUses>; onClose: () => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  const [successor, setSuccessor] = useState<number | null>(null);
  const { provider, is_default, stations } = uses;
  const { data, error, refetch } = useCall(listMerchants, { provider, status: 1, sort: 'name', page_size: mostPageSize }, { quiet: true, staleTime: 0 });
  const options = (data?.items ?? []).filter((merchant) => merchant.id !== id).map((merchant) => ({ value: merchant.id, label: merchant.name }));
  const names = stations?.names ?? [];
  const sending = useSubmit({
    fields: ['successor_id'],
    send: async () => {
      await call(setMerchantStatus, { id, status: 0, successor_id: successor! });
      return t('merchants.disabled_done', { name, successor: options.find(({ value }) => value === successor)?.label ?? '' });
    },
    refreshes: merchantViews,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      danger
      title={t('lists.disable_title', { name })}
      ok={t('lists.replace_and_disable')}
      blocked={data !== undefined && options.length === 0}
      sending={sending}
      check={() => ({ successor_id: successor === null ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <Notice tone="warn">
        {is_default === 1 && <p>{t('merchants.disable_default')}</p>}
        {stations && (
          <p>
            {t('merchants.disable_stations', {
              count: format.number(stations.count),
              names: names.join(t('shell.list_comma')) + (stations.count > names.length ? ' …' : ''),
            })}
          </p>
        )}
        <p>{t('merchants.disable_parcels')}</p>
      </Notice>
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      {data && options.length === 0 && <p>{t('merchants.no_successor')}</p>}
      {options.length > 0 && (
        <SelectField
          label={t('merchants.successor')}
          name="successor_id"
          required
          value={successor}
          options={options}
          onChange={(next) => {
            sending.clearErrors('successor_id');
            setSuccessor(next);
          }}
          error={sending.errors['successor_id']}
        />
      )}
    </SubmitDialog>
  );
};
