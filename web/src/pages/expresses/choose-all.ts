import { mostPageSize, mostSheetParcels } from '@waystation/contract/limits.ts';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { listInput } from '#resource/list/list-filters.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';

/** Every parcel the filters find, page by page in the list's order, as many as one sheet of labels takes. */
const allOf = async (place: ListPlace): Promise<ExpressRow[]> => {
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

/** Choosing all that match, not the page alone; `busy` while they are read. */
export const useChooseAll = (place: ListPlace, choose: (rows: readonly ExpressRow[]) => void): { busy: boolean; run: () => void } => {
  const { busy, run } = useActions<'all'>();
  return { busy: busy.size > 0, run: () => void run('all', async () => choose(await allOf(place))) };
};
