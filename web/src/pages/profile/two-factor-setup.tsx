import { useState } from 'react';
import { confirmSecondFactor, startSecondFactor } from '@waystation/contract/people/profile.ts';
import type { SecondFactorStart } from '@waystation/contract/people/profile.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { ScanDialog } from './scan-dialog.tsx';

interface Props {
  /** Called with the recovery codes, which are shown only this once. */
  onEnabled: (codes: readonly string[]) => void;
  onClose: () => void;
}

/** The dialogs that set two-factor authentication up: password, then the first code of the app. */
export const TwoFactorSetup = ({ onEnabled, onClose }: Props) => {
  const { t } = useTexts();
  const [start, setStart] = useState<SecondFactorStart | null>(null);
  if (start === null)
    return (
      <ProofDialog
        title={t('people.prove_title')}
        ok={t('people.next')}
        onProven={async ({ password }) => setStart(await call(startSecondFactor, { password }))}
        onClose={onClose}
      />
    );
  return (
    <ScanDialog
      start={start}
      onCode={async (otp) => {
        const { recovery_codes } = await call(confirmSecondFactor, { otp });
        notify.success(t('people.step_enabled'));
        onEnabled(recovery_codes);
      }}
      onClose={onClose}
    />
  );
};
