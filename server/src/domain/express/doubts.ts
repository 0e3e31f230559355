import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { Accepted } from '#domain/carriers/carriers.ts';
import type { Work } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';

/**
 * Raises alerts about an accepted order that a person must check. Either the carrier returned a
 * waybill but does not serve the order, or the first call of a later attempt found a stored order,
 * which may have the content of an earlier attempt.
 */
export const raiseDoubts = async (
  work: Work,
  express: ExpressRow,
  { delivery_id, repeated, unreachable }: Partial<Accepted>,
): Promise<void> => {
  const { id: express_id, attempt, order_id, order_tries, station_id } = express;
  const about = { order_id, delivery_id: delivery_id ?? express.delivery_id ?? '' };
  if (unreachable !== undefined)
    await raiseAlertOnce(work, {
      code: 'order_unreachable',
      params: { ...about, text: unreachable },
      express_id,
      station_id,
      key: `unreachable:${express_id}:${attempt}`,
    });
  if (repeated === true && attempt > 1 && order_tries === 1)
    await raiseAlertOnce(work, {
      code: 'order_of_earlier_attempt',
      params: about,
      express_id,
      station_id,
      key: `earlier:${express_id}:${attempt}`,
    });
};
