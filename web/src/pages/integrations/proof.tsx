import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { PasswordField } from '#ui/fields/password-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';

interface Props {
  withCode: boolean;
  errors: Readonly<Record<string, string | undefined>>;
  password: string;
  otp: string;
  setPassword: (password: string) => void;
  setOtp: (otp: string) => void;
}

/**
 * Asks for the user's password, and for a verification code if the user has two-factor
 * authentication. A stolen session alone must not be enough.
 */
export const Proof = ({ withCode, errors, password, otp, setPassword, setOtp }: Props) => {
  const { t } = useTexts();
  const { username } = useUser();
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        name="password"
        kind="current-password"
        label={t('people.current')}
        words={{ show: t('people.show'), hide: t('people.hide') }}
        required
        value={password}
        error={errors['password']}
        onChange={setPassword}
      />
      {(withCode || errors['otp'] !== undefined) && (
        <TextField
          name="otp"
          label={t('people.otp_or_code')}
          required
          value={otp}
          error={errors['otp']}
          onChange={setOtp}
        />
      )}
    </>
  );
};
