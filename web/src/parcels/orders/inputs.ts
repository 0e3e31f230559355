import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { figuresOf } from './form.ts';
import type { OrderForm, Party } from './form.ts';

/** The data of an existing parcel that the form changes. */
export type Edited = Pick<
  Express,
  'id' | 'version' | 'state_code' | 'order_id' | 'delivery_id' | 'print_count' | 'chosen_code'
> &
  Partial<Pick<Express, 'pickup_from' | 'pickup_until'>>;

const partyFields = <S extends 'sender' | 'receive'>(side: S, party: Party) =>
  ({
    [`${side}_name`]: party.name,
    [`${side}_phone`]: party.phone,
    [`${side}_province`]: party.place.province,
    [`${side}_city`]: party.place.city,
    [`${side}_county`]: party.place.county,
    [`${side}_address`]: party.address,
  }) as Record<`${S}_${'name' | 'phone' | 'province' | 'city' | 'county' | 'address'}`, string>;

/** The fields of the chosen pickup window. Both are null for a pickup as soon as possible. */
const pickupFields = ({ pickup }: OrderForm) => {
  const [pickup_from = null, pickup_until = null] = pickup ? pickup.split('/') : [];
  return { pickup_from, pickup_until };
};

/**
 * The input for changing a parcel that the carrier already has. It contains only fields that can
 * still change. The sender, the goods and the third-party number cannot, and the pickup window can
 * only with some carriers.
 */
const sentInput = (form: OrderForm) => {
  const figures = figuresOf(form);
  return {
    ...partyFields('receive', form.receiver),
    promise_id: form.promise_id,
    remark: form.remark,
    description: form.description,
    weight: figures.weight ?? 0,
    package_count: figures.package_count ?? 1,
    guarantee_value_amount: figures.guarantee_value_amount ?? 0,
    length: figures.length ?? 0,
    width: figures.width ?? 0,
    height: figures.height ?? 0,
    ...pickupFields(form),
  };
};

/** The form as the order endpoint needs it, without a price. The form must have no problems. */
const unpricedInput = (form: OrderForm) => ({
  ...(form.station_id !== null && { station_id: form.station_id }),
  sender_id: form.sender.contact_id,
  receive_id: form.receiver.contact_id,
  ...partyFields('sender', form.sender),
  ...sentInput(form),
  goods: form.goods,
  trans_type: form.trans_type === '2' ? (2 as const) : (1 as const),
  thr_order_id: form.thr_order_id,
  ...(form.customer_code !== '' && { customer_code: form.customer_code }),
});

/** The input for ordering a parcel, with the price that was shown to the user. */
export const orderInput = (form: OrderForm, expected_amount: number | null) => ({
  ...unpricedInput(form),
  ...(expected_amount !== null && { expected_amount }),
});

/**
 * The input for changing a parcel that the carrier does not have: the whole form. It has no
 * `expected_amount`, because the following order contains the price. If the form no longer has the
 * account that a user chose, the station's account applies again.
 */
const unsentInput = ({ chosen_code = '' }: Edited, form: OrderForm) => ({
  ...unpricedInput(form),
  ...(chosen_code !== '' && { customer_code: form.customer_code }),
});

/** The input for changing a parcel. The state of the parcel decides which fields it contains. */
export const editInput = (edited: Edited, form: OrderForm) => ({
  id: edited.id,
  version: edited.version,
  ...(edited.state_code === stateCode.awaitingPickup ? sentInput(form) : unsentInput(edited, form)),
});

/** The input for storing a draft. It contains only the valid parts of the form. */
export const draftInput = (form: OrderForm) => ({
  draft: 1 as const,
  ...unpricedInput(form),
});

/**
 * The input for a quote; null if a part is missing. `edited` is the id of a changed parcel that the
 * carrier has. The stored terms of this parcel then determine the price.
 */
export const quoteInput = (form: OrderForm, edited: number | null = null) => {
  const { weight, length, width, height, guarantee_value_amount, package_count } = figuresOf(form);
  const { sender, receiver } = form;
  if (
    weight === null ||
    weight <= 0 ||
    guarantee_value_amount === null ||
    sender.place.city === '' ||
    receiver.place.city === ''
  )
    return null;
  return {
    ...(form.station_id !== null && { station_id: form.station_id }),
    ...(edited !== null && { express_id: edited }),
    ...(edited === null && form.customer_code !== '' && { customer_code: form.customer_code }),
    sender_province: sender.place.province,
    sender_city: sender.place.city,
    sender_county: sender.place.county,
    receive_province: receiver.place.province,
    receive_city: receiver.place.city,
    receive_county: receiver.place.county,
    weight,
    package_count:
      package_count !== null && package_count >= 1 && package_count <= 50 ? package_count : 1,
    length: length ?? 0,
    width: width ?? 0,
    height: height ?? 0,
    guarantee_value_amount,
  };
};

const parts: Record<string, string> = {
  id: 'name',
  province: 'place',
  city: 'place',
  county: 'place',
};

/** The name of the form's field that corresponds to a field of the server. */
const enteredIn = (name: string): string => {
  const [side = '', part = ''] = name.split('_');
  if (side === 'sender') return `sender.${parts[part] ?? part}`;
  if (side === 'receive') return `receiver.${parts[part] ?? part}`;
  if (side === 'pickup') return side;
  return side === 'guarantee' ? 'insured' : name;
};

/** The server's error texts by the names of the form's fields. */
export const formErrors = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, words]) => [enteredIn(name), words]));
