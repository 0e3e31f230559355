import { useState } from 'react';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { secondFactor } from '@waystation/contract/people/profile.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

export interface Proved {
  send: (proof: { password: string; otp?: string }) => Promise<void>;
  /** The lists to read again after success. */
  refreshes: readonly Endpoint[];
  /** Fields that show their own error, in addition to password and code. */
  fields: readonly string[];
}

/** The state of password and code in a form, and the function that sends the form. */
export const useProved = ({ send, refreshes, fields }: Proved) => {
  const { t } = useTexts();
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const { data: factor } = useCall(secondFactor, {}, { quiet: true, staleTime: 0 });
  const withCode = factor?.on === 1;
  const sending = useSubmit({
    send: async () => {
      await send({ password, ...(otp.trim() !== '' && { otp: otp.trim() }) });
      return null;
    },
    refreshes,
    fields: [...fields, 'password', 'otp'],
  });
  return {
    sending,
    missing: {
      password: password === '' ? t('common.required') : undefined,
      otp: withCode && otp.trim() === '' ? t('common.required') : undefined,
    },
    proof: {
      withCode,
      errors: sending.errors,
      password,
      otp,
      setPassword: (value: string) => {
        setPassword(value);
        sending.clearErrors('password');
      },
      setOtp: (value: string) => {
        setOtp(value);
        sending.clearErrors('otp');
      },
    },
  };
};
