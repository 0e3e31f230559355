import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';

export interface StationTerms {
  parent_id?: number | null;
  fixed_freeze?: number;
  has_amount?: 0 | 1;
}

let stations = 0;

/**
 * Adds a station without money. Station names are unique within a test file, and their alphabetical
 * order is the order of creation.
 */
export const addStation = (
  db: Db,
  { parent_id = null, fixed_freeze = 0, has_amount = 1 }: StationTerms = {},
): Promise<number> =>
  db.tx(systemScope('test station'), async (work) => {
    const { rows } = await sql<{ id: number }>`insert into stations (name, parent_id,
      fixed_freeze, has_amount)
      values (${`测试网点 ${String(++stations).padStart(6, '0')}`}, ${parent_id}, ${fixed_freeze},
        ${has_amount})
        returning id`.execute(work.tx);
    return rows[0]!.id;
  });

let accounts = 0;

/** Adds an account with an invalid password hash. Nobody can log in to it. */
export const addAccount = (
  db: Db,
  role: string,
  station_id: number | null = null,
): Promise<number> =>
  db.tx(systemScope('test account'), async (work) => {
    const { rows } = await sql<{ id: number }>`insert into accounts (username, role,
      station_id, password_hash)
      values (${`${role}${++accounts}`}, ${role}, ${station_id}, '')
        returning id`.execute(work.tx);
    return rows[0]!.id;
  });
