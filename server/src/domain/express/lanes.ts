import { leastLaneParcels } from '@waystation/contract/base/limits.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';

interface Product {
  provider: Provider;
  promise_id: string;
}
type Places = Pick<RowOf<'expresses'>, 'sender_city' | 'receive_province'>;

interface LaneSums extends Product {
  signed: number;
  minutes: number;
  due: number;
  on_time: number;
}

const keyOf = ({ provider, promise_id }: Product): string => `${provider} ${promise_id}`;

const laneOf = ({ signed, minutes, due, on_time }: LaneSums): Quote['lane'] =>
  signed < leastLaneParcels
    ? null
    : {
        average_hours: Math.round(minutes / signed / 60),
        // Whole percents: exact shares would tell how many parcels others send.
        on_time_rate: due < leastLaneParcels ? null : Math.round((on_time * 100) / due) * 100,
      };

/**
 * How each product kept its time in thirty days from the sender's city to the receiver's province,
 * over all stations, from sums by day; null below the least number of parcels, so that nobody
 * reads single parcels of others from it. System scope.
 */
export const lanesOf = async (
  work: Work,
  products: readonly Product[],
  { sender_city, receive_province }: Places,
  at: Date,
): Promise<(product: Product) => Quote['lane']> => {
  if (products.length === 0) return () => null;
  const rows = await rowsAtOnce(
    work,
    sql<LaneSums>`select w.provider, w.promise_id, s.signed, s.minutes, s.due, s.on_time
      from unnest(${products.map(({ provider }) => provider)}::text[],
        ${products.map(({ promise_id }) => promise_id)}::text[]) w (provider, promise_id)
      cross join lateral (select
        coalesce(sum(u.n) filter (where u.what = 'lane_signed'), 0)::bigint as signed,
        coalesce(sum(u.n) filter (where u.what = 'lane_minutes'), 0)::bigint as minutes,
        coalesce(sum(u.n) filter (where u.what = 'lane_due'), 0)::bigint as due,
        coalesce(sum(u.n) filter (where u.what = 'lane_on_time'), 0)::bigint as on_time
      from express_uses u
      where u.what in ('lane_signed', 'lane_minutes', 'lane_due', 'lane_on_time')
        and u.of_id = express_lane_key(w.provider, w.promise_id, ${sender_city},
          ${receive_province})
        and u.day > business_day(${at}) - 30 and u.day <= business_day(${at})) s`,
  );
  const lanes = new Map(rows.map((row) => [keyOf(row), laneOf(row)]));
  return (product) => lanes.get(keyOf(product)) ?? null;
};
