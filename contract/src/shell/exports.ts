import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './exports.schema.ts';

/**
 * Up to this number of rows the response is the file itself; a larger export is made in the
 * background.
 */
export const exportAtOnce = 5_000;

/** The largest number of selected rows in one export. */
export const mostChosen = 1_000;

export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Exports a list as a file, with the list's filters and sort order. With `ids`, if the list can be
 * read by ids, it exports only the selected rows, in this order. The input contains the columns;
 * the visible rows and the masking are those of the list. The response is the file. Above
 * `exportAtOnce` rows it is `{job_id}`, and the file can be read later at
 * `/api/arco/jobs/{id}/file`.
 */
export const requestExport = endpoint<typeof schemas.requestExport>({
  method: 'POST',
  path: '/api/arco/exports',
  roles: everyone,
  answers: 'file',
  summary:
    'A list as XLSX or CSV; of more than 5,000 rows as a background job. The roles are those of the list.',
});
