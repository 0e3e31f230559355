import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/import.ts';
import type { Import, ImportRow } from '@waystation/contract/import.ts';
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
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';
import { withIdempotencyKey } from '#platform/idempotency.ts';
import { forReader, importFor } from './for-reader.ts';

const read = <T>(app: App, actor: Actor, work: (tx: Tx, scope: Scope) => Promise<T>): Promise<T> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, (tx) => work(tx, scope));
};

const audit = (
  tx: Tx,
  actor: Actor,
  request: RequestContext,
  action: string,
  { id, station_id }: Pick<Import, 'id' | 'station_id'>,
  changes: Changes = {},
): Promise<void> => recordAudit(tx, actor, request, { action, subject: 'imports', subject_id: id, station_id, changes });

const shown = async (tx: Tx, scope: Scope, actor: Actor, id: number): Promise<Import> => importFor(actor, await importOf(tx, scope, id));

export const list = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listImports>): Promise<OutputOf<typeof calls.listImports>> =>
  read(app, actor, async (tx, scope) => {
    const found = await importsOf(tx, scope, filters);
    return { ...found, items: found.items.map((one) => importFor(actor, one)) };
  });

export const get = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getImport>): Promise<Import> =>
  read(app, actor, (tx, scope) => shown(tx, scope, actor, id));

export const marks = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.importMarksOf>): Promise<OutputOf<typeof calls.importMarksOf>> =>
  read(app, actor, async (tx, scope) => {
    const { version } = await importOf(tx, scope, id);
    return { marks: await marksOf(tx, id), version };
  });

export const rows = (app: App, actor: Actor, { id, ...filters }: ParsedOf<typeof calls.listImportRows>): Promise<OutputOf<typeof calls.listImportRows>> =>
  read(app, actor, async (tx, scope) => {
    const found = await importOf(tx, scope, id);
    if (showsPhones(actor, found)) return rowsOf(tx, id, filters);
    const fields = filters.q === undefined ? undefined : searchedFields(filters.q);
    return forReader(actor, found, await rowsOf(tx, id, { ...filters, fields }));
  });

export const create = (
  app: App,
  actor: Actor,
  { station_id, again = 0 }: ParsedOf<typeof calls.createImport>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.createImport>> =>
  read(app, actor, async (tx, scope) => {
    const file = request.file ?? failFields({ file: { code: 'file_required' } });
    const station = await activeStationFor(tx, scope, actor, station_id);
    const bytes = await file.read();
    const stored = await asSystem(tx, scope, () =>
      storeImport(tx, { station_id: station.id, user_id: actor.account_id, again, file: { name: file.name, bytes } }),
    );
    const found = await importOf(tx, scope, stored.id);
    await audit(tx, actor, request, stored.fresh ? 'upload_sheet' : 'upload_sheet_again', found, stored.fresh ? { file_name: [null, file.name] } : {});
    return { ...importFor(actor, found), existed: stored.fresh ? 0 : 1 };
  });

export const head = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.importHead>): Promise<OutputOf<typeof calls.importHead>> =>
  read(app, actor, async (tx, scope) => forReader(actor, await importOf(tx, scope, id), { rows: await headRows(tx, scope, id) }));

export const sample = (app: App, actor: Actor, { id, ...question }: ParsedOf<typeof calls.sampleImport>): Promise<OutputOf<typeof calls.sampleImport>> =>
  read(app, actor, async (tx, scope) => {
    const found = await importOf(tx, scope, id);
    const defaults = question.defaults && unmaskedValues(question.defaults, found.defaults);
    return forReader(actor, found, await sampleOf(tx, scope, id, { ...question, defaults }));
  });

export const map = (app: App, actor: Actor, { id, ...values }: ParsedOf<typeof calls.mapImport>, request: RequestContext): Promise<Import> =>
  read(app, actor, async (tx, scope) => {
    const { defaults: stored } = await importOf(tx, scope, id);
    const defaults = values.defaults && unmaskedValues(values.defaults, stored);
    const before = await mapColumns(tx, scope, id, { ...values, defaults, by: actor.account_id });
    await audit(tx, actor, request, 'map_columns', before, { mapping: [before.mapping, values.mapping] });
    return shown(tx, scope, actor, id);
  });

