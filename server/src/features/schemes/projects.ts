import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { Project, ProjectDetails } from '@waystation/contract/project.ts';
import { calls as bulkCalls } from '@waystation/contract/bulk.schema.ts';
import { calls } from '@waystation/contract/project.schema.ts';
import { percentTypes } from '@waystation/contract/project.ts';
import type { Usage } from '@waystation/contract/usage.ts';
import type { App } from '#app.ts';
import { columnsOf, namesIn, onOff, switches, words } from '#domain/user-jobs/user-jobs.ts';
import type { Resource } from '#domain/user-jobs/user-jobs.ts';
import { changesBetween } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { columnsOf as namedColumns, getRow, listRows, namedRows } from '#platform/db/rows.ts';
import type { NewValues } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { succeed } from './project-stations.ts';

const audited: AuditedTable<'projects'> = { table: 'projects', audited: ['name', 'percent_type', 'status'], unique: { projects_name: 'name' } };

const own = 'id name status percent_type version created_at updated_at';
const counted = namedRows(
  `${own} voucher_count station_count changed_by`,
  sql`(select ${namedColumns('p', own)}, (select count(*) from project_vouchers b where b.project_id = p.id) as voucher_count,
  (select count(*) from stations s where s.project_id = p.id) as station_count,
  (select nullif(l.account_name, '') from audit_log l where l.subject = 'projects' and l.subject_id = p.id order by l.id desc limit 1) as changed_by from projects p)`,
);

export const list = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listProjects>): Promise<Listed<Project>> =>
  app.db.tx(scopeOf(actor), (tx) =>
    listRows(tx, counted, filterConditions(filters, { q: contains('r.name'), percent_type: equal, status: equal }), filters, [
      'name',
      'percent_type',
      'voucher_count',
      'station_count',
      'status',
      'created_at',
      'updated_at',
    ]),
  );

/** A template prices only with a version in force, while it and its delivery time are enabled. */
const matrixOf = async (app: App, tx: Tx, project_id: number): Promise<ProjectDetails['vouchers']> => {
  const { rows } = await sql<ProjectDetails['vouchers'][number]>`select v.id as voucher_id, v.name as voucher_name, b.provider, b.promise_id, p.promise_name,
      (v.status = 1 and p.status = 1 and exists (select 1 from voucher_versions n where n.voucher_id = v.id and n.valid_from <= ${app.clock.now()}))::integer as usable
    from project_vouchers b join vouchers v on v.id = b.voucher_id join promises p on (p.provider, p.promise_id) = (b.provider, b.promise_id)
    where b.project_id = ${project_id} order by p.sort, p.id`.execute(tx);
  return rows;
};

const detailsOf = async (app: App, tx: Tx, id: number): Promise<ProjectDetails> => ({
  ...(await getRow<Project>(tx, counted, id)),
  vouchers: await matrixOf(app, tx, id),
});

export const get = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getProject>): Promise<ProjectDetails> =>
  app.db.tx(scopeOf(actor), (tx) => detailsOf(app, tx, id));

interface Bound {
  id: number;
  name: string;
  provider: string;
  promise_id: string;
  status: 0 | 1;
  published: boolean;
}

/** Templates that may be assigned: enabled ones with a published version, one for each delivery time. Those assigned already (`kept`) may stay. */
const checkedVouchers = async (tx: Tx, ids: readonly number[], kept: readonly number[]): Promise<Bound[]> => {
  const { rows } = await sql<Bound>`select v.id, v.name, v.provider, v.promise_id, v.status,
      exists (select 1 from voucher_versions n where n.voucher_id = v.id) as published
    from vouchers v where v.id = any(${[...ids]}::bigint[]) order by v.id for share of v`.execute(tx);
  if (ids.some((id) => !rows.some((row) => row.id === id))) failFields({ voucher_ids: { code: 'not_found' } });
  const unusable = rows.find(({ id, status, published }) => !kept.includes(id) && (status !== 1 || !published));
  if (unusable) failFields({ voucher_ids: { code: 'voucher_not_usable', params: { name: unusable.name } } });
  const twice = rows.find((row) => rows.some((other) => other.id !== row.id && other.provider === row.provider && other.promise_id === row.promise_id));
  if (twice) failFields({ voucher_ids: { code: 'promise_twice', params: { promise_id: twice.promise_id } } });
  return rows;
};

/** Writes the whole matrix; its templates before and after, ascending by id, as the audit log names them. Of a new scheme (`isNew`) there are none before. */
const bind = async (tx: Tx, project_id: number, ids: readonly number[], isNew: boolean): Promise<Changes> => {
  const { rows: had } = await sql<
    RowOf<'project_vouchers', 'voucher_id'>
  >`select voucher_id from project_vouchers where project_id = ${project_id} order by 1`.execute(tx);
  const before = had.map(({ voucher_id }) => voucher_id);
  const vouchers = await checkedVouchers(tx, ids, before);
  await tx.deleteFrom('project_vouchers').where('project_id', '=', project_id).execute();
  for (const { id, provider, promise_id } of vouchers)
    await tx.insertInto('project_vouchers').values({ project_id, provider, promise_id, voucher_id: id }).execute();
  return changesBetween(isNew ? null : { voucher_ids: before }, { voucher_ids: vouchers.map(({ id }) => id) }, ['voucher_ids']);
};

