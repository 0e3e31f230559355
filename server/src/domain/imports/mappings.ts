import { jsonText, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { StoredImport } from './store.ts';

export type RememberedMapping = Pick<StoredImport, 'station_id' | 'fingerprint' | 'mapping' | 'defaults'> & { user_id: number };

/** Remembers the columns of a sheet for the station's next one with the same titles; without titles, two sheets cannot be distinguished. */
export const rememberMapping = async (tx: Tx, { station_id, fingerprint, mapping, defaults, user_id }: RememberedMapping): Promise<void> => {
  if (fingerprint === '') return;
  await sql`insert into import_mappings (station_id, fingerprint, mapping, defaults, updated_by)
    values (${station_id}, ${fingerprint}, ${jsonText(mapping)}::jsonb, ${jsonText(defaults)}::jsonb, ${user_id})
    on conflict (station_id, fingerprint) do update
      set mapping = excluded.mapping, defaults = excluded.defaults, updated_by = excluded.updated_by, updated_at = now()`.execute(tx);
};
