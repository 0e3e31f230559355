import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { workplace } from '@waystation/contract/shell/workplace.ts';
import { sql } from '#platform/db/db.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 100_000);
});
afterAll(() => system.close());

it('the available balance of the wallet on the Workplace is balance minus held money minus reserve, for station and clerk', async () => {
  const { id } = system.station('nanshan');
  await rowsOf(system, sql`update stations set fixed_freeze = 12345 where id = ${id}`);
  for (const name of ['station', 'clerk']) {
    const { data } = await system.call<OutputOf<typeof workplace>>(
      await system.login(name),
      'GET',
      '/api/arco/workplace',
    );
    const { money, freeze, fixed_freeze, available } = data.station!;
    expect([money, fixed_freeze]).toEqual([100_000, 12_345]);
    expect(money - freeze - fixed_freeze).toBe(available);
  }
});
