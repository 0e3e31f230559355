import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { newestImports } from '#domain/imports/imports.ts';
import type { ReaderWork } from '#platform/db/db.ts';

/** Finds the newest imports by a part of their file name. */
const find = (_app: App, work: ReaderWork, q: string): Promise<Found['imports'][]> =>
  newestImports(work, q, mostFound + 1);

export const foundImports: FeaturePart = { finds: { imports: find } };
