import { calls } from '@waystation/contract/imports/import.schema.ts';
import { feature } from '#feature.ts';
import { importTasks } from '#domain/imports/imports.ts';
import { route } from '#platform/http/route.ts';
import { foundImports } from './find-imports.ts';
import * as handlers from './imports.ts';

export const imports = feature(foundImports, {
  routes: [
    route(calls.listImports, handlers.list),
    route(calls.createImport, handlers.create),
    route(calls.importTemplate, handlers.template),
    route(calls.getImport, handlers.get),
    route(calls.importMarksOf, handlers.marks),
    route(calls.listImportRows, handlers.rows),
    route(calls.changeImportRow, handlers.changeRow),
    route(calls.revealImportRow, handlers.reveal),
    route(calls.changeImportRows, handlers.changeRows),
    route(calls.undoImportEdit, handlers.undo),
    route(calls.redoImportEdit, handlers.redo),
    route(calls.importHead, handlers.head),
    route(calls.sampleImport, handlers.sample),
    route(calls.mapImport, handlers.map),
    route(calls.quoteImport, handlers.quote),
    route(calls.confirmImport, handlers.confirm),
    route(calls.pauseImport, handlers.pause),
    route(calls.resumeImport, handlers.resume),
    route(calls.cancelImport, handlers.cancel),
    route(calls.failedImportRows, handlers.failedRows),
  ],
  tasks: importTasks,
});
