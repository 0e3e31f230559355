import { offeredProviders } from '@waystation/contract/network/provider.ts';
import type { ImportValues } from '@waystation/contract/imports/import.ts';
import { maxWeight } from '#domain/express/express-reads.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { ImportReferences } from './row-checks.ts';
import type { ProductNames } from './product-names.ts';

const goodsOf = async (
  work: Work,
): Promise<RowOf<'cargos', 'name' | 'type' | 'banned' | 'banned_reason'>[]> => {
  const { rows } = await sql<
    RowOf<'cargos', 'name' | 'type' | 'banned' | 'banned_reason'>
  >`select distinct on (name) name,
    type, banned, banned_reason
    from cargos where status = 1 order by name, banned,
      array_position(${[...offeredProviders]}::text[], provider)`.execute(work.tx);
  return rows;
};

/** Goods that every station may send. */
export const goodsOffered = async (work: Work): Promise<{ name: string }[]> =>
  (await goodsOf(work)).filter(({ banned }) => banned === 0);

/**
 * Delivery times that at least one station can order: the delivery time is enabled and belongs to
 * an enabled freight scheme.
 */
export const promisesOffered = async (work: Work): Promise<ProductNames[]> => {
  const { rows } = await sql<ProductNames>`select provider, promise_id, promise_name,
    promise_name_en from promises p where status = 1 and exists (
      select 1 from project_vouchers b join projects s on s.id = b.project_id and s.status = 1
        where (b.provider, b.promise_id) = (p.provider, p.promise_id))
    order by sort, id`.execute(work.tx);
  return rows;
};

/**
 * The goods, delivery times and limits for checking a station's rows, and the station's own
 * address, which is the default sender. Needs the system scope.
 */
export const referencesOf = async (
  work: Work,
  station_id: number,
): Promise<{ references: ImportReferences; sender: ImportValues }> => {
  const station = await work.tx
    .selectFrom('stations')
    .select([
      'project_id',
      'allow_select',
      'sender_name',
      'sender_phone',
      'province',
      'city',
      'county',
      'address',
    ])
    .where('id', '=', station_id)
    .executeTakeFirstOrThrow();
  const goods = await goodsOf(work);
  const { rows: promises } = await sql<ProductNames>`
    select p.provider, p.promise_id, p.promise_name, p.promise_name_en from project_vouchers b
      join promises p on (p.provider, p.promise_id) = (b.provider, b.promise_id)
    where b.project_id = ${station.project_id} and p.status = 1
      order by p.sort, p.id`.execute(work.tx);
  return {
    references: {
      goods,
      promises,
      allow_select: station.allow_select,
      max_weight: await maxWeight(work),
    },
    sender: {
      sender_name: station.sender_name,
      sender_phone: station.sender_phone,
      sender_province: station.province,
      sender_city: station.city,
      sender_county: station.county,
      sender_address: station.address,
    },
  };
};