const insertProject = async (
  app: App,
  tx: Tx,
  actor: Actor,
  request: RequestContext,
  values: NewValues<'projects'>,
  voucher_ids: readonly number[],
  action: 'create' | 'copy',
): Promise<ProjectDetails> => {
  const { id } = await auditedInsert({ tx, actor, request }, audited, { values, action, also: (row) => bind(tx, row.id, voucher_ids, true) });
  return detailsOf(app, tx, id);
};

export const create = (
  app: App,
  actor: Actor,
  { voucher_ids = [], ...values }: ParsedOf<typeof calls.createProject>,
  request: RequestContext,
): Promise<ProjectDetails> => app.db.tx(scopeOf(actor), (tx) => insertProject(app, tx, actor, request, values, voucher_ids, 'create'));

/** A template that has been disabled since stays behind: what is made new is bound by the rules of now. */
export const copy = (app: App, actor: Actor, { id, name }: ParsedOf<typeof calls.copyProject>, request: RequestContext): Promise<ProjectDetails> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const { percent_type, vouchers } = await detailsOf(app, tx, id);
    const bound = vouchers.filter(({ usable }) => usable === 1).map(({ voucher_id }) => voucher_id);
    return insertProject(app, tx, actor, request, { name, percent_type }, bound, 'copy');
  });

export const edit = (
  app: App,
  actor: Actor,
  { id, version, voucher_ids, ...values }: ParsedOf<typeof calls.editProject>,
  request: RequestContext,
): Promise<ProjectDetails> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    await auditedChange({ tx, actor, request }, audited, {
      id,
      version,
      action: 'edit',
      current: () => detailsOf(app, tx, id),
      columns: () => values,
      also: () => (voucher_ids === undefined ? undefined : bind(tx, id, voucher_ids, false)),
    });
    return detailsOf(app, tx, id);
  });

/** In the caller's transaction: the switch of one row, and of each row of many. */
export const setStatusInTx = async (
  app: App,
  tx: Tx,
  actor: Actor,
  { id, status, successor_id }: ParsedOf<typeof calls.setProjectStatus>,
  request: Origin,
): Promise<ProjectDetails> => {
  if (status === 0 && successor_id !== undefined) await succeed(tx, actor, request, { id, successor_id });
  await auditedStatus({ tx, actor, request }, audited, {
    id,
    status,
    // A station whose scheme is disabled could order nothing.
    check: async (before) => {
      if (status === 1 || before.status === 0) return;
      const { station_count } = await getRow<Project>(tx, counted, id);
      if (station_count > 0) fail('project_in_use', { count: station_count });
    },
  });
  return detailsOf(app, tx, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const usage = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.projectUsage>): Promise<Usage> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    await getRow(tx, sql`projects`, id);
    const rows = await tx.selectFrom('stations').select('name').where('project_id', '=', id).orderBy('name').execute();
    return { items: rows.length === 0 ? [] : [{ what: 'stations', count: rows.length, names: rows.slice(0, 10).map(({ name }) => name) }] };
  });

/** Every delivery time with its templates, what may not be bound marked as such. */
export const choices = (app: App, actor: Actor): Promise<OutputOf<typeof calls.projectChoices>> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    type Choices = OutputOf<typeof calls.projectChoices>['promises'];
    const promises = await tx
      .selectFrom('promises')
      .select(['provider', 'promise_id', 'promise_name', 'status'])
      .orderBy('provider')
      .orderBy('sort')
      .orderBy('id')
      .execute();
    const { rows: vouchers } = await sql<Choices[number]['vouchers'][number] & { provider: string; promise_id: string }>`
      select v.id, v.name, v.status, v.provider, v.promise_id, exists (select 1 from voucher_versions n where n.voucher_id = v.id)::integer as published
      from vouchers v order by v.name`.execute(tx);
    return {
      promises: promises.map((promise) => ({
        ...promise,
        vouchers: vouchers.filter((voucher) => voucher.provider === promise.provider && voucher.promise_id === promise.promise_id),
      })),
    };
  });

export const resource: Resource<App> = {
  routes: [
    route(calls.listProjects, list),
    route(calls.projectChoices, choices),
    route(calls.getProject, get),
    route(calls.createProject, create),
    route(calls.editProject, edit),
    route(calls.setProjectStatus, switchStatus),
    route(calls.copyProject, copy),
    route(calls.projectUsage, usage),
  ],
  exportList: {
    source: listSource(calls.listProjects, list),
    columns: {
      ...columnsOf('text', 'name changed_by'),
      ...columnsOf('number', 'id voucher_count station_count'),
      ...columnsOf('time', 'created_at updated_at'),
      percent_type: words('percent_type', percentTypes),
      status: onOff,
    },
  },
  bulkList: {
    endpoint: bulkCalls.bulkProjects,
    source: listSource(calls.listProjects, list),
    nameOf: namesIn('projects', 'name'),
    actions: switches(setStatusInTx, 'projects'),
  },
};
