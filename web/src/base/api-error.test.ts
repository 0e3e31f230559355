import { beforeAll, describe, expect, it, test } from 'vitest';
import { loadEnglishErrors } from './error-text.ts';
import {
  ApiError,
  answerError,
  errorCode,
  errorWords,
  fieldWords,
  isOutage,
  networkError,
  timeoutError,
} from './api-error.ts';

beforeAll(loadEnglishErrors);

const http = { status: 500, request_id: 'r', retryAfter: null };

describe('the words of an error', () => {
  it('an error shows the text of its code in the user’s language, with the parameters of the error', () => {
    const error = answerError(http, {
      status: 429,
      data: { code: 'login_throttled', params: { seconds: 42 }, request_id: 'r' },
      message: '',
    });
    expect(errorWords(error, 'zh')).toBe('尝试次数过多，请 42 秒后再试');
    expect(errorWords(error, 'en')).toBe('Too many attempts; wait 42 s');
  });

  it('an error with a code that the web console does not know shows the text sent by the server', () => {
    expect(
      errorWords(
        answerError(http, { status: 418, data: { code: 'teapot' }, message: '我是茶壶' }),
        'en',
      ),
    ).toBe('我是茶壶');
    expect(
      errorWords(answerError(http, { status: 418, data: null, message: '我是茶壶' }), 'en'),
    ).toBe('我是茶壶');
  });

  it('an error with neither a known code nor a message shows a text with its HTTP status', () => {
    expect(errorWords(answerError({ ...http, status: 502 }, '<html>'), 'en')).toBe(
      'Request failed with status code 502',
    );
    expect(errorWords(answerError({ ...http, status: 502 }, ''), 'zh')).toBe(
      '请求失败，状态码 502',
    );
  });

  it('a network error and a timeout of the web client have the messages of requirements §8', () => {
    expect(networkError().message).toBe('Network Error');
    expect(errorWords(networkError(), 'en')).toContain('Network Error');
    expect(timeoutError(50).message).toContain('timeout');
    expect(errorWords(timeoutError(50), 'en')).toContain('timeout');
  });

  it('an error that does not come from a call shows a general text instead of its own message', () => {
    expect(errorWords(new TypeError('secret'), 'zh')).not.toContain('secret');
  });
});

describe('a refused form', () => {
  it('a refused form shows a text for each refused field', () => {
    const error = new ApiError({
      status: 422,
      code: 'invalid_input',
      message: '',
      fields: { receive_phone: { code: 'invalid' }, 'cargos.0.name': { code: 'required' } },
    });
    expect(fieldWords(error, 'zh')).toEqual({
      receive_phone: '格式不正确',
      'cargos.0.name': '必填',
    });
    expect(fieldWords(new Error('x'), 'zh')).toEqual({});
  });
});

test('a missing script file of the console is reported with its own text and its own error code', () => {
  const missing = new TypeError('Failed to fetch dynamically imported module: /assets/a.js');
  expect(errorWords(missing, 'zh')).toBe('页面文件已更新或网络不通，请刷新页面');
  expect(errorCode(missing)).toBe('chunk_failed');
  expect(errorWords(new TypeError('x is undefined'), 'zh')).toBe('页面出错，请刷新重试');
});

describe('an outage', () => {
  it('a network error, a timeout and an unavailable server count as an outage, and other errors do not', () => {
    const status = (code: number): ApiError =>
      answerError({ ...http, status: code }, { status: code, data: { code: 'x' }, message: '' });
    expect(
      [networkError(), timeoutError(1), status(503), status(502), status(504)].every(isOutage),
    ).toBe(true);
    expect([status(500), status(401), status(422), new Error('x')].some(isOutage)).toBe(false);
  });
});
