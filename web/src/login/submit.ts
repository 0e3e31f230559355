import { login } from '@waystation/contract/people/session.ts';
import { ApiError } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { local } from '#base/storage.ts';
import { dropToken } from '#base/token.ts';

export const loginFields = ['username', 'password', 'otp'] as const;
export type LoginField = (typeof loginFields)[number];
export type LoginValues = Record<LoginField, string>;

const usernameKey = 'waystation-username';
export const rememberedUsername = (): string => local.read(usernameKey) ?? '';

/** The names of the required fields that are empty, in the order of the form (requirements §5). */
export const emptyFields = (values: LoginValues, asksOtp: boolean): LoginField[] => {
  const empty: Record<LoginField, boolean> = {
    username: values.username.trim() === '',
    password: values.password === '',
    otp: asksOtp && values.otp.trim() === '',
  };
  return loginFields.filter((name) => empty[name]);
};

/** The state of the login form. */
export interface LoginState {
  busy: boolean;
  asksOtp: boolean;
  /** The last failure; null if there is none. */
  failure: unknown;
  /** The time, in milliseconds since 1970, before which the server accepts no further attempt. */
  waitUntil: number;
}

export const freshState = (): LoginState => ({
  busy: false,
  asksOtp: false,
  failure: null,
  waitUntil: 0,
});

const secondsOf = (error: ApiError): number =>
  Number(error.params['seconds'] ?? error.retryAfter ?? 0);

/**
 * The login state after a failed attempt. The server's first request for a verification code is not
 * shown as a failure.
 */
export const afterFailure = (state: LoginState, error: unknown, now: number): LoginState => {
  const needsOtp = error instanceof ApiError && error.code === 'second_factor_required';
  return {
    busy: false,
    asksOtp: state.asksOtp || needsOtp,
    failure: needsOtp && !state.asksOtp ? null : error,
    waitUntil:
      error instanceof ApiError && error.status === 429 ? now + secondsOf(error) * 1000 : 0,
  };
};

/** Requests the token. After a failure, clears the token and throws the error (requirements §8). */
export const requestToken = async (
  values: LoginValues,
  asksOtp: boolean,
  remember: boolean,
): Promise<string> => {
  const username = values.username.trim();
  try {
    const answer: { access_token?: unknown } | null = await call(login, {
      username,
      password: values.password,
      ...(asksOtp && { otp: values.otp.trim() }),
    });
    const access_token = answer?.access_token;
    // The response may come from a proxy instead of the server.
    if (typeof access_token !== 'string' || access_token === '')
      throw new ApiError({ status: 200, code: 'login_without_token', message: '' });
    if (remember) local.write(usernameKey, username);
    else local.drop(usernameKey);
    return access_token;
  } catch (error) {
    dropToken();
    throw error;
  }
};
