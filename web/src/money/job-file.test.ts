import { describe, expect, it } from 'vitest';
import { ApiError, networkError } from '#base/api-error.ts';
import { jobFile } from './job-file.ts';

const file = { blob: new Blob(), name: 'statements-2026-10.zip', result: null };
const wait = (): Promise<void> => Promise.resolve();

describe('the file of a job that runs', () => {
  it('if the network fails during one read of a job’s file, the next read is made, because the job continues on the server', async () => {
    let reads = 0;
    const readOnce = async () => {
      reads += 1;
      if (reads === 1) throw networkError();
      return reads === 3 ? file : null;
    };
    expect(await jobFile(1, () => false, { readOnce, wait })).toBe(file);
  });

  it('waiting for a job’s file throws the job’s reason if the job fails', async () => {
    const readOnce = async () => {
      throw new ApiError({ status: 409, code: 'export_not_allowed', params: {}, message: '' });
    };
    await expect(jobFile(1, () => false, { readOnce, wait })).rejects.toMatchObject({
      code: 'export_not_allowed',
    });
  });

  it('waiting for a job’s file returns null as soon as the user has left the page', async () => {
    let reads = 0;
    const readOnce = async () => {
      reads += 1;
      return reads === 2 ? file : null;
    };
    expect(await jobFile(1, () => reads >= 1, { readOnce, wait })).toBe(null);
    expect(reads).toBe(1);
    // The user leaves while the file is being requested.
    expect(await jobFile(1, () => reads >= 2, { readOnce, wait })).toBe(null);
  });
});
