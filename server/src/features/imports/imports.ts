import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/imports/import.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import type { App } from '#app.ts';
import {
  cancel as cancelIn,
  changeRow as changeRowIn,
  changeRows as changeRowsIn,
  confirm as confirmIn,
  failedFile,
  headRows,
  importOf,
  importsOf,
  mapColumns,
  marksOf,
  pause as pauseIn,
  readStored,
  requestPrices,
  requireNoPhoneSearch,
  resume as resumeIn,
  rowOf,
  rowsOf,
  sampleOf,
  searchedFields,
  showsPhones,
  storeImport,
  takeStep,
  templateFile,
  unmaskedValues,
  phonesIn,
} from '#domain/imports/imports.ts';
import { activeStationFor } from '#domain/offers/offers.ts';
import { countReveals } from '#domain/phone-search/phone-search.ts';
import { fileTypeOf } from '#domain/workbook/workbook.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { ReaderWork, UserWork } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';
import { forReader, importFor } from './for-reader.ts';

const read = <T>(app: App, actor: Actor, run: (work: ReaderWork) => Promise<T>): Promise<T> =>
  app.db.tx(callerOf(actor), run);

const audit = (
  work: UserWork,
  action: string,
  { id, station_id }: Pick<Import, 'id' | 'station_id'>,
  changes: Changes = {},
): Promise<void> =>
  recordAudit(work, {
    action,
    subject: 'imports',
    subject_id: id,
    station_id,
    changes,
  });

const shown = async (work: ReaderWork, id: number): Promise<Import> =>
  importFor(work.actor, await importOf(work, id));

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listImports>,
): Promise<OutputOf<typeof calls.listImports>> =>
  read(app, actor, async (work) => {
    const found = await importsOf(work, filters);
    return { ...found, items: found.items.map((one) => importFor(actor, one)) };
  });

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getImport>,
): Promise<Import> => read(app, actor, (work) => shown(work, id));

export const marks = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.importMarksOf>,
): Promise<OutputOf<typeof calls.importMarksOf>> =>
  read(app, actor, async (work) => {
    const { version } = await importOf(work, id);
    return { marks: await marksOf(work, id), version };
  });

export const rows = (
  app: App,
  actor: Actor,
  { id, ...filters }: ParsedOf<typeof calls.listImportRows>,
): Promise<OutputOf<typeof calls.listImportRows>> =>
  read(app, actor, async (work) => {
    const found = await importOf(work, id);
    if (showsPhones(actor, found)) return rowsOf(work, id, filters);
    const fields = filters.q === undefined ? undefined : searchedFields(filters.q);
    return forReader(actor, found, await rowsOf(work, id, { ...filters, fields }));
  });

export const create = (
  app: App,
  actor: Actor,
  { station_id, again = 0 }: ParsedOf<typeof calls.createImport>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.createImport>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const file = request.file ?? failFields({ file: { code: 'file_required' } });
    const station = await activeStationFor(work, actor, station_id);
    const bytes = await file.read();
    const stored = await work.asSystem('storing of an import', (system) =>
      storeImport(system, {
        station_id: station.id,
        user_id: actor.account_id,
        again,
        file: { name: file.name, bytes },
      }),
    );
    const found = await importOf(work, stored.id);
    await audit(
      work,
      stored.fresh ? 'upload_sheet' : 'upload_sheet_again',
      found,
      stored.fresh ? { file_name: [null, file.name] } : {},
    );
    return { ...importFor(actor, found), existed: stored.fresh ? 0 : 1 };
  });

export const head = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.importHead>,
): Promise<OutputOf<typeof calls.importHead>> =>
  read(app, actor, async (work) =>
    forReader(actor, await importOf(work, id), { rows: await headRows(work, id) }),
  );

export const sample = (
  app: App,
  actor: Actor,
  { id, ...question }: ParsedOf<typeof calls.sampleImport>,
): Promise<OutputOf<typeof calls.sampleImport>> =>
  read(app, actor, async (work) => {
    const found = await importOf(work, id);
    const defaults = question.defaults && unmaskedValues(question.defaults, found.defaults);
    return forReader(actor, found, await sampleOf(work, id, { ...question, defaults }));
  });

export const map = (
  app: App,
  actor: Actor,
  { id, ...values }: ParsedOf<typeof calls.mapImport>,
  request: RequestContext,
): Promise<Import> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { defaults: stored } = await importOf(work, id);
    const defaults = values.defaults && unmaskedValues(values.defaults, stored);
    const before = await mapColumns(work, id, { ...values, defaults, by: actor.account_id });
    await audit(work, 'map_columns', before, {
      mapping: [before.mapping, values.mapping],
    });
    return shown(work, id);
  });

export const changeRow = (
  app: App,
  actor: Actor,
  { id, ...change }: ParsedOf<typeof calls.changeImportRow>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.changeImportRow>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { touched } = await changeRowIn(work, id, change, app.clock.now());
    const found = await importOf(work, id);
    // The audit log stores the names of the changed cells without their texts. Names and phones
    // stay in the rows, which are deleted later.
    const fields =
      change.excluded === undefined ? Object.keys(change.values ?? {}).join(' ') : 'excluded';
    await audit(work, 'edit', found, {
      row: [null, change.row],
      field: [null, fields],
    });
    const { counts, undo_steps, redo_steps, version: import_version } = found;
    const row = forReader(actor, found, await rowOf(work, id, change.row));
    return { row, touched, counts, undo_steps, redo_steps, import_version };
  });

