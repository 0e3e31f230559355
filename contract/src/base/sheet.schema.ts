import * as z from 'zod/mini';

/** A cell of an uploaded sheet that cannot be read, and the value that is expected. */
const sheetProblem = z.object({
  /** The number of the row; `column`: the letters of the column, both as in a spreadsheet. */
  line: z.int(),
  column: z.string(),
  /** The name of the sheet, if several sheets are read. */
  sheet: z.optional(z.string()),
  title: z.string(),
  value: z.string(),
  reason: z.object({
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
});
export type SheetProblem = z.infer<typeof sheetProblem>;

export const sheetProblems = {
  problems: z.array(sheetProblem),
  /** The number of all problems; only the first 200 are listed. */
  problems_total: z.int(),
};
