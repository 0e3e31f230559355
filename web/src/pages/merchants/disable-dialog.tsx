import { useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { errorText } from '#base/error-text.ts';
import { listMerchants, setMerchantStatus } from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { formatYuan } from '@waystation/contract/money/money.ts';
import type { Usage, UsedBy } from '@waystation/contract/base/usage.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { SuccessorField } from '#resource/record/successor-field.tsx';
import type { Replaced } from '#resource/record/use-replacing.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { merchantViews } from './use-merchant-actions.tsx';

/**
 * A carrier account in use, and everything that uses it. The account is in use if it is the default
 * of its carrier or if stations use it.
 */
export interface AccountUses extends Usage {
  account: Merchant;
}

/** Returns the account's name, followed by its warnings: simulated, paused or unavailable. */
const useMarked = (): ((merchant: Merchant) => string) => {
  const { t } = useTexts();
  return ({ name, simulated, paused_at, down_since }) => {
    const marks = [
      ...(simulated === 1 ? [t('merchants.simulated_tag')] : []),
      ...(paused_at !== null
        ? [t('merchants.paused')]
        : down_since !== null
          ? [t('merchants.down')]
          : []),
    ];
    return marks.length === 0
      ? name
      : t('merchants.successor_marked', { name, marks: marks.join(t('shell.list_comma')) });
  };
};

/** The effects of disabling the account on the stations and parcels that use it. */
const Consequences = ({ account, items }: AccountUses) => {
  const { t } = useTexts();
  const format = useFormat();
  const of = (wanted: UsedBy) => items.find(({ what }) => what === wanted);
  const counted = (use: Usage['items'][number] | undefined): string =>
    format.number(use?.count ?? 0) + (use?.more === 1 ? '+' : '');
  const [stations, drafts, failed] = [of('stations'), of('drafts'), of('failed_parcels')];
  const names = stations?.names ?? [];
  return (
    <Notice tone="warn">
      {account.is_default === 1 && <p>{t('merchants.disable_default')}</p>}
      {stations && (
        <p>
          {t('merchants.disable_stations', {
            count: format.number(stations.count),
            names: names.join(t('shell.list_comma')) + (stations.count > names.length ? ' …' : ''),
          })}
        </p>
      )}
      {stations && <p>{t('merchants.disable_kept')}</p>}
      <p>{t('merchants.disable_parcels')}</p>
      {(drafts || failed) && (
        <p>{t('merchants.disable_chosen', { drafts: counted(drafts), failed: counted(failed) })}</p>
      )}
    </Notice>
  );
};

/**
 * Shows the minimum insured value before and after. If they differ, shows a warning, because the
 * prices then change too.
 */
const GuaranteeChange = ({ before, after }: { before: number; after: number }) => {
  const { t } = useTexts();
  const words = t('merchants.guarantee_change', {
    before: `¥${formatYuan(before)}`,
    after: `¥${formatYuan(after)}`,
  });
  return before === after ? (
    <p>{words}</p>
  ) : (
    <Notice tone="warn">
      <p>{words}</p>
      <p>{t('merchants.guarantee_differs')}</p>
    </Notice>
  );
};

/** Disables an account in use. In the same step, its stations get a replacement account. */
export const DisableDialog = ({
  replaced: { id, name, uses },
  onClose,
}: {
  replaced: Replaced<AccountUses>;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const marked = useMarked();
  const [successor, setSuccessor] = useState<number | null>(null);
  const { provider, guarantee, simulated } = uses.account;
  const { data, error, refetch } = useCall(
    listMerchants,
    { provider, status: 1, sort: 'name', page_size: mostPageSize },
    { quiet: true, staleTime: 0 },
  );
  const others = (data?.items ?? []).filter((merchant) => merchant.id !== id);
  const chosen = others.find((merchant) => merchant.id === successor);
  const problem = (): string | undefined => {
    if (!chosen) return t('common.required');
    return chosen.simulated === simulated
      ? undefined
      : errorText('successor_simulated', {}, language);
  };
  const sending = useSubmit({
    fields: ['successor_id'],
    send: async () => {
      await call(setMerchantStatus, { id, status: 0, successor_id: successor! });
      return t('merchants.disabled_done', { name, successor: chosen?.name ?? '' });
    },
    refreshes: merchantViews,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      danger
      title={t('lists.disable_title', { name })}
      ok={t('lists.replace_and_disable')}
      blocked={data !== undefined && others.length === 0}
      sending={sending}
      check={() => ({ successor_id: problem() })}
      onClose={onClose}
    >
      <Consequences {...uses} />
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      <SuccessorField
        label={t('merchants.successor')}
        none={t('merchants.no_successor')}
        options={
          data && others.map((merchant) => ({ value: merchant.id, label: marked(merchant) }))
        }
        value={successor}
        onChange={setSuccessor}
        sending={sending}
      />
      {chosen && <GuaranteeChange before={guarantee} after={chosen.guarantee} />}
    </SubmitDialog>
  );
};
