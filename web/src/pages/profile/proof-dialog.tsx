import { useState } from 'react';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { PasswordField } from '#ui/fields/password-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './profile.module.css';

interface Proof {
  password: string;
  otp: string;
}

interface Props {
  title: string;
  hint?: string;
  ok: string;
  danger?: boolean;
  /** True if a code of the authenticator app is required too. */
  withCode?: boolean;
  /**
   * Carries out the action. If the server refuses the password or the code, the error is shown at
   * that field.
   */
  onProven: (proof: Proof) => Promise<void>;
  onClose: () => void;
}

/**
 * Asks users for their password before they change how they log in, and also for a verification
 * code if they use two-factor authentication.
 */
export const ProofDialog = ({
  title,
  hint,
  ok,
  danger = false,
  withCode = false,
  onProven,
  onClose,
}: Props) => {
  const { t } = useTexts();
  const { username } = useUser();
  const [proof, setProof] = useState<Proof>({ password: '', otp: '' });
  const { errors, failure, busy, submit } = useSubmit({
    send: async () => {
      await onProven({ password: proof.password, otp: proof.otp.trim() });
      return null;
    },
    fields: withCode ? ['password', 'otp'] : ['password'],
  });
  const check = () => ({
    password: proof.password === '' ? t('common.required') : undefined,
    otp: withCode && proof.otp.trim() === '' ? t('common.required') : undefined,
  });
  return (
    <FormDialog
      open
      title={title}
      ok={ok}
      danger={danger}
      busy={busy}
      failure={failure}
      onSubmit={() => void submit(check())}
      onClose={onClose}
    >
      {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        name="password"
        kind="current-password"
        label={t('people.current')}
        words={{ show: t('people.show'), hide: t('people.hide') }}
        required
        autoFocus
        value={proof.password}
        error={errors['password']}
        onChange={(password) => setProof({ ...proof, password })}
      />
      {withCode && (
        <TextField
          name="otp"
          label={t('people.otp_or_code')}
          required
          value={proof.otp}
          error={errors['otp']}
          onChange={(otp) => setProof({ ...proof, otp })}
        />
      )}
    </FormDialog>
  );
};
