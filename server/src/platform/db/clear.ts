import pg from 'pg';

/**
 * Empties a database if its demo was interrupted while it was filled, so that it can be filled
 * again. Any other database stays unchanged. Runs as the owner, before the migrations. Returns true
 * if it emptied the database.
 */
export const clearHalfFilled = async (owner: pg.ClientConfig): Promise<boolean> => {
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ there: boolean }>(
      `select to_regclass('public.settings') is not null as there`,
    );
    if (!tables[0]?.there) return false;
    const { rows } = await client.query(
      `select 1 from settings where name = 'demo' and value ->> 'state' = 'filling'`,
    );
    if (rows.length === 0) return false;
    await client.query(
      'begin; drop schema public cascade; drop schema if exists graphile_worker cascade; create schema public; commit',
    );
    return true;
  } finally {
    await client.end().catch(() => {});
  }
};
