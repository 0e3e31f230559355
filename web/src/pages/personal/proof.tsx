import { useState } from 'react';
import { secondFactor } from '@waystation/contract/people/profile.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { PasswordField } from '#ui/fields/password-field.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { usePersonalWords } from './words.ts';

/**
 * The user's own password, and also a verification code if the user has two-factor authentication.
 */
export const useProof = () => {
  const { t } = useTexts();
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const { data: factor } = useCall(secondFactor, {}, { quiet: true, staleTime: 0 });
  const withCode = factor?.on === 1;
  return {
    password,
    setPassword,
    otp,
    setOtp,
    withCode,
    input: { password, ...(otp.trim() !== '' && { otp: otp.trim() }) },
    problems: () => ({
      password: password === '' ? t('common.required') : undefined,
      otp: withCode && otp.trim() === '' ? t('common.required') : undefined,
    }),
  };
};

export const ProofFields = ({
  proof,
  errors,
}: {
  proof: ReturnType<typeof useProof>;
  errors: Readonly<Record<string, string | undefined>>;
}) => {
  const { t } = useTexts();
  const say = usePersonalWords();
  const { username } = useUser();
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        name="password"
        kind="current-password"
        label={say('password')}
        words={{ show: t('people.show'), hide: t('people.hide') }}
        required
        value={proof.password}
        error={errors['password']}
        onChange={proof.setPassword}
      />
      {proof.withCode && (
        <TextField
          name="otp"
          label={say('otp')}
          required
          value={proof.otp}
          error={errors['otp']}
          onChange={proof.setOtp}
        />
      )}
    </>
  );
};
