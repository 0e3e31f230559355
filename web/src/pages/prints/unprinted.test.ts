import { expect, it } from 'vitest';
import { unreportedInput } from './unprinted.ts';

it('labels without a result are printed again for the chosen days; if no days are chosen, for the 31 days that the server accepts', () => {
  const place = { q: '', values: { station_id: '4' }, sort: '-created_at', page: 1, size: 20 };
  expect(unreportedInput(place, '2026-03-31')).toEqual({
    station_id: '4',
    result: 'unreported',
    created_from: '2026-03-01',
  });
  const days = { created_from: '2026-03-30', created_to: '2026-03-31' };
  expect(unreportedInput({ ...place, values: days }, '2026-03-31')).toEqual({
    ...days,
    result: 'unreported',
  });
});
