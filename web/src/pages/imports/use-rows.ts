import { listImportRows } from '@waystation/contract/imports/import.ts';
import type { ImportRow } from '@waystation/contract/imports/import.ts';
import { useCalls } from '#base/query.ts';
import type { RowWindow } from '#resource/table/row-window.ts';

/**
 * The number of rows per request. Each request starts at a multiple of it, so that scrolling never
 * requests a row a second time.
 */
const together = 100;

/** The loaded rows of the visible part, by row number; rows that are not loaded yet are missing. */
export const useRows = (
  id: number,
  numbers: readonly number[],
  { start, end }: RowWindow,
): ReadonlyMap<number, ImportRow> => {
  const first = Math.floor(start / together);
  const last = Math.floor(Math.max(start, end - 1) / together);
  const inputs = [];
  for (let part = first; part <= last; part++) {
    const nos = numbers.slice(part * together, (part + 1) * together);
    if (nos.length > 0) inputs.push({ id, nos: nos.join(',') });
  }
  const answers = useCalls(listImportRows, inputs);
  return new Map(answers.flatMap(({ data }) => data?.items ?? []).map((row) => [row.no, row]));
};
