import { useEffect, useState } from 'react';
import { secondFactor } from '@waystation/contract/people/profile.ts';
import { useCall } from '#base/query.ts';
import { loadUser, logOut } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { RecoveryCodes } from '#pages/profile/recovery-codes.tsx';
import { TwoFactorSetup } from '#pages/profile/two-factor-setup.tsx';
import { Button } from '#ui/button.tsx';
import primitives from '#ui/primitives.module.css';
import { ForcedSheet } from './forced-sheet.tsx';

type Step = 'intro' | 'setup' | { codes: readonly string[] };

/** Makes the user set up two-factor authentication, if the account must have it. */
export const ForcedTwoFactor = () => {
  const { t } = useTexts();
  const [step, setStep] = useState<Step>('intro');
  const { data, refetch } = useCall(secondFactor, {}, { quiet: true, staleTime: 0 });
  const isDone = data?.on === 1 && step === 'intro';
  useEffect(() => {
    // The user has set up two-factor authentication in another window.
    if (isDone) void loadUser();
  }, [isDone]);
  return (
    <ForcedSheet title={t('people.must_step_title')} hint={t('people.must_step_hint')}>
      <div className={primitives['buttons']}>
        <Button type="primary" onClick={() => setStep('setup')}>
          {t('people.step_on')}
        </Button>
        <Button onClick={() => void logOut()}>{t('shell.log_out')}</Button>
      </div>
      {step === 'setup' && (
        <TwoFactorSetup
          onEnabled={(codes) => setStep({ codes })}
          onClose={() => {
            setStep('intro');
            void refetch();
          }}
        />
      )}
      {typeof step === 'object' && (
        <RecoveryCodes codes={step.codes} onClose={() => void loadUser()} />
      )}
    </ForcedSheet>
  );
};
