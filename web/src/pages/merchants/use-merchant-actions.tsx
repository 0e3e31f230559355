import {
  getMerchant,
  listMerchants,
  makeDefaultMerchant,
  merchantCalls,
  resumeMerchant,
  testMerchant,
} from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { errorText } from '#base/error-text.ts';
import { listAudit } from '@waystation/contract/shell/audit.ts';
import { call } from '#base/call.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';

/** The endpoints that show a carrier account. */
export const merchantViews = [listMerchants, getMerchant, merchantCalls, listAudit] as const;

/**
 * The actions on a carrier account other than its form. They are the same in the row and in the
 * drawer.
 */
export const useMerchantActions = (edit: (row: Merchant) => void): RowAction<Merchant>[] => {
  const { t, language } = useTexts();
  const test = async ({ id, name }: Merchant): Promise<void> => {
    const key = `test-merchant-${id}`;
    notify.lasting({ key, title: t('merchants.testing', { name }), duration: 0 });
    try {
      const { proof } = await call(testMerchant, { id });
      if (proof?.ok === 1) notify.success(t('merchants.test_ok', { name, ms: proof.ms }));
      else
        notify.failing({
          title: t('merchants.test_failed', { name }),
          description: proof?.reason && errorText(proof.reason.code, proof.reason.params, language),
          duration: 12,
        });
    } catch (error) {
      notify.failure(error);
    } finally {
      notify.drop(key);
      await refresh(...merchantViews);
    }
  };
  const done = async (
    request: Promise<Merchant>,
    words: (row: Merchant) => string,
  ): Promise<void> => {
    try {
      notify.success(words(await request));
    } catch (error) {
      notify.failure(error);
    }
    await refresh(...merchantViews);
  };
  const makeDefault = async ({ id, name, provider, simulated }: Merchant): Promise<void> => {
    let before: Merchant | undefined;
    try {
      before = (await call(listMerchants, { provider, is_default: 1, page_size: 1 })).items[0];
    } catch (error) {
      return notify.failure(error);
    }
    if (simulated === 1 && before?.simulated === 0)
      return notify.warning(errorText('default_simulated', {}, language));
    const content = [
      before && t('merchants.default_before', { name: before.name }),
      t('merchants.default_hint'),
      simulated === 0 && before?.simulated === 1 && t('merchants.default_real'),
    ];
    const agreed = await confirmed({
      title: t('merchants.default_title', { name }),
      content: content.filter(Boolean).map((line, at) => <p key={at}>{line}</p>),
      ok: t('merchants.make_default'),
    });
    if (agreed)
      await done(call(makeDefaultMerchant, { id }), (row) =>
        t('merchants.now_default', { name: row.name }),
      );
  };
  return [
    { key: 'edit', label: t('lists.edit'), run: edit },
    {
      key: 'resume',
      label: t('merchants.resume'),
      visible: ({ paused_at }) => paused_at !== null,
      run: ({ id }) =>
        void done(call(resumeMerchant, { id }), ({ name }) => t('merchants.resumed', { name })),
    },
    { key: 'test', label: t('merchants.test'), run: (row) => void test(row) },
    {
      key: 'default',
      label: t('merchants.make_default'),
      visible: ({ is_default }) => is_default === 0,
      blocked: ({ status }) =>
        status === 0 ? errorText('merchant_not_enabled', {}, language) : null,
      run: (row) => void makeDefault(row),
    },
  ];
};
