import { setImmediate as turn } from 'node:timers/promises';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { erasedName, erasedWords } from '@waystation/contract/parcels/erased.ts';
import { exportAtOnce } from '@waystation/contract/shell/exports.ts';
import type { requestExport } from '@waystation/contract/shell/exports.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import {
  countedJob,
  fieldsOf,
  queueJob,
  storeFile,
  storedFile,
} from '#domain/user-jobs/user-jobs.ts';
import type { ExportList, ExportLists, JobRow } from '#domain/user-jobs/user-jobs.ts';
import { fileTypeOf, writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { businessTime } from '#platform/clock.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import type { FileAnswer, Origin, RequestContext } from '#platform/http/context.ts';
import { ownFilters, selectRows, waitedFor, walkPages } from '#platform/http/list-walk.ts';
import type { WalkedRow } from '#platform/http/list-walk.ts';

type Input = ParsedOf<typeof requestExport>;

/** The limit of rows of one export. */
const most = 200_000;

const listFor = (
  lists: ExportLists<App>,
  actor: Actor,
  { list, columns }: Pick<Input, 'list' | 'columns'>,
): ExportList<App> => {
  if (actor.may_export === 0) fail('export_not_allowed');
  const found = Object.hasOwn(lists, list)
    ? present(lists[list])
    : failFields({ list: { code: 'list_not_exportable' } });
  const { roles } = found.source.endpoint;
  if (roles !== 'public' && !roles.includes(actor.role)) fail('forbidden');
  const unknown = columns.findIndex(({ key }) => !Object.hasOwn(found.columns, key));
  if (unknown >= 0)
    failFields({
      [`columns.${unknown}.key`]: {
        code: 'column_unknown',
        params: { column: present(columns[unknown]).key },
      },
    });
  return found;
};

const asValue = (value: unknown, language: Input['language']): CellValue => {
  if (value === null || value === undefined) return null;
  if (value === erasedName) return erasedWords[language];
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
};

/** The fields of the list's rows from which the chosen columns are made. */
const neededFields = ({ columns }: ExportList<App>, input: Input): ReadonlySet<string> =>
  new Set(input.columns.flatMap(({ key }) => fieldsOf(key, present(columns[key]))));

/** The number of rows that are written, within a few milliseconds, before other work runs. */
const slice = 250;

/** Writes the pages to a file while the file is read. `count` counts the rows. */
const fileFrom = (
  pages: AsyncIterable<readonly WalkedRow[]>,
  { columns }: ExportList<App>,
  input: Input,
  count: { rows: number },
): AsyncGenerator<Uint8Array> => {
  const chosen = input.columns.map(({ key, title }) => ({
    title,
    key,
    column: present(columns[key]),
  }));
  const cells = (row: WalkedRow): CellValue[] =>
    chosen.map(({ key, column }) =>
      typeof column === 'string'
        ? asValue(row[key], input.language)
        : column.make(row, input.language),
    );
  async function* rows() {
    for await (const page of pages)
      for (const row of page) {
        if (++count.rows % slice === 0) await turn();
        yield cells(row);
      }
  }
  const sheet = chosen.map(({ title, column }) => ({
    title,
    kind: typeof column === 'string' ? column : ('text' as const),
  }));
  return writeWorkbook(input.format, { name: input.list, columns: sheet, rows: rows() });
};

/** The file name, for example `cargos-20260302-1000.xlsx`, with the time in Asia/Shanghai. */
const nameOf = ({ list, format }: Input, at: Date): string =>
  `${list}-${businessTime(at).replaceAll(/[-:]/g, '').replace(' ', '-')}.${format}`;

const record = (
  app: App,
  actor: Actor,
  origin: Origin,
  { action, input, rows }: { action: string; input: Input; rows: number },
) =>
  app.db.tx(callerOf(actor, origin), (work) =>
    recordAudit(work, {
      action,
      subject: input.list,
      subject_id: null,
      station_id: actor.station_id,
      changes: {
        rows: [null, rows],
        format: [null, input.format],
        columns: [null, input.columns.map(({ key }) => key)],
        filters: [null, input.ids === undefined ? input.filters : { ids: input.ids }],
      },
    }),
  );

const inBackground = (
  app: App,
  actor: Actor,
  input: Input,
  request: RequestContext,
): Promise<{ job_id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const job_id = await queueJob(work, {
      list: input.list,
      action: 'export',
      params: { ...input, role: actor.role },
      total: 0,
    });
    await recordAudit(work, {
      action: 'export',
      subject: input.list,
      subject_id: null,
      station_id: actor.station_id,
      changes: {
        format: [null, input.format],
        job_id: [null, job_id],
        filters: [null, input.filters],
      },
    });
    return { job_id };
  });