export const changeRows = (
  app: App,
  actor: Actor,
  { id, ...change }: ParsedOf<typeof calls.changeImportRows>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.changeImportRows>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const before = await importOf(work, id);
    const searches = change.action === 'replace' || change.action === 'recheck';
    if (searches && !showsPhones(actor, before)) requireNoPhoneSearch(change.find, change.field);
    const changed = await changeRowsIn(work, id, change, app.clock.now());
    const found = await importOf(work, id);
    await audit(work, 'edit_rows', found, {
      rows: [null, changed],
      action: [null, change.action],
      field: [null, change.field ?? null],
    });
    return { changed, import: importFor(actor, found) };
  });

/**
 * Returns one row unmasked to a reader of another station. It is counted and audited like a reveal
 * of a parcel's phones.
 */
export const reveal = (
  app: App,
  actor: Actor,
  { id, row }: ParsedOf<typeof calls.revealImportRow>,
  request: RequestContext,
): Promise<ImportRow> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const found = await importOf(work, id);
    const whole = await rowOf(work, id, row);
    if (!showsPhones(actor, found)) await countReveals(app, work, phonesIn(whole));
    await audit(work, 'reveal', found, { row: [null, row] });
    return whole;
  });

const editStep =
  (direction: 'undo' | 'redo') =>
  (
    app: App,
    actor: Actor,
    { id, version }: ParsedOf<typeof calls.undoImportEdit>,
    request: RequestContext,
  ): Promise<OutputOf<typeof calls.undoImportEdit>> =>
    app.db.tx(callerOf(actor, request), async (work) => {
      const stepped = await takeStep(work, id, { version, direction }, app.clock.now());
      const found = await importOf(work, id);
      await audit(work, direction === 'undo' ? 'undo_edit' : 'redo_edit', found, {
        rows: [null, stepped.changed],
      });
      return { ...stepped, import: importFor(actor, found) };
    });

export const undo = editStep('undo');
export const redo = editStep('redo');

export const quote = (
  app: App,
  actor: Actor,
  { id, version }: ParsedOf<typeof calls.quoteImport>,
): Promise<Import> =>
  read(app, actor, async (work) => {
    await requestPrices(work, id, version);
    return shown(work, id);
  });

export const confirm = (
  app: App,
  actor: Actor,
  { id, ...confirmation }: ParsedOf<typeof calls.confirmImport>,
  request: RequestContext,
): Promise<Import> => {
  const caller = callerOf(actor, request);
  return withIdempotencyKey({
    db: app.db,
    caller,
    request,
    endpoint: `POST /api/arco/imports/${id}/confirm`,
    effect: async (work) => {
      const before = await confirmIn(app, work, id, {
        ...confirmation,
        pickups: confirmation.pickups ?? [],
        by: actor.account_id,
        at: app.clock.now(),
      });
      await audit(work, 'order', before, {
        rows: [null, confirmation.rows],
        amount: [null, confirmation.expected_amount],
      });
      return id;
    },
    answer: (subject) => read(app, actor, (work) => shown(work, subject)),
  });
};

/** Makes the function for an action that starts or stops an import and writes its audit row. */
const step =
  (action: string, change: (app: App, work: ReaderWork, id: number) => Promise<unknown>) =>
  (app: App, actor: Actor, { id }: { id: number }, request: RequestContext): Promise<Import> =>
    app.db.tx(callerOf(actor, request), async (work) => {
      await change(app, work, id);
      const found = await importOf(work, id);
      await audit(work, action, found);
      return importFor(actor, found);
    });

export const pause = step('pause', (_app, work, id) => pauseIn(work, id));
export const resume = step('resume', (_app, work, id) => resumeIn(work, id, work.actor.account_id));
export const cancel = step('cancel', (app, work, id) => cancelIn(work, id, app.clock.now()));

/**
 * Returns the rows that were not ordered as a file. The user's own rows need no right to export,
 * because they are a part of the user's own sheet. Another user's rows need that right, and their
 * phones are masked. The audit log records both, like every export.
 */
export const failedRows = (
  app: App,
  actor: Actor,
  { id, language = 'zh' }: ParsedOf<typeof calls.failedImportRows>,
  request: RequestContext,
): Promise<FileAnswer> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const found = await readStored(work, id, ['ready', 'ordering', 'paused', 'done', 'cancelled']);
    const masked = !showsPhones(actor, found);
    if (masked && actor.may_export === 0) fail('export_not_allowed');
    const { body, rows: count } = await failedFile(work, found, { language, masked });
    await audit(work, 'export', found, {
      rows: [null, count],
      format: [null, 'xlsx'],
    });
    return {
      body,
      type: fileTypeOf.xlsx,
      name: `${language === 'zh' ? '未下单' : 'not-ordered'}-${id}.xlsx`,
    };
  });

/**
 * Returns the import template of the requested station, which by default is the caller's own.
 * Administrators who request no station get the choices of all stations.
 */
export const template = (
  app: App,
  actor: Actor,
  { station_id, language = 'zh' }: ParsedOf<typeof calls.importTemplate>,
): Promise<FileAnswer> =>
  read(app, actor, async (work) => {
    const station =
      station_id === undefined && actor.station_id === null
        ? null
        : await activeStationFor(work, actor, station_id);
    return {
      body: await templateFile(work, station?.id ?? null, language),
      type: fileTypeOf.xlsx,
      name: language === 'zh' ? '运单导入模板.xlsx' : 'parcel-import-template.xlsx',
    };
  });
