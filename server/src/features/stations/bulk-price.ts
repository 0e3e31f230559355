import { stationPrice } from '@waystation/contract/shell/bulk.schema.ts';
import type { App } from '#app.ts';
import type { BulkAction, BulkValues } from '#domain/user-jobs/user-jobs.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import { editInTx } from './changes.ts';

type Priced = RowOf<'stations', 'id' | 'project_id' | 'discount' | 'northeast_discount'> & {
  project_name: string | null;
};

const pricedStations = async (work: ReaderWork, ids: readonly number[]): Promise<Priced[]> => {
  const { rows } = await sql<Priced>`select s.id, s.project_id, s.discount, s.northeast_discount,
      p.name as project_name from stations s left join projects p on p.id = s.project_id
    where s.id = any(${ids}::bigint[]) and ${scopeCondition(work, 's.id')}
      order by s.name, s.id`.execute(work.tx);
  return rows;
};

const fieldsOf = (values: BulkValues) => {
  const { data } = stationPrice.safeParse(values);
  return data ?? failFields({ values: { code: 'invalid' } });
};

/**
 * Assigns a scheme or discounts to many stations, each with the rules, rights and audit entry of an
 * ordinary edit of the station.
 */
export const bulkPrice: BulkAction<App> = {
  checkValues: (values) => void fieldsOf(values),
  run: async (app, work, id, { reason, values }) => {
    const fields = fieldsOf(values);
    const [row] = await pricedStations(work, [id]);
    if (
      row &&
      Object.entries(fields).every(([name, value]) => row[name as keyof typeof fields] === value)
    )
      fail('already_priced');
    return editInTx(app, work, { id, ...fields, ...(reason !== '' && { reason }) });
  },
  skips: ['already_priced'],
  showValues: async (work, ids, values) => {
    const rows = await pricedStations(work, ids);
    const scheme = values['project_id'] ?? null;
    const named =
      scheme === null
        ? undefined
        : await work.tx
            .selectFrom('projects')
            .select('name')
            .where('id', '=', scheme)
            .executeTakeFirst();
    return {
      before: new Map(
        rows.map(({ id, project_name, discount, northeast_discount }) => [
          id,
          { project_id: project_name, discount, northeast_discount },
        ]),
      ),
      after: { ...values, ...('project_id' in values && { project_id: named?.name ?? null }) },
    };
  },
};
