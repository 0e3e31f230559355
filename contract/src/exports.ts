import { endpoint } from './endpoint.ts';
import { everyone } from './roles.ts';
import type { schemas } from './exports.schema.ts';

/** Up to this many rows the file is the answer; more are made in the background. */
export const exportAtOnce = 5_000;

/** Chosen rows of an export at most. */
export const mostChosen = 1_000;

export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * What a list shows, as a file: the same filters and sort, or the chosen rows alone (`ids`, in their order; of lists that are read by ids), the columns in the order given, scope and masking those of the list.
 * The answer is the file, or `{job_id}` where there are more rows than `exportAtOnce`; the file is then at `/api/arco/jobs/{id}/file`.
 */
export const requestExport = endpoint<typeof schemas.requestExport>({
  method: 'POST',
  path: '/api/arco/exports',
  roles: everyone,
  answers: 'file',
  summary: 'A list as XLSX or CSV; of more than 5,000 rows as a background job. The roles are those of the list.',
});
