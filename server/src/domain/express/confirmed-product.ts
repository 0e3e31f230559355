import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { Accepted } from '#domain/carriers/carriers.ts';
import { queueStatement, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';

const keyOf = (express: Pick<ExpressRow, 'id' | 'attempt'>, confirmed: string): string =>
  `product:${express.id}:${express.attempt}:${confirmed}`;

/**
 * Raises an alert if the carrier confirmed another product of the catalogue than the product that
 * was ordered and priced. Nothing is repriced: an administrator changes the parcel to that product,
 * cancels the parcel, or closes the alert. Nothing is compared if the carrier returns no product,
 * or a product that is not in the catalogue.
 */
export const compareProduct = async (
  work: Work,
  express: ExpressRow,
  { delivery_id, promise_time_type: confirmed = '' }: Partial<Accepted>,
): Promise<void> => {
  if (confirmed === '' || confirmed === express.promise_id) return;
  const names = await rowsAtOnce(
    work,
    sql<RowOf<'promises', 'promise_id' | 'promise_name'>>`select promise_id, promise_name
      from promises where provider = ${express.provider}
        and promise_id in (${confirmed}, ${express.promise_id})`,
  );
  const nameOf = (code: string): string | undefined =>
    names.find(({ promise_id }) => promise_id === code)?.promise_name;
  const name = nameOf(confirmed);
  if (name === undefined) return;
  await raiseAlertOnce(work, {
    code: 'product_differs',
    params: {
      order_id: express.order_id,
      delivery_id: delivery_id ?? express.delivery_id ?? '',
      ordered: nameOf(express.promise_id) ?? express.promise_id,
      confirmed: name,
    },
    express_id: express.id,
    station_id: express.station_id,
    key: keyOf(express, confirmed),
  });
};

/**
 * Closes the alert of `compareProduct`, because the parcel now has the confirmed product, or is
 * cancelled.
 */
export const closeProductAlert = (work: Work, express_id: number, at: Date): Promise<void> =>
  queueStatement(
    work,
    sql`update alerts set closed_at = ${at} where express_id = ${express_id}
      and code = 'product_differs' and closed_at is null`.compile(work.tx),
  );
