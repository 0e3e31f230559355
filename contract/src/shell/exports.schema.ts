import * as z from 'zod/mini';
import { listName } from './views.schema.ts';
import { id, text } from '#base/fields.schema.ts';
import { exportFormats, mostChosen } from './exports.ts';
import { withSchemas } from '#base/endpoint.ts';
import { columnTitleLength, mostExportColumns } from '#base/limits.ts';
import * as endpoints from './exports.ts';

export const schemas = {
  requestExport: {
    input: z.object({
      list: listName,
      /** The filters of the list; they do not include page, page_size and cursor. */
      filters: z.record(z.string(), z.unknown()),
      /** The ids of the selected rows in their order; if present, the filters are not applied. */
      ids: z.optional(
        z.array(id).check(z.minLength(1, 'required'), z.maxLength(mostChosen, 'too_long')),
      ),
      columns: z
        .array(
          z.object({
            key: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,59}$/, 'invalid')),
            title: text(1, columnTitleLength),
          }),
        )
        .check(z.minLength(1, 'required'), z.maxLength(mostExportColumns, 'too_long')),
      format: z.enum(exportFormats, 'invalid'),
      language: z.enum(['zh', 'en'], 'invalid'),
    }),
    output: z.object({ job_id: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
