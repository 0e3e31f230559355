import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Project, ProjectDetails } from '@waystation/contract/network/project.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/network/project.schema.ts';
import { percentTypes } from '@waystation/contract/network/project.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { columnsOf, namesIn, onOff, switches, words } from '#domain/user-jobs/user-jobs.ts';
import { changesBetween } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
import { columnsOf as namedColumns, getRow, listRows, namedRows } from '#platform/db/rows.ts';
import type { NewValues } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { replaceBySuccessor } from './project-stations.ts';

const audited: AuditedTable<'projects'> = {
  table: 'projects',
  audited: ['name', 'percent_type', 'status'],
  unique: { projects_name: 'name' },
};

const own = 'id name status percent_type version created_at updated_at';
const counted = namedRows(
  `${own} voucher_count station_count changed_by`,
  sql`(select ${namedColumns('p', own)}, (select count(*) from project_vouchers b
    where b.project_id = p.id) as voucher_count,
  (select count(*) from stations s where s.project_id = p.id) as station_count,
  (select nullif(l.account_name, '') from audit_log l where l.subject = 'projects'
    and l.subject_id = p.id order by l.id desc limit 1) as changed_by from projects p)`,
);

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listProjects>,
): Promise<Listed<Project>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows(work, counted, {
      conditions: filterConditions(filters, {
        q: contains('r.name'),
        percent_type: equal,
        status: equal,
      }),
      paging: filters,
      sortable: [
        'name',
        'percent_type',
        'voucher_count',
        'station_count',
        'status',
        'created_at',
        'updated_at',
      ],
    }),
  );

/**
 * The templates of a scheme. A template can price only if it has a version in force, and if it and
 * its delivery time are enabled.
 */
const matrixOf = async (
  app: App,
  work: Work,
  project_id: number,
): Promise<ProjectDetails['vouchers']> => {
  const { rows } = await sql<ProjectDetails['vouchers'][number]>`select v.id as voucher_id,
    v.name as voucher_name, b.provider, b.promise_id, p.promise_name,
      (v.status = 1 and p.status = 1 and exists (select 1 from voucher_versions n
        where n.voucher_id = v.id and n.valid_from <= ${app.clock.now()}))::integer as usable
    from project_vouchers b join vouchers v on v.id = b.voucher_id
      join promises p on (p.provider, p.promise_id) = (b.provider, b.promise_id)
    where b.project_id = ${project_id} order by p.sort, p.id`.execute(work.tx);
  return rows;
};

const detailsOf = async (app: App, work: Work, id: number): Promise<ProjectDetails> => ({
  ...(await getRow<Project>(work, counted, id)),
  vouchers: await matrixOf(app, work, id),
});

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getProject>,
): Promise<ProjectDetails> => app.db.tx(callerOf(actor), (work) => detailsOf(app, work, id));

interface Bound {
  id: number;
  name: string;
  provider: string;
  promise_id: string;
  status: 0 | 1;
  published: boolean;
}

/**
 * Returns the templates if they may be assigned: enabled and published, and only one for each
 * delivery time. Templates that are already assigned (`kept`) may stay. A code of two carriers is
 * refused too, because an order contains only the code of its delivery time.
 */
const checkedVouchers = async (
  work: Work,
  ids: readonly number[],
  kept: readonly number[],
): Promise<Bound[]> => {
  const { rows } = await sql<Bound>`select v.id, v.name, v.provider, v.promise_id, v.status,
      exists (select 1 from voucher_versions n where n.voucher_id = v.id) as published
    from vouchers v where v.id = any(${[...ids]}::bigint[])
      order by v.id for share of v`.execute(work.tx);
  if (ids.some((id) => !rows.some((row) => row.id === id)))
    failFields({ voucher_ids: { code: 'not_found' } });
  const unusable = rows.find(
    ({ id, status, published }) => !kept.includes(id) && (status !== 1 || !published),
  );
  if (unusable)
    failFields({ voucher_ids: { code: 'voucher_not_usable', params: { name: unusable.name } } });
  const twice = rows.find((row) =>
    rows.some((other) => other.id !== row.id && other.promise_id === row.promise_id),
  );
  if (twice)
    failFields({
      voucher_ids: { code: 'promise_twice', params: { promise_id: twice.promise_id } },
    });
  return rows;
};

/**
 * Writes the templates of a scheme. Returns the templates before and after, ascending by id, in the
 * format of the audit log. A new scheme (`isNew`) had no templates before.
 */
const bind = async (
  work: Work,
  project_id: number,
  ids: readonly number[],
  isNew: boolean,
): Promise<Changes> => {
  const { rows: had } = await sql<
    RowOf<'project_vouchers', 'voucher_id'>
  >`select voucher_id from project_vouchers where project_id = ${project_id}
    order by 1`.execute(work.tx);
  const before = had.map(({ voucher_id }) => voucher_id);
  const vouchers = await checkedVouchers(work, ids, before);
  await work.tx.deleteFrom('project_vouchers').where('project_id', '=', project_id).execute();
  for (const { id, provider, promise_id } of vouchers)
    await work.tx
      .insertInto('project_vouchers')
      .values({ project_id, provider, promise_id, voucher_id: id })
      .execute();
  return changesBetween(
    isNew ? null : { voucher_ids: before },
    { voucher_ids: vouchers.map(({ id }) => id) },
    ['voucher_ids'],
  );
};

