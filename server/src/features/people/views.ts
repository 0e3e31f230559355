import { mostListViews, mostViewBytes, mostViews } from '@waystation/contract/base/limits.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import type * as calls from '@waystation/contract/shell/views.ts';
import type { App } from '#app.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { lockRow } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

const tooLarge = { code: 'view_too_large', params: { limit: mostViewBytes / 1024 } };
/** Lists that have views but no export. */
const otherLists = new Set(['imports', 'reconciliations', 'bill_rows']);

const audited: AuditedTable<'saved_views'> = {
  table: 'saved_views',
  audited: ['title', 'search', 'columns', 'shared_with'],
  unique: { saved_views_title: 'title' },
  stationOf: (_view, { station_id }) => station_id,
};

type Row = Omit<SavedView, 'mine' | 'owner_name'> & { account_id: number };

const viewOf = (actor: Actor, { account_id, ...row }: Row, owner_name: string): SavedView => ({
  ...row,
  mine: account_id === actor.account_id ? 1 : 0,
  owner_name,
});

/**
 * Returns the actor's views and the views shared with the actor's role. Views belong to users, not
 * to stations.
 */
export const list = (
  app: App,
  actor: Actor,
  { list: name }: ParsedOf<typeof calls.listViews>,
): Promise<OutputOf<typeof calls.listViews>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { rows } = await sql<
      Omit<Row, 'created_at' | 'updated_at'> & {
        created_at: Date;
        updated_at: Date;
        owner_name: string;
      }
    >`
      select v.*, coalesce(a.nickname, '') as owner_name from saved_views v left
        join accounts a on a.id = v.account_id
      where (v.account_id = ${actor.account_id} or v.shared_with = ${actor.role})
        and ${name === undefined ? sql`true` : sql`v.list = ${name}`}
      order by v.account_id <> ${actor.account_id}, v.title, v.id limit 500`.execute(work.tx);
    return {
      items: rows.map(({ owner_name, created_at, updated_at, ...row }) =>
        viewOf(
          actor,
          { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
          owner_name,
        ),
      ),
    };
  });

type ViewInput = {
  search?: object | undefined;
  columns?: unknown;
  shared_with?: SavedView['shared_with'] | undefined;
};

/** True for roles that may share views and change shared views, which affect other users. */
const mayShare = ({ role }: Actor): boolean => role === 'super' || role === 'admin';

/** Refuses a view that is too large, or that is shared by a user who may not share views. */
const checkInput = (actor: Actor, { search, columns, shared_with }: ViewInput): void => {
  if (shared_with && !mayShare(actor))
    failFields({ shared_with: { code: 'view_share_forbidden' } });
  if (search !== undefined && Buffer.byteLength(jsonText(search)) > mostViewBytes)
    failFields({ search: tooLarge });
  if (columns !== undefined && Buffer.byteLength(jsonText(columns)) > mostViewBytes)
    failFields({ columns: tooLarge });
};

/** The columns as they are written to jsonb. */
const stored = ({ search, columns, shared_with }: ViewInput) => ({
  ...(search !== undefined && { search: jsonText(search) }),
  ...(columns !== undefined && { columns: columns === null ? null : jsonText(columns) }),
  ...(shared_with !== undefined && { shared_with }),
});

/** Fails if the account has reached its limit of views of the list, or of all lists. */
const requireRoom = async (work: ReaderWork, name: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${work.actor.account_id}`},
    13))`.execute(work.tx);
  const { of_list, n } = await oneRow(
    work,
    sql<{
      of_list: number;
      n: number;
    }>`select count(*) filter (where list = ${name}) as of_list, count(*) as n
      from saved_views where account_id = ${work.actor.account_id}`,
  );
  if (of_list >= mostListViews) fail('views_too_many', { limit: mostListViews });
  if (n >= mostViews) fail('too_many_views', { limit: mostViews });
};

/** `exported` contains the lists that can be exported, by name. */
export const create =
  (exported: Readonly<Record<string, unknown>>) =>
  (
    app: App,
    actor: Actor,
    { list: name, title, ...values }: ParsedOf<typeof calls.createView>,
    request: RequestContext,
  ): Promise<SavedView> =>
    app.db.tx(callerOf(actor, request), async (work) => {
      if (!Object.hasOwn(exported, name) && !otherLists.has(name))
        failFields({ list: { code: 'list_unknown', params: { list: name } } });
      checkInput(actor, values);
      await requireRoom(work, name);
      const row = await auditedInsert(work, audited, {
        values: {
          account_id: actor.account_id,
          list: name,
          title,
          search: jsonText(values.search),
          ...stored(values),
        },
      });
      return viewOf(actor, row, actor.nickname);
    });

const own = (actor: Actor) => [sql<boolean>`r.account_id = ${actor.account_id}`];

export const edit = (
  app: App,
  actor: Actor,
  { id, version, title, ...values }: ParsedOf<typeof calls.editView>,
  request: RequestContext,
): Promise<SavedView> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { after } = await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      within: own(actor),
      check: (before) => {
        if (before.shared_with !== null && !mayShare(actor)) fail('view_share_forbidden');
        checkInput(actor, values);
      },
      columns: () => ({ title, ...stored(values) }),
    });
    return viewOf(actor, after, actor.nickname);
  });

export const remove = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.removeView>,
  request: RequestContext,
): Promise<Record<string, never>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const before = await lockRow(work, 'saved_views', id, own(actor));
    await work.tx.deleteFrom('saved_views').where('id', '=', id).execute();
    await recordAudit(work, {
      action: 'remove',
      subject: 'saved_views',
      subject_id: id,
      station_id: actor.station_id,
      changes: { title: [before.title, null] },
    });
    return {};
  });
