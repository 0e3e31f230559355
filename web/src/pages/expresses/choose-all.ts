import { mostPageSize, mostSheetParcels } from '@waystation/contract/limits.ts';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { listInput } from '#resource/list/list-filters.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';

/** Every parcel the filters find, page by page in the list's order, as many as one sheet of labels takes. */
export const allOf = async (place: ListPlace): Promise<ExpressRow[]> => {
  const rows: ExpressRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: ExpressRow[]; next_cursor: string | null } = await call(listExpresses, {
      ...listInput(place),
      page: 1,
      page_size: mostPageSize,
      ...(cursor !== null && { cursor }),
    });
    rows.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < mostSheetParcels);
  return rows.slice(0, mostSheetParcels);
};
