import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/roles.ts';
import { answersTo, expectCells, nameOf, openWorld, rolesOf, strangersLife } from '#testing/access.ts';
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

describe('every endpoint × role × whose row it is', () => {
  it('has a row in the table for every route', () => {
    expect(routes.map(nameOf).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s asks for a login, unless it is public', async (name) => {
    const { status } = await world.ask(null, name, 'own');
    if (rolesOf(name) === 'public') expect([200, 400]).toContain(status);
    else expect(status).toBe(401);
  });

  const cells = names.flatMap((name) => roles.map((role) => [name, role] as const));
  it.each(cells)('%s gives %s its own, 403 without the endpoint, and 404 for what is not its own as for what is not there', async (name, role) => {
    await expectCells(world, name, role, true);
  });
});

describe('the responses to one station', () => {
  it('does not change by a byte with whatever happens at a stranger’s', async () => {
    const before = await answersTo(system, world);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(40);
    await strangersLife(system, world);
    expect(await answersTo(system, world)).toEqual(before);
  });
});
