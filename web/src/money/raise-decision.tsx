import { useState } from 'react';
import { cancelRaise, confirmRaise, listSettings } from '@waystation/contract/setting-calls.ts';
import { workplace } from '@waystation/contract/workplace.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';

/** A money limit that is about to rise: a second person lets it take effect now, anybody of the office withdraws it. */
export const RaiseDecision = ({ id, name, mine }: { id: number; name: string; mine: boolean }) => {
  const { t } = useTexts();
  const [busy, setBusy] = useState<'confirm' | 'cancel' | null>(null);
  const decide = async (what: 'confirm' | 'cancel'): Promise<void> => {
    setBusy(what);
    try {
      await call(what === 'confirm' ? confirmRaise : cancelRaise, { id });
      notify.success(t(what === 'confirm' ? 'settings.confirmed' : 'settings.cancelled'));
    } catch (error) {
      notify.failure(error);
    } finally {
      setBusy(null);
      await refresh(listSettings, workplace);
    }
  };
  return (
    <>
      {!mine && (
        <Button
          size="small"
          type="primary"
          loading={busy === 'confirm'}
          aria-label={`${t('settings.confirm')}: ${name}`}
          onClick={() => void decide('confirm')}
        >
          {t('settings.confirm')}
        </Button>
      )}
      <Button size="small" loading={busy === 'cancel'} aria-label={`${t('settings.cancel')}: ${name}`} onClick={() => void decide('cancel')}>
        {t('settings.cancel')}
      </Button>
    </>
  );
};
