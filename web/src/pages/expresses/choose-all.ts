import { mostPageSize, mostSheetParcels } from '@waystation/contract/base/limits.ts';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { call } from '#base/call.ts';
import { listInput } from '#resource/list/list-filters.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';

/**
 * Requests all parcels that match the filters, page by page in the order of the list. Stops at the
 * maximum number of parcels of one print.
 */
export const allOf = async (place: ListPlace): Promise<ExpressRow[]> => {
  const rows: ExpressRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: ExpressRow[]; next_cursor: string | null } = await call(listExpresses, {
      ...listInput(place),
      page: 1,
      page_size: mostPageSize,
      // Requests only the id, because every row contains the fields that printing needs anyway.
      fields: 'id',
      ...(cursor !== null && { cursor }),
    });
    rows.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < mostSheetParcels);
  return rows.slice(0, mostSheetParcels);
};
