import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { StoredImport } from './store.ts';

export type RememberedMapping = Pick<
  StoredImport,
  'station_id' | 'fingerprint' | 'mapping' | 'defaults'
> & { user_id: number };

/**
 * Remembers the columns of a sheet for the station's next sheet with the same titles. A sheet
 * without titles is not remembered, because it cannot be recognized.
 */
export const rememberMapping = async (
  work: Work,
  { station_id, fingerprint, mapping, defaults, user_id }: RememberedMapping,
): Promise<void> => {
  if (fingerprint === '') return;
  await sql`insert into import_mappings (station_id, fingerprint, mapping, defaults,
    updated_by)
    values (${station_id}, ${fingerprint}, ${jsonText(mapping)}::jsonb,
      ${jsonText(defaults)}::jsonb, ${user_id})
    on conflict (station_id, fingerprint) do update
      set mapping = excluded.mapping, defaults = excluded.defaults,
        updated_by = excluded.updated_by, updated_at = now()`.execute(work.tx);
};

/**
 * The columns that the station confirmed for the first fingerprint in the list that has confirmed
 * columns; undefined if none has.
 */
export const rememberedMapping = async (
  work: Work,
  station_id: number,
  fingerprints: readonly string[],
): Promise<RowOf<'import_mappings', 'fingerprint' | 'mapping' | 'defaults'> | undefined> => {
  const { rows } = await sql<
    RowOf<'import_mappings', 'fingerprint' | 'mapping' | 'defaults'>
  >`select m.fingerprint,
    m.mapping, m.defaults
    from unnest(${fingerprints}::text[]) with ordinality as f (fingerprint, place)
      join import_mappings m on m.station_id = ${station_id} and m.fingerprint = f.fingerprint
    where f.fingerprint <> '' order by f.place limit 1`.execute(work.tx);
  return rows[0];
};
