import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, id, reason, text, time } from '#base/fields.schema.ts';
import { noteLength } from '#base/limits.ts';
import * as endpoints from './undo.ts';

export const undoState = z.object({
  /**
   * 1: no reason against the undo is known now. The rules of each row are checked when the rows are
   * changed.
   */
  possible: flag,
  /** The number of rows that the undo would change. */
  rows: z.int(),
  /** The reason why this change cannot be undone; null if it can. */
  reason: z.nullable(reason),
  /** Changes that were made later in the same rows, the oldest first, at most five. */
  since: z.array(
    z.object({
      id: z.int(),
      at: time,
      account_name: z.string(),
      role: z.string(),
      action: z.string(),
      subject: z.string(),
      subject_id: z.nullable(z.int()),
    }),
  ),
});
export type UndoState = z.infer<typeof undoState>;

export const schemas = {
  readUndo: { input: z.object({ id }), output: undoState },
  undoChange: {
    input: z.object({ id, reason: z.optional(text(0, noteLength)) }),
    output: z.object({ rows: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
