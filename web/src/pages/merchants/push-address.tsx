import { useState } from 'react';
import { merchantPushAddress } from '@waystation/contract/merchant.ts';
import { call } from '#base/call.ts';
import { errorWords } from '#base/api-error.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';

/** The address the carrier pushes to; shown only on request, because every view is audited. */
export const PushAddress = ({ id }: { id: number }) => {
  const { t, language } = useTexts();
  const [shown, setShown] = useState<{ text: string; hint: string | null } | null>(null);
  if (shown)
    return (
      <>
        <code>{shown.text}</code>
        {shown.hint !== null && <div>{shown.hint}</div>}
      </>
    );
  const show = async (): Promise<void> => {
    try {
      const { path } = await call(merchantPushAddress, { id });
      setShown({ text: `${location.origin}${path}`, hint: t('merchants.push_address_hint') });
    } catch (error) {
      setShown({ text: errorWords(error, language), hint: null });
    }
  };
  return <Button onClick={() => void show()}>{t('merchants.show_push_address')}</Button>;
};
