import { sql } from '#platform/db/db.ts';
import { targets } from './access-row.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

// Rows of the access table for API keys.

let made = 0;
/** Creates a clerk of the station. The station's manager may create an API key for this account. */
const account = async (system: TestSystem, station_id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ id: number }>`insert into accounts (username, role, station_id, password_hash)
        values (${`with-key-${++made}`}, 'user', ${station_id}, '') returning id`,
    )
  )[0]!.id;

const apiKey = async (system: TestSystem, station_id: number): Promise<number> => {
  const id = await account(system, station_id);
  const rows = await rowsOf(
    system,
    sql<{ id: number }>`insert into api_keys (account_id, role, station_id, made_by,
        made_under, name, token_hash, hint, scopes, created_at)
      values (${id}, 'user', ${station_id}, ${id}, ${id}, 'shop', sha256(${`key ${id}`}::bytea), 'wsk_0000', '{parcels}',
        ${system.app.clock.now()}) returning id`,
  );
  return rows[0]!.id;
};

const present = targets.filter((target) => target !== 'absent');
/**
 * The targets whose API keys each role may manage. Managers may manage the keys of clerks in their
 * stations. Clerks may manage only their own keys.
 */
const mine: NonNullable<Row['mine']> = {
  super: present,
  admin: present,
  partner: present.filter((target) => target !== 'stranger'),
  station: ['own', 'colleague'],
  user: [],
};

export const keys: Record<string, Row> = {
  'GET /api/arco/keys': { about: 'nothing' },
  'POST /api/arco/keys': {
    about: 'row',
    owned: true,
    mine,
    make: account,
    path: () => '/api/arco/keys',
    body: (id) => ({
      account_id: id,
      name: 'shop',
      scopes: ['parcels', 'order'],
      password: 'waystation-demo',
    }),
  },
  'POST /api/arco/keys/{id}/limit': {
    about: 'row',
    owned: true,
    mine,
    make: apiKey,
    path: (id) => `/api/arco/keys/${id}/limit`,
    body: () => ({ daily_limit: 100_000, password: 'waystation-demo' }),
  },
  'POST /api/arco/keys/{id}/revoke': {
    about: 'row',
    owned: true,
    mine,
    make: apiKey,
    path: (id) => `/api/arco/keys/${id}/revoke`,
    body: () => ({}),
  },
};
