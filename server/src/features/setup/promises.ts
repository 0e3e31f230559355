import type { ParsedOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { DeliveryPromise } from '@waystation/contract/parcels/promise.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/parcels/promise.schema.ts';
import { provinceOf } from '@waystation/contract/parcels/provinces.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { usesLately } from '#domain/express/express-reads.ts';
import { columnsOf, namesIn, onOff, switches } from '#domain/user-jobs/user-jobs.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork } from '#platform/db/db.ts';
import { columnsOf as namedColumns, getRow, listRows, namedRows } from '#platform/db/rows.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';

const audited: AuditedTable<'promises'> = {
  table: 'promises',
  audited: [
    'promise_id',
    'promise_name',
    'promise_name_en',
    'provider',
    'cutoff_time',
    'sort',
    'status',
  ],
  unique: { promises_code: 'promise_id' },
};
type Row = Omit<
  DeliveryPromise,
  'voucher_count' | 'used_count' | 'average_hours' | 'due_count' | 'on_time_rate'
>;

const lately = (what: Parameters<typeof usesLately>[0]) =>
  usesLately(what, 'p.id', sql`now()`, what === 'due' || what === 'on_time');

/**
 * The columns of a promise (delivery time). `counted` adds its number of uses and its punctuality
 * in the last thirty days, from daily sums.
 */
const own =
  'id promise_id promise_name promise_name_en provider cutoff_time sort status version created_at updated_at';
const counted = namedRows(
  `${own} voucher_count used_count average_hours due_count on_time_rate`,
  sql`(select ${namedColumns('p', own)}, coalesce(v.n, 0) as voucher_count,
    ${lately('promise')} as used_count,
    round(${lately('signed_minutes')} / 60.0 / nullif(${lately('signed')},
      0))::integer as average_hours, ${lately('due')} as due_count,
    round(${lately('on_time')} * 10000.0 / nullif(${lately('due')},
      0))::integer as on_time_rate
  from promises p
  left join (select provider, promise_id, count(*) as n from vouchers where status = 1
    group by provider, promise_id) v
    on v.provider = p.provider and v.promise_id = p.promise_id)`,
);

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listPromises>,
): Promise<Listed<DeliveryPromise>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows(work, counted, {
      conditions: filterConditions(filters, {
        q: (q) => sql<boolean>`strpos(lower(concat_ws(' ', r.promise_id, r.promise_name,
          r.promise_name_en)), lower(${q})) > 0`,
        provider: equal,
        status: equal,
      }),
      paging: filters,
      sortable: [
        'sort',
        'promise_id',
        'promise_name',
        'provider',
        'cutoff_time',
        'voucher_count',
        'used_count',
        'status',
        'created_at',
        'updated_at',
      ],
    }),
  );

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getPromise>,
): Promise<DeliveryPromise> => app.db.tx(callerOf(actor), (work) => getRow(work, counted, id));

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createPromise>,
  request: RequestContext,
): Promise<DeliveryPromise> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { id } = await auditedInsert(work, audited, { values: input });
    return getRow(work, counted, id);
  });

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editPromise>,
  request: RequestContext,
): Promise<DeliveryPromise> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      columns: () => values,
    });
    return getRow(work, counted, id);
  });

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  _app: App,
  work: UserWork,
  { id, status }: ParsedOf<typeof calls.setPromiseStatus>,
): Promise<DeliveryPromise> => {
  await auditedStatus(work, audited, { id, status });
  return getRow(work, counted, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.promiseUsage>,
): Promise<Usage> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { provider, promise_id, used_count } = await getRow<DeliveryPromise>(work, counted, id);
    const vouchers = await work.tx
      .selectFrom('vouchers')
      .select('name')
      .where('provider', '=', provider)
      .where('promise_id', '=', promise_id)
      .where('status', '=', 1)
      .orderBy('name')
      .execute();
    const { rows: projects } = await sql<RowOf<'projects', 'name'>>`select p.name
      from project_vouchers b join projects p on p.id = b.project_id
      where b.provider = ${provider} and b.promise_id = ${promise_id} and p.status = 1
        order by p.name`.execute(work.tx);
    return {
      items: [
        ...named('vouchers', vouchers),
        ...named('projects', projects),
        ...(used_count > 0 ? [{ what: 'parcels' as const, count: used_count }] : []),
      ],
    };
  });

/** One entry of a usage with the first ten names; empty if there is no use. */
const named = (
  what: Usage['items'][number]['what'],
  rows: readonly { name: string }[],
): Usage['items'] =>
  rows.length === 0
    ? []
    : [{ what, count: rows.length, names: rows.slice(0, 10).map(({ name }) => name) }];

const lanesOf = ({ origins }: TemplateContent) =>
  origins.map(({ provinces, zones }) => ({
    from: provinces as string[],
    to: [
      ...new Set(zones.flatMap((zone) => (zone.not_served ? [] : zone.areas.map(provinceOf)))),
    ].toSorted(),
  }));

export const coverage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.promiseCoverage>,
): Promise<OutputOf<typeof calls.promiseCoverage>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { provider, promise_id } = await getRow<Row>(work, sql`promises`, id);
    const { rows } = await sql<
      RowOf<'vouchers', 'id' | 'name'> & { weight: TemplateContent }
    >`select v.id,
      v.name, n.weight from vouchers v
      cross join lateral (select x.weight from voucher_versions x where x.voucher_id = v.id
        and x.valid_from <= ${app.clock.now()}
        order by x.valid_from desc, x.no desc limit 1) n
      where v.provider = ${provider} and v.promise_id = ${promise_id} and v.status = 1
        order by v.name`.execute(work.tx);
    return { vouchers: rows.map(({ id, name, weight }) => ({ id, name, lanes: lanesOf(weight) })) };
  });

export const promises: FeaturePart = {
  routes: [
    route(calls.listPromises, list),
    route(calls.getPromise, get),
    route(calls.createPromise, create),
    route(calls.editPromise, edit),
    route(calls.setPromiseStatus, switchStatus),
    route(calls.promiseUsage, usage),
    route(calls.promiseCoverage, coverage),
  ],
  exports: {
    promises: {
      source: listSource(calls.listPromises, list),
      columns: {
        ...columnsOf('text', 'promise_id promise_name promise_name_en provider cutoff_time'),
        ...columnsOf(
          'number',
          'id sort voucher_count used_count average_hours due_count on_time_rate',
        ),
        ...columnsOf('time', 'created_at updated_at'),
        status: onOff,
      },
    },
  },
  bulk: {
    promises: {
      endpoint: bulkCalls.bulkPromises,
      source: listSource(calls.listPromises, list),
      nameOf: namesIn('promises', 'promise_name'),
      actions: switches(setStatusInTx, 'promises'),
    },
  },
};
