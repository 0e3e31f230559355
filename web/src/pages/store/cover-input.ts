import { pickupRules } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { parsePhone } from '@waystation/contract/parcels/phone.ts';
import type { OrderForm, Party } from '#parcels/orders/form.ts';

/**
 * The key under which a coverage answer is stored: the carrier, followed by the product if the
 * carrier's pickup windows depend on the product.
 */
export const coverageKey = ({
  provider,
  promise_id = '',
}: {
  provider: Provider;
  promise_id?: string | undefined;
}): string => (pickupRules(provider).windows_by_product ? `${provider} ${promise_id}` : provider);

/**
 * The input of a coverage request for an order. Null if the sender's or the receiver's place is
 * incomplete. `fresh` is true to ask the carrier again instead of using a stored answer. `product`
 * is the product that will be ordered.
 */
export const coverInput = (
  { station_id, customer_code, sender, receiver }: OrderForm,
  provider: Provider,
  fresh = false,
  product = '',
) => {
  if (
    [sender, receiver].some(
      ({ place, address }) => place.city === '' || place.county === '' || address.trim().length < 2,
    )
  )
    return null;
  const end = <S extends 'sender' | 'receive'>(side: S, { place, address }: Party) =>
    ({
      [`${side}_province`]: place.province,
      [`${side}_city`]: place.city,
      [`${side}_county`]: place.county,
      [`${side}_address`]: address.trim(),
    }) as Record<`${S}_${'province' | 'city' | 'county' | 'address'}`, string>;
  const [sender_phone, receive_phone] = [sender.phone.trim(), receiver.phone.trim()];
  const hasPhones = [sender_phone, receive_phone].every((phone) => parsePhone(phone) !== null);
  const phones = pickupRules(provider).asks_phones && hasPhones && { sender_phone, receive_phone };
  const isByProduct = product !== '' && pickupRules(provider).windows_by_product;
  return {
    ...phones,
    ...(isByProduct && { promise_id: product }),
    ...(station_id !== null && { station_id }),
    ...(customer_code !== '' && { customer_code }),
    provider,
    ...(fresh && { fresh: 1 as const }),
    ...end('sender', sender),
    ...end('receive', receiver),
  };
};
