import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyScopes } from '@waystation/contract/base/key-scopes.ts';
import type { KeyScope } from '@waystation/contract/base/key-scopes.ts';
import { roles } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { hashToken } from '#platform/auth/actor.ts';
import { createApiKey, hintOf } from '#platform/auth/api-key.ts';
import { sql } from '#platform/db/db.ts';
import { expectCells, nameOf, openWorld, rolesInTurn, rolesOf } from '#testing/access.ts';
import { table } from '#testing/access-table.ts';
import type { World } from '#testing/access.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
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
  it('the access table of the tests lists every route', () => {
    expect(routes.map(nameOf).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s requires a login, unless it is public', async (name) => {
    const { status } = await world.ask(null, name, 'own');
    if (rolesOf(name) === 'public') expect([200, 400]).toContain(status);
    else expect(status).toBe(401);
  });

  const cells = names
    .filter((name) => rolesOf(name) !== 'public')
    .flatMap((name) => roles.map((role) => [name, role] as const));
  const isOpen = ([name, role]: readonly [string, Role]): boolean => rolesOf(name).includes(role);
  it.each(cells.filter((cell) => !isOpen(cell)))(
    'the route %s answers the role %s with 403',
    async (name, role) => {
      await expectCells(world, name, role, true);
    },
  );

  it.each(rolesInTurn(cells.filter(isOpen), 0))(
    'the route %s gives the role %s its own rows, and 404 for foreign and missing rows alike',
    async (name, role) => {
      await expectCells(world, name, role, true);
    },
  );
});

describe('every endpoint, scope of a key, role and owner of a row', () => {
  const withKeys = roles.filter((role) => role !== 'super');
  /**
   * Creates a key with these scopes for an account of each role, even if a scope allows that role
   * nothing.
   */
  const keysWith = async (scopes: readonly KeyScope[]): Promise<Record<Role, string>> => {
    const made = withKeys.map(async (role) => {
      const account = { role, name: role === 'user' ? 'clerk' : role };
      const [{ id } = { id: 0 }] = await rowsOf(
        system,
        sql<{ id: number }>`select id from accounts where username = ${account.name}`,
      );
      const key = createApiKey();
      await rowsOf(
        system,
        sql`insert into api_keys (account_id, role, station_id, made_by, made_under, name,
            token_hash, hint, scopes, created_at)
          select id, role, station_id, id, id, 'matrix', ${hashToken(key)}, ${hintOf(key)},
            ${[...scopes]}::text[], now() from accounts where id = ${id}`,
      );
      return [role, key] as const;
    });
    return { super: '', ...Object.fromEntries(await Promise.all(made)) } as Record<Role, string>;
  };
  const opened = routes.filter(({ endpoint }) => endpoint.key !== undefined);

  it('API keys can read, order, cancel, get labels and resend webhooks, and cannot change anything else', () => {
    expect(
      opened
        .filter(({ endpoint }) => endpoint.method !== 'GET')
        .map((route) => `${route.endpoint.key} ${nameOf(route)}`)
        .toSorted(),
    ).toEqual([
      'cancel POST /api/arco/expresses/{id}/cancel',
      'labels POST /api/arco/labels',
      'order POST /api/arco/address/parse',
      'order POST /api/arco/expresses',
      'order POST /api/arco/expresses/quote',
      'order POST /api/arco/expresses/{id}/order',
      'webhooks POST /api/arco/webhooks/{id}/deliveries/{delivery}/replay',
      'webhooks POST /api/arco/webhooks/{id}/replay',
      'webhooks POST /api/arco/webhooks/{id}/test',
    ]);
  });

  it('an API key with every scope gets 403 from each endpoint that no scope opens, whatever its role', async () => {
    const keys = await keysWith(keyScopes);
    const closed = routes.filter(
      ({ endpoint }) => endpoint.key === undefined && endpoint.roles !== 'public',
    );
    expect(closed.length).toBeGreaterThan(150);
    for (const [at, route] of closed.entries()) {
      // The scope is checked before the role, so one role per endpoint is enough. The roles take
      // turns.
      const role = withKeys[at % withKeys.length]!;
      const { method, path } = route.endpoint;
      const { status, data } = await system.call<{ code: string }>(
        keys[role],
        method,
        path.replaceAll(/\{\w+\}/g, '1'),
        method === 'GET' ? undefined : {},
      );
      expect([nameOf(route), role, status, data.code]).toEqual([
        nameOf(route),
        role,
        403,
        'key_forbidden',
      ]);
    }
  });

  it.each(keyScopes)(
    'an API key with only the scope %s may call the endpoints of that scope that its account may call, and gets 403 from all others',
    async (scope) => {
      const keys = await keysWith([scope]);
      const asked = opened.flatMap((route) =>
        withKeys.map((role) => [nameOf(route), role, route.endpoint.key === scope] as const),
      );
      for (const [name, role, isOpen] of rolesInTurn(asked, keyScopes.indexOf(scope))) {
        if (isOpen) {
          await expectCells({ ...world, tokens: keys }, name, role, false);
          continue;
        }
        const { status, data } = await world.ask(keys[role], name, 'own');
        expect([name, role, status, (data as { code: string }).code]).toEqual([
          name,
          role,
          403,
          'key_forbidden',
        ]);
      }
    },
  );
});
