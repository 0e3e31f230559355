import { useState } from 'react';
import { pushAddressDays } from '@waystation/contract/base/limits.ts';
import {
  endPreviousPushAddress,
  merchantPushAddress,
  replaceMerchantPushAddress,
} from '@waystation/contract/network/merchant.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { confirmed, notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { merchantViews } from './use-merchant-actions.tsx';

interface Shown {
  path: string;
  previous_until: string | null;
}

/**
 * The URL to which the carrier sends its pushes. It is shown only on request, because every view is
 * recorded in the audit log. It can be replaced if others may know its secret.
 */
export const PushAddress = ({ merchant: { id, name } }: { merchant: Merchant }) => {
  const { t } = useTexts();
  const format = useFormat();
  const [shown, setShown] = useState<Shown | null>(null);
  const show = async (address: Promise<Shown>): Promise<void> => {
    try {
      setShown(await address);
      await refresh(...merchantViews);
    } catch (error) {
      notify.failure(error);
    }
  };
  const replace = async (): Promise<void> => {
    const question = {
      title: t('merchants.replace_push_title', { name }),
      content: t('merchants.replace_push_hint', { days: pushAddressDays }),
    };
    if (await confirmed({ ...question, ok: t('merchants.replace_push') }))
      await show(call(replaceMerchantPushAddress, { id }));
  };
  const endPrevious = async (): Promise<void> => {
    if (
      !(await confirmed({
        title: t('merchants.end_push_title'),
        content: t('merchants.end_push_hint'),
        ok: t('merchants.end_push'),
      }))
    )
      return;
    const ended = async (): Promise<Shown> => {
      await call(endPreviousPushAddress, { id });
      notify.success(t('merchants.push_ended'));
      return { path: shown!.path, previous_until: null };
    };
    await show(ended());
  };
  if (!shown)
    return (
      <Button onClick={() => void show(call(merchantPushAddress, { id }))}>
        {t('merchants.show_push_address')}
      </Button>
    );
  return (
    <div className={primitives['stack']}>
      <code>{`${location.origin}${shown.path}`}</code>
      <span>{t('merchants.push_address_hint')}</span>
      {shown.previous_until !== null && (
        <span>{t('merchants.previous_push', { time: format.moment(shown.previous_until) })}</span>
      )}
      <div>
        <Button onClick={() => void replace()}>{t('merchants.replace_push')}</Button>{' '}
        {shown.previous_until !== null && (
          <Button onClick={() => void endPrevious()}>{t('merchants.end_push')}</Button>
        )}
      </div>
    </div>
  );
};
