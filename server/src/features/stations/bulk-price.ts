import { stationPrice } from '@waystation/contract/bulk.schema.ts';
import type { App } from '#app.ts';
import type { BulkAction, BulkValues } from '#domain/user-jobs/user-jobs.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import { editInTx } from './changes.ts';

type Priced = RowOf<'stations', 'id' | 'project_id' | 'discount' | 'northeast_discount'> & { project_name: string | null };

const pricedStations = async (tx: Tx, actor: Actor, ids: readonly number[]): Promise<Priced[]> => {
  const { rows } =
    await sql<Priced>`select s.id, s.project_id, s.discount, s.northeast_discount, p.name as project_name from stations s left join projects p on p.id = s.project_id
    where s.id = any(${ids}::bigint[]) and ${scopeCondition(scopeOf(actor), 's.id')} order by s.name, s.id`.execute(tx);
  return rows;
};

const fieldsOf = (values: BulkValues) => {
  const { data } = stationPrice.safeParse(values);
  return data ?? failFields({ values: { code: 'invalid' } });
};

/** Gives many stations a scheme or discounts: each by the rules, with the rights and with the audit entry of its own edit. */
export const bulkPrice: BulkAction<App> = {
  checkValues: (values) => void fieldsOf(values),
  run: async (app, tx, actor, id, { reason, values }, origin) => {
    const fields = fieldsOf(values);
    const [row] = await pricedStations(tx, actor, [id]);
    if (row && Object.entries(fields).every(([name, value]) => row[name as keyof typeof fields] === value)) fail('already_priced');
    return editInTx(app, tx, actor, { id, ...fields, ...(reason !== '' && { reason }) }, origin);
  },
  skips: ['already_priced'],
  showValues: async (tx, actor, ids, values) => {
    const rows = await pricedStations(tx, actor, ids);
    const scheme = values['project_id'] ?? null;
    const named = scheme === null ? undefined : await tx.selectFrom('projects').select('name').where('id', '=', scheme).executeTakeFirst();
    return {
      before: new Map(rows.map(({ id, project_name, discount, northeast_discount }) => [id, { project_id: project_name, discount, northeast_discount }])),
      after: { ...values, ...('project_id' in values && { project_id: named?.name ?? null }) },
    };
  },
};
