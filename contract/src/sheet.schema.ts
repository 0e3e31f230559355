import * as z from 'zod/mini';

/** A cell of an uploaded sheet that cannot be read, and what to enter. */
const sheetProblem = z.object({
  /** The row's number and the column's letters, as a spreadsheet shows them. */
  line: z.int(),
  column: z.string(),
  title: z.string(),
  value: z.string(),
  reason: z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }),
});
export type SheetProblem = z.infer<typeof sheetProblem>;

export const sheetProblems = {
  problems: z.array(sheetProblem),
  /** All of them; the first 200 are listed. */
  problems_total: z.int(),
};
