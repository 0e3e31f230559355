import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  for (const weight of [1_000, 2_000, 3_000])
    await api.call(tokens.clerk, 'POST', '/api/arco/expresses', exampleOrder({ draft: 1, weight }));
});
afterAll(() => api.close());

type Asked = { job_id: number; code: string; fields: Record<string, { code: string }> };
type Counted = Job & { answer: Record<string, unknown> | null };

const ask = (token: string, list: string, filters: object = {}) =>
  api.call<Asked>(token, 'POST', '/api/arco/counts', { list, filters });
const jobOf = async (token: string, id: number): Promise<Counted> =>
  (await api.call<Counted>(token, 'GET', `/api/arco/jobs/${id}`)).data;
const count = async (token: string, list: string, filters: object = {}): Promise<Counted> => {
  const { data } = await ask(token, list, filters);
  await api.runJob(data.job_id);
  return jobOf(token, data.job_id);
};
const exactly = async (token: string, path: string): Promise<unknown> =>
  (await api.call(token, 'GET', `/api/arco/${path}`)).data;

describe('a count in the background', () => {
  it('a background count returns the same numbers as the list’s own counts, within the user’s scope', async () => {
    const job = await count(tokens.clerk, 'expresses', {
      insured: '0',
      created_from: '2026-03-01',
      created_to: '2026-03-02',
      page: 7,
      junk: 1,
    });
    expect(job).toMatchObject({
      status: 'done',
      kind: 'count',
      total: 3,
      answer: { total: 3, total_is_capped: 0, sums: { weight: 6_000 } },
    });
    expect(job.answer).toEqual(
      await exactly(
        tokens.clerk,
        'expresses/counts?insured=0&created_from=2026-03-01&created_to=2026-03-02&exact=1',
      ),
    );
    const lines = await count(tokens.station, 'statements', {
      sign: 'in',
      posted_from: '2026-03-01',
    });
    expect(lines.answer).toEqual(
      await exactly(tokens.station, 'statements/counts?sign=in&posted_from=2026-03-01&exact=1'),
    );
  });

  it('a background count is visible only to its user, and is neither in the list of jobs nor in the inbox', async () => {
    const { id } = await count(tokens.station, 'prints');
    expect((await api.call(tokens.clerk, 'GET', `/api/arco/jobs/${id}`)).status).toBe(404);
    expect(
      (await api.call<{ items: Job[] }>(tokens.station, 'GET', '/api/arco/jobs')).data.items,
    ).toEqual([]);
    expect(
      await api.rows(sql`select 1 from inbox_notices where kind = 'job' union all
      select 1 from inbox_entries where kind = 'job'`),
    ).toEqual([]);
  });

  it('a background count is refused if the list has no such count, if a filter is invalid or if the user’s role may not read the list', async () => {
    expect((await ask(tokens.clerk, 'statements')).status).toBe(403);
    expect((await ask(tokens.super, 'sessions')).data.fields['list']?.code).toBe('invalid');
    // This list returns its count with each page, so it has no background count.
    expect((await ask(tokens.super, 'stations')).data.fields['list']?.code).toBe('invalid');
    expect(
      (await ask(tokens.clerk, 'expresses', { tab: 'nowhere' })).data.fields['tab']?.code,
    ).toBe('invalid');
  });

  it('an equal background count is not started twice while it runs, and an account can have at most four', async () => {
    const first = await ask(tokens.super, 'expresses', { insured: 1 });
    expect((await ask(tokens.super, 'expresses', { insured: 1 })).data).toEqual(first.data);
    for (const tab of ['draft', 'failed', 'signed'])
      expect((await ask(tokens.super, 'expresses', { tab })).status).toBe(200);
    const refused = await ask(tokens.super, 'expresses', { tab: 'returned' });
    expect([refused.status, refused.data.code]).toEqual([429, 'too_many_counts']);
    await api.runJob(first.data.job_id);
    expect((await ask(tokens.super, 'expresses', { insured: 1 })).data.job_id).not.toBe(
      first.data.job_id,
    );
  });

  it('a background count fails with the reason if the list refuses its filters', async () => {
    const { data } = await ask(tokens.clerk, 'expresses', { insured: 0 });
    await api.runJob(data.job_id);
    expect((await jobOf(tokens.clerk, data.job_id)).reason).toEqual({
      code: 'days_required',
      params: { days: 31 },
    });
  });
});
