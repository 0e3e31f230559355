import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { exactCount } from './exact-count.ts';

const asked: string[] = [];
let states: object[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    asked.push(`${url.replace(/\?.*/, '')} ${body ?? ''}`.trim());
    const data = url.includes('/jobs/')
      ? states.length > 1
        ? states.shift()
        : states[0]
      : { job_id: 7 };
    return Response.json({ status: 200, data, message: '' });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('an exact count is requested one time and polled until it is done', async () => {
  states = [
    { status: 'queued' },
    { status: 'running' },
    { status: 'done', answer: { total: 23_456 } },
  ];
  const counting = exactCount('expresses', { tab: 'signed' }, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await counting).toEqual({ total: 23_456 });
  expect(asked).toEqual([
    '/api/arco/counts {"list":"expresses","filters":{"tab":"signed"}}',
    ...Array.from({ length: 3 }, () => '/api/arco/jobs/7'),
  ]);
});

it('an exact count that fails returns the reason for the failure', async () => {
  states = [{ status: 'failed', reason: { code: 'days_required', params: { days: 31 } } }];
  await expect(exactCount('expresses', {}, new AbortController().signal)).rejects.toMatchObject({
    code: 'days_required',
    params: { days: 31 },
  });
});

it('an exact count is not polled any more after the user leaves its list', async () => {
  states = [{ status: 'running' }];
  const left = new AbortController();
  const counting = exactCount('expresses', {}, left.signal);
  await vi.advanceTimersByTimeAsync(1_500);
  left.abort();
  expect(await counting).toBeNull();
  const looks = asked.length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(looks);
});
