import { listExpresses } from '@waystation/contract/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { listInput } from '#resource/list/list-filters.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';

/** As many as one sheet of labels takes (contract/src/express-calls.ts). */
export const mostChosen = 2_000;
const pageSize = 200;

/** Every parcel the filters find, page by page in the list's order, at most 2,000. */
const allOf = async (place: ListPlace): Promise<ExpressRow[]> => {
  const rows: ExpressRow[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: ExpressRow[]; next_cursor: string | null } = await call(listExpresses, {
      ...listInput(place),
      page: 1,
      page_size: pageSize,
      ...(cursor !== null && { cursor }),
    });
    rows.push(...page.items);
    cursor = page.items.length < pageSize ? null : page.next_cursor;
  } while (cursor !== null && rows.length < mostChosen);
  return rows.slice(0, mostChosen);
};

/** Choosing all that match, not the page alone; `busy` while they are read. */
export const useChooseAll = (place: ListPlace, choose: (rows: readonly ExpressRow[]) => void): { busy: boolean; run: () => void } => {
  const { busy, run } = useActions<'all'>();
  return { busy: busy.size > 0, run: () => void run('all', async () => choose(await allOf(place))) };
};
