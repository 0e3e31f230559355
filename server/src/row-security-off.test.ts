import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/roles.ts';
import { sql } from '#platform/db/db.ts';
import { answersTo, expectCells, openWorld, strangersLife } from '#testing/access.ts';
import { table } from '#testing/access-table.ts';
import type { World } from '#testing/access.ts';
import { openScene, rowsOf } from '#testing/scene.ts';
import type { Scene } from '#testing/scene.ts';

let scene: Scene;
let world: World;
beforeAll(async () => {
  // The role that this file works as is bound by no row-level security.
  scene = await openScene({}, {}, 'owner');
  world = await openWorld(scene);
});
afterAll(() => scene.close());

describe('the scope layer alone, without row-level security', () => {
  it('is what this database has left', async () => {
    const everyone = await scene.app.db.tx(
      { kind: 'stations', stations: [], account: null },
      async (tx) => (await sql`select id from stations`.execute(tx)).rows,
    );
    expect(everyone.length).toBe((await rowsOf(scene, sql`select id from stations`)).length);
  });

  it.each(Object.keys(table).flatMap((name) => roles.map((role) => [name, role] as const)))('%s gives %s nothing that is not its own', async (name, role) => {
    await expectCells(world, name, role, false);
  });

  it('keeps what one station is answered as it is, whatever happens at a stranger’s', async () => {
    const before = await answersTo(scene, world);
    await strangersLife(scene, world);
    expect(await answersTo(scene, world)).toEqual(before);
  });
});
