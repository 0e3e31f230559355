import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './fields.ts';
import { everyone } from './roles.ts';
import { listName } from './views.ts';

/** Up to this many rows the file is the answer; more are made in the background. */
export const exportAtOnce = 5_000;

export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * What a list shows, as a file: the same filters and sort, the columns in the order given, scope and masking those of the list.
 * The answer is the file, or `{job_id}` where there are more rows than `exportAtOnce`; the file is then at `/api/arco/jobs/{id}/file`.
 */
export const requestExport = endpoint({
  method: 'POST',
  path: '/api/arco/exports',
  roles: everyone,
  answers: 'file',
  summary: 'A list as XLSX or CSV; of more than 5,000 rows as a background job. The roles are those of the list.',
  input: z.object({
    list: listName,
    /** The list's own query without page, page_size and cursor. */
    filters: z.record(z.string(), z.unknown()),
    columns: z
      .array(z.object({ key: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,59}$/, 'invalid')), title: text(1, 60) }))
      .check(z.minLength(1, 'required'), z.maxLength(120, 'too_long')),
    format: z.enum(exportFormats, 'invalid'),
    language: z.enum(['zh', 'en'], 'invalid'),
  }),
  output: z.object({ job_id: z.int() }),
});
