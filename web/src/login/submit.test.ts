import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadEnglishErrors } from '#base/error-text.ts';
import { ApiError, errorWords, networkError } from '#base/api-error.ts';
import { afterFailure, emptyFields, freshState, requestToken } from './submit.ts';
import { filled } from './texts.ts';

beforeAll(loadEnglishErrors);

const error = (code: string, status: number, params = {}): ApiError =>
  new ApiError({ status, code, params, message: code });

describe('the login form', () => {
  it('the login form reports every empty field, and a username of only spaces counts as empty', () => {
    expect(emptyFields({ username: ' ', password: '', otp: '' }, false)).toEqual([
      'username',
      'password',
    ]);
    expect(emptyFields({ username: '', password: '', otp: ' ' }, true)).toEqual([
      'username',
      'password',
      'otp',
    ]);
    expect(emptyFields({ username: 'a', password: '', otp: '' }, false)).toEqual(['password']);
    expect(emptyFields({ username: 'a', password: ' ', otp: '' }, false)).toEqual([]);
    expect(emptyFields({ username: 'a', password: 'b', otp: ' ' }, true)).toEqual(['otp']);
  });

  it.each([{}, { access_token: '' }, { access_token: null }, null])(
    'a login answer %o without a token is a failure with a text',
    async (data) => {
      vi.stubGlobal('fetch', () =>
        Promise.resolve(Response.json({ status: 200, data, message: 'success' })),
      );
      const failure = await requestToken(
        { username: 'a', password: 'b', otp: '' },
        false,
        false,
      ).catch((caught: unknown) => caught);
      expect(failure).toBeInstanceOf(ApiError);
      expect(errorWords(failure, 'en')).toContain('no access token');
      vi.unstubAllGlobals();
    },
  );

  it('the login form first asks for the verification code without an error; after a wrong code it asks again with an error', () => {
    const waiting = afterFailure(freshState(), error('second_factor_required', 400), 0);
    expect(waiting).toMatchObject({ asksOtp: true, failure: null, busy: false });
    expect(afterFailure(waiting, error('second_factor_required', 400), 0).failure).not.toBeNull();
  });

  it('the login form waits as long as the server demands after too many attempts', () => {
    expect(
      afterFailure(freshState(), error('login_throttled', 429, { seconds: 42 }), 1000).waitUntil,
    ).toBe(43_000);
    expect(
      afterFailure(
        freshState(),
        new ApiError({ status: 429, code: 'too_many_requests', message: '', retryAfter: 5 }),
        0,
      ).waitUntil,
    ).toBe(5000);
    expect(afterFailure(freshState(), networkError(), 1000).waitUntil).toBe(0);
  });
});

describe('the texts of the login page', () => {
  it('a placeholder without a value remains unchanged in an error text', () => {
    expect(filled('{a} and {b}', { a: 1 })).toBe('1 and {b}');
  });
});
