import { mostPageSize, mostSheetParcels } from '@waystation/contract/base/limits.ts';
import { boundedPrints, listPrints } from '@waystation/contract/parcels/print.ts';
import type { PrintRecord, PrintResult } from '@waystation/contract/parcels/print.ts';
import type { InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { call } from '#base/call.ts';
import type { Printable } from '#printing/printable.ts';
import { boundedPlace, filterInput } from '#resource/list/list-filters.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';
import { printablesOf } from './printable.ts';

/**
 * The filters of the list `place`, changed so that it shows labels without a result. The days are
 * limited to those in which the server counts such labels.
 */
export const unreportedInput = (place: ListPlace, day?: string): Record<string, string> =>
  filterInput(
    boundedPlace(
      { ...place, values: { ...place.values, result: 'unreported' } },
      boundedPrints,
      day,
    ),
  );

/**
 * The parcels whose labels have this result and have not been printed again since, in the order of
 * printing. At most as many parcels are returned as one print may contain.
 */
export const unprinted = async (
  results: readonly PrintResult[],
  filters: InputOf<typeof listPrints>,
): Promise<Printable[]> => {
  const rows: PrintRecord[] = [];
  for (const result of results)
    for (
      let cursor: string | null | undefined;
      cursor !== null && rows.length < mostSheetParcels;
    ) {
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
