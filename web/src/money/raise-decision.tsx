import {
  cancelRaise,
  confirmRaise,
  listSettings,
} from '@waystation/contract/shell/setting-calls.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';

const raiseShown = [listSettings, workplace] as const;

/**
 * The buttons on a planned raise of a money limit or a planned shortening of a retention time. A
 * second person can apply the change immediately; any administrator can withdraw it.
 */
export const RaiseDecision = ({ id, name, mine }: { id: number; name: string; mine: boolean }) => {
  const { t } = useTexts();
  const { busy, run } = useActions<'confirm' | 'cancel'>(raiseShown);
  const decide = (what: 'confirm' | 'cancel') =>
    run(what, async () => {
      await call(what === 'confirm' ? confirmRaise : cancelRaise, { id });
      notify.success(t(what === 'confirm' ? 'settings.confirmed' : 'settings.cancelled'));
    });
  return (
    <>
      {!mine && (
        <Button
          size="small"
          type="primary"
          loading={busy.has('confirm')}
          aria-label={`${t('settings.confirm')}: ${name}`}
          onClick={() => void decide('confirm')}
        >
          {t('settings.confirm')}
        </Button>
      )}
      <Button
        size="small"
        loading={busy.has('cancel')}
        aria-label={`${t('settings.cancel')}: ${name}`}
        onClick={() => void decide('cancel')}
      >
        {t('settings.cancel')}
      </Button>
    </>
  );
};
