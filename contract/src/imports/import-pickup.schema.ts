import * as z from 'zod/mini';
import { offeredProviders } from '#network/provider.ts';
import type { Provider } from '#network/provider.ts';

/** Rows of one carrier and pickup address; `row` is the first of them. */
export const countedPickup = z.object({
  row: z.int(),
  provider: z.enum(offeredProviders as [Provider, ...Provider[]]),
  rows: z.int(),
});

const place = z.string();
/** A pickup with the places of its first row, for the question about its windows. */
export const importPickup = z.object({
  ...countedPickup.shape,
  places: z.object({
    sender_province: place,
    sender_city: place,
    sender_county: place,
    sender_address: place,
    receive_province: place,
    receive_city: place,
    receive_county: place,
    receive_address: place,
  }),
});
export type ImportPickup = z.infer<typeof importPickup>;
