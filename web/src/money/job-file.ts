import { getJob, getJobFile } from '@waystation/contract/shell/jobs.ts';
import { ApiError, isOutage } from '#base/api-error.ts';
import { call, callFile } from '#base/call.ts';
import type { CalledFile } from '#base/call.ts';

const readEveryMs = 500;
/**
 * The maximum number of times that the job is read. If the file is ready later, the user finds it
 * in the list of jobs.
 */
const mostReads = 600;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, readEveryMs));

const read = async (id: number): Promise<CalledFile | null> => {
  const { status, reason } = await call(getJob, { id });
  if (status === 'failed')
    throw new ApiError({
      status: 409,
      code: reason?.code ?? 'internal',
      params: reason?.params ?? {},
      message: '',
    });
  return status === 'done' ? callFile(getJobFile, { id }) : null;
};

/**
 * Waits for the file of a job. If a read fails, continues to wait, because the job continues on the
 * server. Returns null if the wait is too long or the user has left the page. Throws the job's
 * reason if the job fails.
 */
export const jobFile = async (
  id: number,
  isLeft: () => boolean,
  { readOnce = read, wait = pause } = {},
): Promise<CalledFile | null> => {
  for (let reads = 0; reads < mostReads && !isLeft(); reads += 1) {
    try {
      const file = await readOnce(id);
      if (file !== null) return isLeft() ? null : file;
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    await wait();
  }
  return null;
};
