import pg from 'pg';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';
import { startApi } from './api.ts';
import type { Api } from './api.ts';
import { openBare } from './bare.ts';
import type { Bare } from './bare.ts';

/** The product with one network. It includes a plain database connection for comparison. */
export interface Side {
  api: Api;
  bare: Bare;
  owner: pg.Client;
  config: OwnerConnection;
  parcels: number;
}

export const openSide = async (checkout: string, config: OwnerConnection): Promise<Side> => {
  const owner = new pg.Client(config);
  await owner.connect();
  const api = await startApi(checkout, config);
  // The number of parcels is read after the start of the product, because the start migrates the
  // database.
  const { rows } = await owner.query<{ parcels: number }>(
    `select greatest(reltuples, 0)::integer as parcels from pg_class where oid = 'expresses'::regclass`,
  );
  return { api, bare: await openBare(config), owner, config, parcels: rows[0]!.parcels };
};

export const closeSide = async ({ api, bare, owner }: Side): Promise<void> => {
  await bare.client.end();
  await api.stop();
  await owner.end();
};
