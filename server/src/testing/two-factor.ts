import type { SecondFactorStart } from '@waystation/contract/people/profile.ts';
import { codeOf, stepOf } from '#platform/auth/totp.ts';
import type { TestApi } from './test-api.ts';

export const fromBase32 = (text: string): Buffer => {
  const bits = [...text]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
};

/**
 * Sets up two-factor authentication. Returns a function that moves the clock forward by 30 seconds
 * and returns the code for the new time.
 */
export const setUpTwoFactor = async (
  api: TestApi,
  token: string,
  password: string,
): Promise<() => string> => {
  const base = '/api/arco/personal/second-factor';
  const { data } = await api.call<SecondFactorStart>(token, 'POST', `${base}/start`, { password });
  const secret = fromBase32(data.secret);
  const next = (): string => {
    api.clock.advance(30_000);
    return codeOf(secret, stepOf(api.clock.now()));
  };
  const { status } = await api.call(token, 'POST', `${base}/confirm`, { otp: next() });
  if (status !== 200) throw new Error(`the setup was refused: ${status}`);
  return next;
};
