import { listExpresses } from '@waystation/contract/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { call } from '#base/call.ts';
import { notify } from '#ui/overlay/notify.tsx';
import type { SetSearch } from '#shell/tabs/page.ts';
import { listInput } from './filters.ts';
import type { Filters } from './filters.ts';

interface Walk {
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** The parcels before and after the opened one in the filtered list, over the page's ends. */
export const walkOf = (id: number | null, rows: readonly ExpressRow[], filters: Filters, pages: number, setSearch: SetSearch): Walk => {
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) return { onPrevious: null, onNext: null };
  const turn = async (page: number, end: 0 | -1): Promise<void> => {
    try {
      const { items } = await call(listExpresses, { ...listInput(filters), page });
      const row = items.at(end);
      if (row) setSearch({ page: page === 1 ? undefined : page, id: row.id });
    } catch (error) {
      notify.failure(error);
    }
  };
  const stepTo = (index: number): (() => void) | null => {
    const row = rows[index];
    return row ? () => setSearch({ id: row.id }) : null;
  };
  return {
    onPrevious: (at > 0 ? stepTo(at - 1) : null) ?? (filters.page > 1 ? () => void turn(filters.page - 1, -1) : null),
    onNext: stepTo(at + 1) ?? (filters.page < pages ? () => void turn(filters.page + 1, 0) : null),
  };
};
