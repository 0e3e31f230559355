import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import {
  answersTo,
  expectCells,
  openWorld,
  rolesInTurn,
  scopedCells,
  strangersLife,
} from '#testing/access.ts';
import type { World } from '#testing/access.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let world: World;
beforeAll(async () => {
  // The connections belong to the owner of the database, to whom row-level security does not apply.
  system = await openTestSystem({ role: 'owner' });
  world = await openWorld(system);
});
afterAll(() => system.close());

describe('the scope layer alone, without row-level security', () => {
  it('the database of the scope-layer tests has row-level security switched off', async () => {
    const everyone = await system.app.db.tx(
      { kind: 'stations', stations: [], account: null },
      async (work) => (await sql`select id from stations`.execute(work.tx)).rows,
    );
    expect(everyone.length).toBe((await rowsOf(system, sql`select id from stations`)).length);
  });

  it.each(rolesInTurn(scopedCells(), 2))(
    'without row-level security the endpoint %s gives the role %s no row of others',
    async (name, role) => {
      await expectCells(world, name, role, false);
    },
  );

  it('with only the scope layer, events at one station do not change a single byte of the responses to another station', async () => {
    // Only the scope layer limits these responses. Tests with row-level security could not show
    // that the scope layer works.
    const before = await answersTo(system, world);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(40);
    await strangersLife(system, world);
    expect(await answersTo(system, world)).toEqual(before);
  });
});
