import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRead, nameOf, openWorld, rolesOf } from '#testing/access.ts';
import type { World } from '#testing/access.ts';
import { table } from '#testing/access-table.ts';
import { exampleOrder, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { routes } from './routes.ts';

let system: TestSystem;
let world: World;
beforeAll(async () => {
  system = await openTestSystem();
  world = await openWorld(system);
});
afterAll(() => system.close());

/**
 * The phones of parcels and import rows that the access table creates at stations other than the
 * reader's.
 */
const phones = [exampleOrder()['receive_phone'] as string, '13900139000'];
/** Endpoints that are no GET but return rows, tested in addition to all GET endpoints. */
const answering = [
  'POST /api/arco/imports/{id}/sample',
  'PATCH /api/arco/imports/{id}/rows/{row}',
  'POST /api/arco/imports/{id}/edits',
];
const names = routes.map(nameOf).filter((name) => isRead(name) || answering.includes(name));
const readers = [
  ['admin', 'own'],
  ['admin', 'stranger'],
  ['partner', 'own'],
  ['partner', 'child'],
] as const;

describe('phones of other stations', () => {
  const cells = names.flatMap((name) =>
    readers.map(([role, target]) => [name, role, target] as const),
  );
  it.each(cells)(
    'the endpoint %s shows the role %s no unmasked phone of another station, for a row of the kind “%s”',
    async (name, role, target) => {
      const allowed = rolesOf(name);
      if (
        allowed === 'public' ||
        !allowed.includes(role) ||
        (table[name]!.about === 'nothing' && target !== 'own')
      )
        return;
      const { data } = await world.ask(world.tokens[role], name, target, {
        fresh: !isRead(name),
      });
      const text =
        Buffer.isBuffer(data) || data instanceof Uint8Array
          ? Buffer.from(data).toString('latin1')
          : JSON.stringify(data ?? null);
      expect(phones.filter((phone) => text.includes(phone))).toEqual([]);
    },
  );
});
