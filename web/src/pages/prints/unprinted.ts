import { mostPageSize, mostSheetParcels } from '@waystation/contract/limits.ts';
import { boundedPrints, listPrints } from '@waystation/contract/print.ts';
import type { PrintRecord, PrintResult } from '@waystation/contract/print.ts';
import type { InputOf, OutputOf } from '@waystation/contract/endpoint.ts';
import { call } from '#base/call.ts';
import type { Printable } from '#printing/printable.ts';
import { boundedPlace, filterInput } from '#resource/list/list-filters.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';
import { printablesOf } from './printable.ts';

/** The filters of a place for its labels that were not reported: within the days that the server counts and shows them. */
export const unreportedInput = (place: ListPlace, day?: string): Record<string, string> =>
  filterInput(boundedPlace({ ...place, values: { ...place.values, result: 'unreported' } }, boundedPrints, day));

/** The parcels whose labels ended so and were not printed since, in the order in which they were printed; as many as one sheet of labels takes. */
export const unprinted = async (results: readonly PrintResult[], filters: InputOf<typeof listPrints>): Promise<Printable[]> => {
  const rows: PrintRecord[] = [];
  for (const result of results)
    for (let cursor: string | null | undefined; cursor !== null && rows.length < mostSheetParcels;) {
      const page: OutputOf<typeof listPrints> = await call(listPrints, {
        ...filters,
        result,
        sort: 'created_at',
        page_size: mostPageSize,
        ...(cursor && { cursor }),
      });
      rows.push(...page.items.filter(({ latest }) => latest === 1));
      cursor = page.next_cursor;
    }
  return printablesOf(rows.toSorted((a, b) => a.id - b.id).slice(0, mostSheetParcels));
};