/**
 * Returns the list as a file at once, or starts a job that counts and writes the rows if there are
 * many.
 */
export const startExport =
  (lists: ExportLists<App>) =>
  async (
    app: App,
    actor: Actor,
    wanted: Input,
    request: RequestContext,
  ): Promise<FileAnswer | { job_id: number }> => {
    const list = listFor(lists, actor, wanted);
    const { ids } = wanted;
    if (ids !== undefined && list.source.walk === null) failFields({ ids: { code: 'invalid' } });
    const input = {
      ...wanted,
      filters: ids === undefined ? ownFilters(list.source, wanted.filters) : {},
    };
    const source = waitedFor(list.source, request);
    const selection =
      ids === undefined
        ? await selectRows(app, actor, source, { filters: input.filters, most: exportAtOnce })
        : { ids: [...new Set(ids)], total_is_capped: 0 };
    if (selection.total_is_capped === 1) return inBackground(app, actor, input, request);
    const count = { rows: 0 };
    const pieces: Uint8Array[] = [];
    const pages = walkPages(app, actor, source, {
      filters: input.filters,
      selection,
      fields: neededFields(list, input),
    });
    for await (const piece of fileFrom(pages, list, input, count)) pieces.push(piece);
    await record(app, actor, request, { action: 'export', input, rows: count.rows });
    return {
      body: Buffer.concat(pieces),
      type: fileTypeOf[input.format],
      name: nameOf(input, app.clock.now()),
    };
  };

/**
 * Makes the file of an export job; returns the reason if that is not possible. A second attempt
 * writes the file again.
 */
export const makeExport =
  (lists: ExportLists<App>) =>
  async (app: App, job: JobRow): Promise<Reason | null> => {
    const input = job.params as unknown as Input;
    const count = { rows: 0 };
    const stations = new Set<number>();
    try {
      // Called before every page, because a user who loses the right to the list must get no more
      // of its rows.
      const reader = async (): Promise<Actor> => {
        const actor = (await actorOfAccount(app.db, job.account_id)) ?? fail('account_disabled');
        listFor(lists, actor, input);
        for (const station of actor.stations) stations.add(station);
        return actor;
      };
      const list = listFor(lists, await reader(), input);
      const selection = await selectRows(app, await reader(), list.source, {
        filters: input.filters,
        most,
      });
      if (selection.total_is_capped === 1) fail('export_too_large', { limit: most });
      await countedJob(app.db, job.id, selection.total);
      const pages = walkPages(app, reader, list.source, {
        filters: input.filters,
        selection,
        fields: neededFields(list, input),
      });
      const bytes = await storeFile(app.db, job.id, fileFrom(pages, list, input, count));
      await storedFile(app.db, job.id, {
        name: nameOf(input, app.clock.now()),
        type: fileTypeOf[input.format],
        bytes,
        rows: count.rows,
        stations: [...stations],
      });
      await record(app, await reader(), job, { action: 'export_file', input, rows: count.rows });
      return null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { code: error.code, params: error.params };
    }
  };
