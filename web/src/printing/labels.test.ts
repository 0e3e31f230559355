import { expect, test } from 'vitest';
import { ApiError } from '#base/api-error.ts';
import { failuresOf } from './labels.ts';

test('if the error of a print contains a reason for each parcel, the reasons are listed; for any other error the list is empty', () => {
  const failures = [{ id: 7, reason: { code: 'not_printable', params: { state: '已签收' } } }];
  const facts = { status: 422, code: 'not_printable', message: '' };
  expect(
    failuresOf(
      new ApiError({ ...facts, body: { status: 422, data: { code: 'not_printable', failures } } }),
    ),
  ).toEqual(failures);
  for (const error of [
    new ApiError(facts),
    new ApiError({ ...facts, body: 'x' }),
    new Error('x'),
    null,
  ])
    expect(failuresOf(error)).toEqual([]);
});
