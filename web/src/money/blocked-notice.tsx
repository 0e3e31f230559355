import { useState } from 'react';
import { office } from '@waystation/contract/base/roles.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { Notice } from '#ui/notice.tsx';

/**
 * The code of the dialog is loaded only when the dialog is opened, because the notice itself is
 * part of every order form.
 */
const UnblockDialog = lazyComponent(
  async () => (await import('./money-dialogs.tsx')).UnblockDialog,
);

/**
 * The notice for a station whose ledger check failed. It lists the actions that are suspended and
 * those that are still possible.
 */
export const BlockedNotice = ({ station }: { station: { id: number; name: string } }) => {
  const { t } = useTexts();
  const { role } = useUser();
  const [asking, setAsking] = useState(false);
  const decides = office.includes(role);
  return (
    <>
      <Notice
        tone="danger"
        actions={
          decides && (
            <>
              <Button size="small" onClick={() => openScreen('Workplace')}>
                {t('statements.see_proof')}
              </Button>
              <Button size="small" type="primary" onClick={() => setAsking(true)}>
                {t('statements.unblock')}
              </Button>
            </>
          )
        }
      >
        {t(decides ? 'statements.blocked_office' : 'statements.blocked', { station: station.name })}
      </Notice>
      {asking && <UnblockDialog station={station} onClose={() => setAsking(false)} />}
    </>
  );
};
