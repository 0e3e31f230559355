import * as z from 'zod/mini';
import { offeredProviders } from '#network/provider.ts';
import type { Provider } from '#network/provider.ts';

/**
 * The rows of an import with the same carrier and pickup address; `row` is the first of them. With
 * `promise_id` only rows of this product.
 */
export const countedPickup = z.object({
  row: z.int(),
  /**
   * The first row for each other city of a receiver. If the carrier does not serve the city of
   * `row`, the pickup windows are requested for one of these rows.
   */
  others: z.optional(z.array(z.int())),
  provider: z.enum(offeredProviders as [Provider, ...Provider[]]),
  rows: z.int(),
  promise_id: z.optional(z.string()),
});

const place = z.string();
/** The addresses and the phones of sender and receiver of a row. */
const places = z.object({
  sender_province: place,
  sender_city: place,
  sender_county: place,
  sender_address: place,
  receive_province: place,
  receive_city: place,
  receive_county: place,
  receive_address: place,
  sender_phone: place,
  receive_phone: place,
});

/**
 * A pickup of an import. The places of its first row and of its other rows are needed to ask the
 * carrier for pickup windows.
 */
export const importPickup = z.object({
  ...countedPickup.shape,
  places,
  other_places: z.array(places),
});
export type ImportPickup = z.infer<typeof importPickup>;
