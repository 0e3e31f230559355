import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/parcels/cargo.schema.ts';
import { cargoTypes } from '@waystation/contract/parcels/cargo.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { usesLately } from '#domain/express/express-reads.ts';
import { columnsOf, flags, namesIn, onOff, switches, words } from '#domain/user-jobs/user-jobs.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { columnsOf as namedColumns, getRow, listRows, namedRows } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { pinyinInitials } from '#platform/pinyin.ts';

export const auditedCargos: AuditedTable<'cargos'> = {
  table: 'cargos',
  audited: ['name', 'type', 'provider', 'priority', 'banned', 'banned_reason', 'status'],
  unique: { cargos_name: 'name' },
};
type Row = Omit<Cargo, 'used_count'>;

/** The columns of the goods, and the number of parcels of the last thirty days with these goods. */
const own =
  'id name type provider priority banned banned_reason status version created_at updated_at';
const counted = namedRows(
  `${own} used_count`,
  sql`(select ${namedColumns('c', own)},
    ${usesLately(
      'goods',
      sql`express_goods_key(c.provider,
    c.name)`,
      sql`now()`,
    )} as used_count
    from cargos c)`,
);

/** The limit of goods whose names are searched by initials. A network has far fewer. */
const mostRead = 5_000;

/**
 * The ids of the goods whose pinyin initials contain the typed text; empty if the text is not only
 * Latin letters and digits.
 */
const withInitials = async (work: Work, q: string | undefined): Promise<number[]> => {
  if (q === undefined || !/^[a-z\d]+$/i.test(q)) return [];
  const rows = await work.tx
    .selectFrom('cargos')
    .select(['id', 'name'])
    .orderBy('id')
    .limit(mostRead)
    .execute();
  return rows
    .filter(({ name }) => pinyinInitials(name).includes(q.toLowerCase()))
    .map(({ id }) => id);
};

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listCargos>,
): Promise<Listed<Cargo>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const ids = await withInitials(work, filters.q);
    const named = (q: string) => sql<boolean>`(${contains('r.name')(q)}
      or r.id = any(${ids}::bigint[]))`;
    return listRows(work, counted, {
      conditions: filterConditions(filters, {
        q: named,
        type: equal,
        provider: equal,
        banned: equal,
        status: equal,
      }),
      paging: filters,
      sortable: [
        '-priority',
        'name',
        'type',
        'provider',
        'used_count',
        'status',
        'created_at',
        'updated_at',
      ],
    });
  });

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getCargo>,
): Promise<Cargo> => app.db.tx(callerOf(actor), (work) => getRow(work, counted, id));

const saysWhy = ({
  banned,
  banned_reason,
}: {
  banned?: 0 | 1 | undefined;
  banned_reason?: string | undefined;
}): void => {
  if (banned === 1 && !banned_reason)
    failFields({ banned_reason: { code: 'banned_reason_required' } });
};

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createCargo>,
  request: RequestContext,
): Promise<Cargo> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    saysWhy(input);
    const { id } = await auditedInsert(work, auditedCargos, { values: input });
    return getRow(work, counted, id);
  });

/** A carrier without goods could not be used for orders, so its last goods are not removed. */
const refuseLast = async (work: Work, { id, provider }: Row): Promise<void> => {
  const rows = await work.tx
    .selectFrom('cargos')
    .select('id')
    .where('provider', '=', provider)
    .where('status', '=', 1)
    .where('banned', '=', 0)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.every((row) => row.id === id)) fail('last_cargo');
};

const shippable = ({ status, banned }: Row): boolean => status === 1 && banned === 0;

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editCargo>,
  request: RequestContext,
): Promise<Cargo> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, auditedCargos, {
      id,
      version,
      action: 'edit',
      check: async (before) => {
        saysWhy({
          banned: values.banned ?? before.banned,
          banned_reason: values.banned_reason ?? before.banned_reason,
        });
        if (values.banned === 1 && shippable(before)) await refuseLast(work, before);
      },
      columns: () => values,
    });
    return getRow(work, counted, id);
  });

/** Enables or disables one row in the caller's transaction; a bulk action calls it for each row. */
export const setStatusInTx = async (
  _app: App,
  work: UserWork,
  { id, status }: ParsedOf<typeof calls.setCargoStatus>,
): Promise<Cargo> => {
  await auditedStatus(work, auditedCargos, {
    id,
    status,
    check: async (before) => {
      if (status === 0 && shippable(before)) await refuseLast(work, before);
    },
  });
  return getRow(work, counted, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.cargoUsage>,
): Promise<Usage> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { used_count } = await getRow<Cargo>(work, counted, id);
    return { items: used_count > 0 ? [{ what: 'parcels', count: used_count }] : [] };
  });

export const cargos: FeaturePart = {
  routes: [
    route(calls.listCargos, list),
    route(calls.getCargo, get),
    route(calls.createCargo, create),
    route(calls.editCargo, edit),
    route(calls.setCargoStatus, switchStatus),
    route(calls.cargoUsage, usage),
  ],
  exports: {
    cargos: {
      source: listSource(calls.listCargos, list),
      columns: {
        ...columnsOf('text', 'name provider banned_reason'),
        ...columnsOf('number', 'id priority used_count'),
        ...columnsOf('time', 'created_at updated_at'),
        type: words('type', cargoTypes),
        ...flags('banned'),
        status: onOff,
      },
    },
  },
  bulk: {
    cargos: {
      endpoint: bulkCalls.bulkCargos,
      source: listSource(calls.listCargos, list),
      nameOf: namesIn('cargos', 'name'),
      actions: switches(setStatusInTx, 'cargos'),
    },
  },
};
