import { describe, expect, it } from 'vitest';
import { ApiError, networkError } from '#app/api-error.ts';
import { afterFailure, emptyField, freshState } from './submit.ts';
import { filled } from './texts.ts';

const error = (code: string, status: number, params = {}): ApiError => new ApiError({ status, code, params, message: code });

describe('the login form', () => {
  it('finds the first field that is empty, spaces being no username', () => {
    expect(emptyField({ username: ' ', password: '', otp: '' }, false)).toBe('username');
    expect(emptyField({ username: 'a', password: '', otp: '' }, false)).toBe('password');
    expect(emptyField({ username: 'a', password: ' ', otp: '' }, false)).toBeNull();
    expect(emptyField({ username: 'a', password: 'b', otp: ' ' }, true)).toBe('otp');
  });

  it('asks for the second step without calling that a failure, and calls a wrong code one', () => {
    const asked = afterFailure(freshState(), error('second_factor_required', 400), 0);
    expect(asked).toMatchObject({ asksOtp: true, failure: null, busy: false });
    expect(afterFailure(asked, error('second_factor_required', 400), 0).failure).not.toBeNull();
  });

  it('waits as long as the server says after too many tries', () => {
    expect(afterFailure(freshState(), error('login_throttled', 429, { seconds: 42 }), 1000).waitUntil).toBe(43_000);
    expect(afterFailure(freshState(), new ApiError({ status: 429, code: 'too_many_requests', message: '', retryAfter: 5 }), 0).waitUntil).toBe(5000);
    expect(afterFailure(freshState(), networkError(), 1000).waitUntil).toBe(0);
  });
});

describe('the texts of the login page', () => {
  it('keep what they are not told, so that it is seen', () => {
    expect(filled('{a} and {b}', { a: 1 })).toBe('1 and {b}');
  });
});
