import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/base/roles.ts';
import {
  answersTo,
  expectCells,
  nameOf,
  openWorld,
  rolesOf,
  strangersLife,
} from '#testing/access.ts';
import { table } from '#testing/access-table.ts';
import type { World } from '#testing/access.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { routes } from './routes.ts';

let system: TestSystem;
let world: World;
beforeAll(async () => {
  system = await openTestSystem();
  world = await openWorld(system);
});
afterAll(() => system.close());

const names = Object.keys(table);

describe('every endpoint, role and owner of a row', () => {
  it('every route has a row in the access table', () => {
    expect(routes.map(nameOf).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s requires a login, unless it is public', async (name) => {
    const { status } = await world.ask(null, name, 'own');
    if (rolesOf(name) === 'public') expect([200, 400]).toContain(status);
    else expect(status).toBe(401);
  });

  const cells = names.flatMap((name) => roles.map((role) => [name, role] as const));
  it.each(cells)(
    '%s gives %s its own rows, 403 without the endpoint, and 404 for foreign and missing rows alike',
    async (name, role) => {
      await expectCells(world, name, role, true);
    },
  );
});

describe('the responses to one station', () => {
  it('responses to one station stay the same byte for byte while another station’s data changes', async () => {
    const before = await answersTo(system, world);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(40);
    await strangersLife(system, world);
    expect(await answersTo(system, world)).toEqual(before);
  });
});
