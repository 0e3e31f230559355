import { useState } from 'react';
import {
  endSecondFactor,
  renewRecoveryCodes,
  secondFactor,
} from '@waystation/contract/people/profile.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './profile.module.css';
import { ProofDialog } from './proof-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

/**
 * The open dialog of two-factor authentication: setting up, renewing the codes, or switching off.
 */
type Open =
  | { step: 'start' | 'renew' | 'off' }
  | { step: 'codes'; codes: readonly string[] }
  | null;

const few = 3;

/**
 * The card for two-factor authentication. If it is off, the card explains it; if it is on, the card
 * shows the number of remaining recovery codes.
 */
export const TwoFactor = () => {
  const { t } = useTexts();
  const format = useFormat();
  const [open, setOpen] = useState<Open>(null);
  const { data, error, refetch } = useCall(secondFactor, {}, { quiet: true, staleTime: 0 });
  const close = (): void => setOpen(null);
  const showCodes = (codes: readonly string[]): void => {
    setOpen({ step: 'codes', codes });
    void refresh(secondFactor);
  };
  const dialogs = (
    <>
      {open?.step === 'start' && <TwoFactorSetup onEnabled={showCodes} onClose={close} />}
      {open?.step === 'renew' && (
        <ProofDialog
          title={t('people.renew')}
          hint={t('people.renew_hint')}
          ok={t('people.renew')}
          withCode
          onProven={async (proof) =>
            showCodes((await call(renewRecoveryCodes, proof)).recovery_codes)
          }
          onClose={close}
        />
      )}
      {open?.step === 'off' && (
        <ProofDialog
          title={t('people.off_title')}
          hint={t('people.off_hint')}
          ok={t('people.step_off')}
          danger
          withCode
          onProven={async (proof) => {
            await call(endSecondFactor, proof);
            close();
            notify.success(t('people.step_disabled'));
            await refresh(secondFactor);
          }}
          onClose={close}
        />
      )}
      {open?.step === 'codes' && <RecoveryCodes codes={open.codes} onClose={close} />}
    </>
  );
  return (
    <section className={styles['card']} aria-labelledby="profile-two-factor">
      <h2 id="profile-two-factor">{t('people.second_factor')}</h2>
      <p className={styles['intro']}>{t('people.step_intro')}</p>
      {error && !data ? <ErrorPanel error={error} onRetry={refetch} /> : null}
      {data && (
        <>
          <p className={styles['state']}>
            <span className={styles[data.on === 1 ? 'on' : 'off']}>
              {t(data.on === 1 ? 'people.on' : 'people.off')}
            </span>
            {data.since !== null && (
              <span className={primitives['quiet']}>
                {t('people.step_since', { time: format.time(data.since) })}
              </span>
            )}
            {data.required === 1 && (
              <span className={primitives['quiet']}>{t('people.step_required')}</span>
            )}
            {data.on === 1 && (
              <span className={primitives['quiet']}>
                {t('people.codes_left', { count: data.recovery_codes_left })}
              </span>
            )}
          </p>
          {data.on === 1 && data.recovery_codes_left <= few && (
            <p className={primitives['quiet']}>{t('people.codes_few')}</p>
          )}
          <div className={`${primitives['buttons']} ${styles['buttons']}`}>
            {data.on === 0 ? (
              <Button type="primary" onClick={() => setOpen({ step: 'start' })}>
                {t('people.step_on')}
              </Button>
            ) : (
              <>
                <Button onClick={() => setOpen({ step: 'renew' })}>{t('people.renew')}</Button>
                {data.required === 0 && (
                  <Button danger onClick={() => setOpen({ step: 'off' })}>
                    {t('people.step_off')}
                  </Button>
                )}
              </>
            )}
          </div>
        </>
      )}
      {dialogs}
    </section>
  );
};
