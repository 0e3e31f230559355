import { expect, it } from 'vitest';
import { shownError } from './error-text.ts';

it('the displayed error of a background job has no phone, password, token or key, and keeps its other words', () => {
  for (const [error, shown] of [
    ['connect ECONNREFUSED 10.0.0.1:443', 'connect ECONNREFUSED 10.0.0.1:443'],
    ['the parcel of 张三 13800138000 is refused', 'the parcel of 张三 *** is refused'],
    ['call +86 138-0013-8000 now', 'call *** now'],
    ['postgres://owner:hunter2@db:5432/x failed', 'postgres://owner:***@db:5432/x failed'],
    ['{"access_token":"abc","state":20}', '{"access_token":"***","state":20}'],
    ['Authorization: Bearer abc.def failed', 'Authorization: Bearer *** failed'],
    ['Authorization: Basic dXNlcjpwdw== failed', 'Authorization: Basic *** failed'],
    ['appKey: a1b2c3d4e5f6', 'appKey: ***'],
    ['postgres://app:p@ss/w@db failed', 'postgres://app:***@db failed'],
    ['{"accessToken":"abc def","n":1}', '{"accessToken":"***","n":1}'],
    ['to 138.0013.8000 or 138/0013/8000', 'to *** or ***'],
    ['to １３８００１３８０００', 'to ***'],
    ['sign=0f9a&app_key=xyz', 'sign=***&app_key=***'],
    [`key ${'a1'.repeat(16)} is unknown`, 'key *** is unknown'],
    [
      'relation "reconciliation_rows_of_month" is\n missing',
      'relation "reconciliation_rows_of_month" is missing',
    ],
    ['attempt 12 of 300', 'attempt 12 of 300'],
  ] as const)
    expect(shownError(error)).toBe(shown);
  expect(shownError('x '.repeat(1_000))).toHaveLength(300);
});
