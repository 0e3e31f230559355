import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import type { RequestContext } from './context.ts';
import { limited } from './list-limits.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const caller = { account_id: 1 } as Parameters<ReturnType<typeof limited>>[1];
const request = { signal: new AbortController().signal } as RequestContext;

describe('a count that is made of many statements', () => {
  it.each([{ exact: 1 as const }, { countUpTo: 10_000 }])(
    'a count that consists of many short statements ends at the time limit for exact counts, which starts with the first statement (%j)',
    async (input) => {
      const bounded = { ...app, config: { ...app.config, exactTimeoutMs: 1_000 } };
      let statements = 0;
      const counting = limited<TestApp>((slotted) =>
        slotted.db.tx(systemScope('test'), async (work) => {
          for (;;) {
            await sql`select pg_sleep(0.02)`.execute(work.tx);
            statements += 1;
          }
        }),
      );
      await expect(counting(bounded, caller, input, request)).rejects.toMatchObject({
        code: 'search_too_slow',
      });
      expect(statements).toBeGreaterThan(0);
    },
  );
});
