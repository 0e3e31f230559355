import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { exactCount } from './exact-count.ts';

const asked: string[] = [];
let states: object[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    asked.push(`${url.replace(/\?.*/, '')} ${body ?? ''}`.trim());
    const data = url.includes('/jobs/') ? (states.length > 1 ? states.shift() : states[0]) : { job_id: 7 };
    return Response.json({ status: 200, data, message: '' });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a count is asked for once and looked at until it is done', async () => {
  states = [{ status: 'queued' }, { status: 'running' }, { status: 'done', answer: { total: 23_456 } }];
  const counting = exactCount('expresses', { tab: 'signed' }, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await counting).toEqual({ total: 23_456 });
  expect(asked).toEqual(['/api/arco/counts {"list":"expresses","filters":{"tab":"signed"}}', ...Array.from({ length: 3 }, () => '/api/arco/jobs/7')]);
});

it('a count that failed says why', async () => {
  states = [{ status: 'failed', reason: { code: 'days_required', params: { days: 31 } } }];
  await expect(exactCount('expresses', {}, new AbortController().signal)).rejects.toMatchObject({ code: 'days_required', params: { days: 31 } });
});

it('a count whose list was left is looked at no more', async () => {
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
