import type { Route } from '#platform/http/route.ts';
import type { BulkList } from './bulk.ts';
import type { ExportList } from './export-columns.ts';

/** What the file of a resource adds to the product; `resources.ts` has a line for each. */
export interface Resource<App> {
  routes: readonly Route<App>[];
  exportList: ExportList<App>;
  bulkList: BulkList<App>;
}
