import { expect, test } from 'vitest';
import { readFailures } from './labels.ts';

test('parcels that could not be printed are read from the header with their reasons', () => {
  const failures = [{ id: 7, reason: { code: 'not_printable', params: { state: '已签收' } } }];
  expect(readFailures(encodeURIComponent(JSON.stringify(failures)))).toEqual(failures);
});

test('a header that is absent, broken or foreign names no parcel', () => {
  for (const header of [null, '', '%', 'null', '{"id":7}', '[{"id":"7"}]', '[null]']) expect(readFailures(header)).toEqual([]);
});