export const changeRow = (
  app: App,
  actor: Actor,
  { id, ...change }: ParsedOf<typeof calls.changeImportRow>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.changeImportRow>> =>
  read(app, actor, async (tx, scope) => {
    const { touched } = await changeRowIn(tx, scope, id, change, app.clock.now());
    const found = await importOf(tx, scope, id);
    // Which cells, without their texts: names and phones are in the rows, which are deleted one day.
    const fields = change.excluded === undefined ? Object.keys(change.values ?? {}).join(' ') : 'excluded';
    await audit(tx, actor, request, 'edit', found, { row: [null, change.row], field: [null, fields] });
    const { counts, undo_steps, redo_steps, version: import_version } = found;
    const row = forReader(actor, found, await rowOf(tx, id, change.row));
    return { row, touched, counts, undo_steps, redo_steps, import_version };
  });

export const changeRows = (
  app: App,
  actor: Actor,
  { id, ...change }: ParsedOf<typeof calls.changeImportRows>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.changeImportRows>> =>
  read(app, actor, async (tx, scope) => {
    const before = await importOf(tx, scope, id);
    if (change.action === 'replace' && !showsPhones(actor, before)) requireNoPhoneSearch(change.find, change.field);
    const changed = await changeRowsIn(tx, scope, id, change, app.clock.now());
    const found = await importOf(tx, scope, id);
    await audit(tx, actor, request, 'edit_rows', found, { rows: [null, changed], action: [null, change.action], field: [null, change.field ?? null] });
    return { changed, import: importFor(actor, found) };
  });

/** The row whole, for a reader whose station it is not: counted and audited, as the phones of a parcel are. */
export const reveal = (app: App, actor: Actor, { id, row }: ParsedOf<typeof calls.revealImportRow>, request: RequestContext): Promise<ImportRow> =>
  read(app, actor, async (tx, scope) => {
    const found = await importOf(tx, scope, id);
    const whole = await rowOf(tx, id, row);
    if (!showsPhones(actor, found)) await countReveals(app, tx, actor, phonesIn(whole));
    await audit(tx, actor, request, 'reveal', found, { row: [null, row] });
    return whole;
  });

const editStep =
  (direction: 'undo' | 'redo') =>
  (app: App, actor: Actor, { id, version }: ParsedOf<typeof calls.undoImportEdit>, request: RequestContext): Promise<OutputOf<typeof calls.undoImportEdit>> =>
    read(app, actor, async (tx, scope) => {
      const stepped = await takeStep(tx, scope, id, { version, direction }, app.clock.now());
      const found = await importOf(tx, scope, id);
      await audit(tx, actor, request, direction === 'undo' ? 'undo_edit' : 'redo_edit', found, { rows: [null, stepped.changed] });
      return { ...stepped, import: importFor(actor, found) };
    });

export const undo = editStep('undo');
export const redo = editStep('redo');

export const quote = (app: App, actor: Actor, { id, version }: ParsedOf<typeof calls.quoteImport>): Promise<Import> =>
  read(app, actor, async (tx, scope) => {
    await requestPrices(tx, scope, id, version);
    return shown(tx, scope, actor, id);
  });

export const confirm = (app: App, actor: Actor, { id, ...confirmation }: ParsedOf<typeof calls.confirmImport>, request: RequestContext): Promise<Import> => {
  const scope = scopeOf(actor);
  return withIdempotencyKey({
    db: app.db,
    scope,
    actor,
    request,
    endpoint: `POST /api/arco/imports/${id}/confirm`,
    effect: async (tx) => {
      const before = await confirmIn(tx, scope, id, { ...confirmation, by: actor.account_id, at: app.clock.now() });
      await audit(tx, actor, request, 'order', before, { rows: [null, confirmation.rows], amount: [null, confirmation.expected_amount] });
      return id;
    },
    answer: (subject) => read(app, actor, (tx) => shown(tx, scope, actor, subject)),
  });
};

/** A change of what an import does next, with its audit row. */
const step =
  (action: string, change: (app: App, tx: Tx, scope: Scope, id: number, actor: Actor) => Promise<unknown>) =>
  (app: App, actor: Actor, { id }: { id: number }, request: RequestContext): Promise<Import> =>
    read(app, actor, async (tx, scope) => {
      await change(app, tx, scope, id, actor);
      const found = await importOf(tx, scope, id);
      await audit(tx, actor, request, action, found);
      return importFor(actor, found);
    });

export const pause = step('pause', (_app, tx, scope, id) => pauseIn(tx, scope, id));
export const resume = step('resume', (_app, tx, scope, id, { account_id }) => resumeIn(tx, scope, id, account_id));
export const cancel = step('cancel', (app, tx, scope, id) => cancelIn(tx, scope, id, app.clock.now()));

/** The user's own sheet in part, so that no right to export is needed; a sheet of others needs it and has masked phones. It is in the audit log as every export is. */
export const failedRows = (
  app: App,
  actor: Actor,
  { id, language = 'zh' }: ParsedOf<typeof calls.failedImportRows>,
  request: RequestContext,
): Promise<FileAnswer> =>
  read(app, actor, async (tx, scope) => {
    const found = await readStored(tx, scope, id, ['ready', 'ordering', 'paused', 'done', 'cancelled']);
    const masked = !showsPhones(actor, found);
    if (masked && actor.may_export === 0) fail('export_not_allowed');
    const { body, rows: count } = await failedFile(tx, found, { language, masked });
    await audit(tx, actor, request, 'export', found, { rows: [null, count], format: [null, 'xlsx'] });
    return { body, type: fileTypeOf.xlsx, name: `${language === 'zh' ? '未下单' : 'not-ordered'}-${id}.xlsx` };
  });

/** Of the station that is named, else of the caller's own; the office's without one has what all stations may choose. */
export const template = (app: App, actor: Actor, { station_id, language = 'zh' }: ParsedOf<typeof calls.importTemplate>): Promise<FileAnswer> =>
  read(app, actor, async (tx, scope) => {
    const station = station_id === undefined && actor.station_id === null ? null : await activeStationFor(tx, scope, actor, station_id);
    return {
      body: await templateFile(tx, scope, station?.id ?? null, language),
      type: fileTypeOf.xlsx,
      name: language === 'zh' ? '运单导入模板.xlsx' : 'parcel-import-template.xlsx',
    };
  });
