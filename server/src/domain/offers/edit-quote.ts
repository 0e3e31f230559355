import { changesPart } from '@waystation/contract/network/provider.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { present } from '@waystation/contract/base/present.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { shownQuote } from './quotes.ts';
import type { PricedOffer } from './quotes.ts';
import { priceExpress } from './price.ts';
import type { PriceFacts } from './price.ts';
import { templateOf, versionThen } from './terms.ts';

type ExpressRow = RowOf<'expresses'>;
type Named = Pick<Quote, 'promise_id' | 'promise_name' | 'promise_name_en'>;

/**
 * The delivery-time options of the parcel's scheme and carrier. The parcel's own option is included
 * even if the scheme no longer has it.
 */
const promisesOf = async (
  work: Work,
  { project_id, provider, promise_id }: ExpressRow,
): Promise<Named[]> => {
  const { rows } = await sql<Named>`
    select p.promise_id, p.promise_name, p.promise_name_en from promises p
    where p.provider = ${provider} and (p.promise_id = ${promise_id}
      or (p.status = 1 and exists (select from project_vouchers b
        where b.project_id = ${project_id} and (b.provider, b.promise_id) = (p.provider,
        p.promise_id))))
    order by p.sort, p.id`.execute(work.tx);
  return rows;
};

/**
 * The reason why a parcel must keep its delivery-time option; null if another option may be chosen.
 */
const reasonOfOwn = (
  { provider, promise_id, post_amount }: ExpressRow,
  allow_select: 0 | 1,
): PricedOffer['reason'] => {
  if (!changesPart(provider, 'product')) return { code: 'carrier_cannot_modify' };
  return allow_select === 1 ? null : { code: 'cheapest_only', params: { promise_id, post_amount } };
};

/**
 * Quotes for an edit of a parcel in state 100, priced as `editSent` will price it. The parcel's own
 * option is priced by the stored terms. Any other option is priced by the template that it had when
 * these terms were stored. Needs the system scope. Only the parcel's own option is selectable if
 * `allow_select` is 0, or if the carrier cannot change the product.
 */
export const quoteEdit = async (
  work: Work,
  express: ExpressRow,
  facts: PriceFacts,
  allow_select: 0 | 1,
): Promise<{ quotes: Quote[]; northeast: 0 | 1 }> => {
  const quotes: Quote[] = [];
  let northeast: 0 | 1 = 0;
  for (const promise of await promisesOf(work, express)) {
    const own = promise.promise_id === express.promise_id;
    const version = own
      ? {
          ...present(express.terms).voucher,
          voucher_id: express.voucher_id!,
          voucher_no: express.voucher_no!,
        }
      : await versionThen(work, express, promise.promise_id);
    if (!version) continue;
    const { voucher_id, voucher_no, name, discount, northeast_discount } = version;
    const terms = {
      ...present(express.terms),
      voucher: { id: voucher_id, version: voucher_no, name, discount, northeast_discount },
    };
    const priced = priceExpress(facts, await templateOf(work, terms), terms);
    if (priced.price?.northeast === 1) northeast = 1;
    const fixed = own ? null : reasonOfOwn(express, allow_select);
    const offer = {
      ...promise,
      provider: express.provider,
      voucher_id,
      voucher_name: name,
      voucher_no,
    };
    const reason = priced.price ? fixed : priced.error;
    quotes.push(
      shownQuote({
        offer,
        price: priced.price ?? null,
        selectable: reason === null ? 1 : 0,
        reason,
        cheapest: 0,
      }),
    );
  }
  return { quotes: withCheapest(quotes), northeast };
};

const withCheapest = (quotes: Quote[]): Quote[] => {
  const least = Math.min(
    ...quotes.flatMap(({ post_amount, selectable }) =>
      selectable === 1 && post_amount !== null ? [post_amount] : [],
    ),
  );
  const cheapest = quotes.find(
    ({ post_amount, selectable }) => selectable === 1 && post_amount === least,
  );
  return quotes.map((quote) => (quote === cheapest ? { ...quote, cheapest: 1 } : quote));
};
