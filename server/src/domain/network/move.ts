import type { ReaderWork } from '#platform/db/db.ts';
import { updateRow } from '#platform/db/rows.ts';
import { failFields } from '#platform/fail.ts';
import { checkParent, checkRates } from './chain.ts';
import { checkDiscounts } from './discounts.ts';
import type { StationRow } from './tree.ts';

/**
 * Moves a locked station under another parent; null moves it to the top, which only an admin may
 * do. The caller must have locked the network. Fails on `parent_id` if the move is not allowed.
 */
export const moveBelow = async (
  work: ReaderWork,
  before: StationRow,
  parent_id: number | null,
  at: Date,
): Promise<StationRow> => {
  if (parent_id === null && work.actor.role === 'partner')
    return failFields({ parent_id: { code: 'required' } });
  if (parent_id !== null) await checkParent(work, before.id, parent_id);
  const after = await updateRow(work, 'stations', before, {
    version: before.version,
    values: { parent_id },
  });
  await checkDiscounts(work, after, 'parent', at);
  await checkRates(work, before.id, 'parent_id');
  return after;
};