const insertProject = async (
  app: App,
  work: UserWork,
  {
    values,
    voucher_ids,
    action,
  }: { values: NewValues<'projects'>; voucher_ids: readonly number[]; action: 'create' | 'copy' },
): Promise<ProjectDetails> => {
  const { id } = await auditedInsert(work, audited, {
    values,
    action,
    also: (row) => bind(work, row.id, voucher_ids, true),
  });
  return detailsOf(app, work, id);
};

export const create = (
  app: App,
  actor: Actor,
  { voucher_ids = [], ...values }: ParsedOf<typeof calls.createProject>,
  request: RequestContext,
): Promise<ProjectDetails> =>
  app.db.tx(callerOf(actor, request), (work) =>
    insertProject(app, work, { values, voucher_ids, action: 'create' }),
  );

/**
 * Copies a scheme. A template that has been disabled since is not copied, because a new scheme
 * follows the present rules.
 */
export const copy = (
  app: App,
  actor: Actor,
  { id, name }: ParsedOf<typeof calls.copyProject>,
  request: RequestContext,
): Promise<ProjectDetails> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { percent_type, vouchers } = await detailsOf(app, work, id);
    const bound = vouchers.filter(({ usable }) => usable === 1).map(({ voucher_id }) => voucher_id);
    return insertProject(app, work, {
      values: { name, percent_type },
      voucher_ids: bound,
      action: 'copy',
    });
  });

export const edit = (
  app: App,
  actor: Actor,
  { id, version, voucher_ids, ...values }: ParsedOf<typeof calls.editProject>,
  request: RequestContext,
): Promise<ProjectDetails> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      current: () => detailsOf(app, work, id),
      columns: () => values,
      also: () => (voucher_ids === undefined ? undefined : bind(work, id, voucher_ids, false)),
    });
    return detailsOf(app, work, id);
  });

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  app: App,
  work: UserWork,
  { id, status, successor_id }: ParsedOf<typeof calls.setProjectStatus>,
): Promise<ProjectDetails> => {
  if (status === 0 && successor_id !== undefined)
    await replaceBySuccessor(work, { id, successor_id });
  await auditedStatus(work, audited, {
    id,
    status,
    // A station cannot order with a disabled scheme.
    check: async (before) => {
      if (status === 1 || before.status === 0) return;
      const { station_count } = await getRow<Project>(work, counted, id);
      if (station_count > 0) fail('project_in_use', { count: station_count });
    },
  });
  return detailsOf(app, work, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.projectUsage>,
): Promise<Usage> =>
  app.db.tx(callerOf(actor), async (work) => {
    await getRow(work, sql`projects`, id);
    const rows = await work.tx
      .selectFrom('stations')
      .select('name')
      .where('project_id', '=', id)
      .orderBy('name')
      .execute();
    return {
      items:
        rows.length === 0
          ? []
          : [
              {
                what: 'stations',
                count: rows.length,
                names: rows.slice(0, 10).map(({ name }) => name),
              },
            ],
    };
  });

/**
 * Returns every delivery time with its templates. Templates that may not be assigned are marked.
 */
export const choices = (app: App, actor: Actor): Promise<OutputOf<typeof calls.projectChoices>> =>
  app.db.tx(callerOf(actor), async (work) => {
    type Choices = OutputOf<typeof calls.projectChoices>['promises'];
    const promises = await work.tx
      .selectFrom('promises')
      .select(['provider', 'promise_id', 'promise_name', 'status'])
      .orderBy('provider')
      .orderBy('sort')
      .orderBy('id')
      .execute();
    const { rows: vouchers } = await sql<
      Choices[number]['vouchers'][number] & { provider: string; promise_id: string }
    >`
      select v.id, v.name, v.status, v.provider, v.promise_id,
        exists (select 1 from voucher_versions n
        where n.voucher_id = v.id)::integer as published
      from vouchers v order by v.name`.execute(work.tx);
    return {
      promises: promises.map((promise) => ({
        ...promise,
        vouchers: vouchers.filter(
          (voucher) =>
            voucher.provider === promise.provider && voucher.promise_id === promise.promise_id,
        ),
      })),
    };
  });

export const projects: FeaturePart = {
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
  exports: {
    projects: {
      source: listSource(calls.listProjects, list),
      columns: {
        ...columnsOf('text', 'name changed_by'),
        ...columnsOf('number', 'id voucher_count station_count'),
        ...columnsOf('time', 'created_at updated_at'),
        percent_type: words('percent_type', percentTypes),
        status: onOff,
      },
    },
  },
  bulk: {
    projects: {
      endpoint: bulkCalls.bulkProjects,
      source: listSource(calls.listProjects, list),
      nameOf: namesIn('projects', 'name'),
      actions: switches(setStatusInTx, 'projects'),
    },
  },
};
