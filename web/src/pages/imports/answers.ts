import {
  getImport,
  importMarks,
  importMarksOf,
  listImportRows,
  listImports,
} from '@waystation/contract/imports/import.ts';
import type { changeImportRow } from '@waystation/contract/imports/import.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { mostTouchedRows } from '@waystation/contract/base/limits.ts';
import { refresh, setAnswer, setAnswers } from '#base/query.ts';
import { importsShown } from './words.ts';

/** The string with the state of each row, in which the states of some rows are replaced. */
const withMarks = (
  marks: string,
  changed: readonly { no: number; mark: keyof typeof importMarks }[],
): string => {
  let text = marks;
  for (const { no, mark } of changed)
    text = text.slice(0, no - 1) + importMarks[mark] + text.slice(no);
  return text;
};

/**
 * Replaces a changed row without reading the states of all rows again. If this row repeats other
 * rows, the visible rows are read again. If another user has changed the import in the meantime,
 * all data are read again.
 */
export const showChangedRow = async (
  id: number,
  {
    row,
    touched,
    counts,
    undo_steps,
    redo_steps,
    import_version,
  }: OutputOf<typeof changeImportRow>,
): Promise<void> => {
  let isNext = false;
  setAnswer(importMarksOf, { id }, (known) => {
    isNext = known?.version === import_version - 1 && touched.length < mostTouchedRows;
    return isNext && known
      ? { marks: withMarks(known.marks, [row, ...touched]), version: import_version }
      : known;
  });
  if (!isNext) return refresh(...importsShown);
  setAnswer(
    getImport,
    { id },
    (known) =>
      known && { ...known, counts, undo_steps, redo_steps, quote: null, version: import_version },
  );
  setAnswers(listImportRows, (known, input) =>
    input.id === id
      ? { ...known, items: known.items.map((each) => (each.no === row.no ? row : each)) }
      : known,
  );
  void refresh(listImports);
  return touched.length > 0 ? refresh(listImportRows) : undefined;
};
