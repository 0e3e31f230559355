import type { Reason } from '@waystation/contract/base/envelope.ts';
import { errorText } from '#base/error-text.ts';
import { countList, getJob } from '@waystation/contract/shell/jobs.ts';
import { ApiError } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { liveStore, onLiveEvents } from '#base/live-events.ts';

/**
 * Milliseconds between two reads of a count. The pause is long if live events report when the count
 * is ready, and short otherwise.
 */
const pauseMs = { withEvents: 15_000, withoutEvents: 1_000 };

const failureOf = ({
  code,
  params = {},
}: Pick<Reason, 'code'> & { params?: Reason['params'] | undefined }): ApiError =>
  new ApiError({ status: 422, code, params, message: errorText(code, params, 'en') });

/** Resolves when the job should be read again, or when the caller has left the list. */
const nextLook = (job: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stops = [
      onLiveEvents('job', ({ job_id }) => job_id === job && done()),
      onLiveEvents('reset', () => done()),
    ];
    const timer = setTimeout(
      () => done(),
      liveStore.getState().mode === 'stream' ? pauseMs.withEvents : pauseMs.withoutEvents,
    );
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      for (const stop of stops) stop();
      resolve();
    };
    signal.addEventListener('abort', done);
  });

/**
 * Counts in the background all rows that match a list's filters. Returns the same answer as the
 * list's counts call, or null if the caller has left the list.
 */
export const exactCount = async (
  list: string,
  filters: object,
  signal: AbortSignal,
): Promise<object | null> => {
  const { job_id } = await call(countList, { list, filters: { ...filters } });
  while (!signal.aborted) {
    const job = await call(getJob, { id: job_id, page_size: 1 });
    if (job.status === 'done') return job.answer;
    if (job.status === 'failed') throw failureOf(job.reason ?? { code: 'internal' });
    await nextLook(job_id, signal);
  }
  return null;
};
