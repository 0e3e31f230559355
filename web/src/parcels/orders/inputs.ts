import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { figuresOf } from './form.ts';
import type { OrderForm, Party } from './form.ts';

/** An existing parcel that is changed. */
export type Edited = Pick<
  Express,
  'id' | 'version' | 'state_code' | 'order_id' | 'delivery_id' | 'print_count' | 'chosen_code'
>;

const partyFields = <S extends 'sender' | 'receive'>(side: S, party: Party) =>
  ({
    [`${side}_name`]: party.name,
    [`${side}_phone`]: party.phone,
    [`${side}_province`]: party.place.province,
    [`${side}_city`]: party.place.city,
    [`${side}_county`]: party.place.county,
    [`${side}_address`]: party.address,
  }) as Record<`${S}_${'name' | 'phone' | 'province' | 'city' | 'county' | 'address'}`, string>;

/** The form in the form of the order call; only without problems. */
export const orderInput = (form: OrderForm, expected_amount: number | null) => {
  const figures = figuresOf(form);
  return {
    ...(form.station_id !== null && { station_id: form.station_id }),
    sender_id: form.sender.contact_id,
    receive_id: form.receiver.contact_id,
    ...partyFields('sender', form.sender),
    ...partyFields('receive', form.receiver),
    goods: form.goods,
    trans_type: form.trans_type === '2' ? (2 as const) : (1 as const),
    promise_id: form.promise_id,
    remark: form.remark,
    description: form.description,
    thr_order_id: form.thr_order_id,
    weight: figures.weight ?? 0,
    package_count: figures.package_count ?? 1,
    guarantee_value_amount: figures.guarantee_value_amount ?? 0,
    length: figures.length ?? 0,
    width: figures.width ?? 0,
    height: figures.height ?? 0,
    ...(form.customer_code !== '' && { customer_code: form.customer_code }),
    ...(expected_amount !== null && { expected_amount }),
  };
};

/**
 * The fields that may still change once the carrier has the parcel: not its sender, its goods or
 * its customer's number.
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
  };
};

/**
 * A change of a parcel that the carrier does not have: the whole form. Without a key of its own,
 * `expected_amount` is left to the order that follows. A chosen account that the form no longer has
 * is removed from it, so that its station's applies.
 */
const unsentInput = ({ chosen_code = '' }: Edited, form: OrderForm) => ({
  ...orderInput(form, null),
  ...(chosen_code !== '' && { customer_code: form.customer_code }),
});

/** The input of an edit; the parcel's state decides how much of it may change. */
export const editInput = (edited: Edited, form: OrderForm) => ({
  id: edited.id,
  version: edited.version,
  ...(edited.state_code === stateCode.awaitingPickup ? sentInput(form) : unsentInput(edited, form)),
});

/** The readable part of the form, stored as a draft; unreadable figures are left out. */
export const draftInput = (form: OrderForm) => {
  const { expected_amount: _, ...input } = { expected_amount: null, ...orderInput(form, null) };
  return { draft: 1 as const, ...input };
};

/**
 * The input of a quote; null while a part is missing. `edited` is the sent parcel whose frozen
 * terms price it.
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

/**
 * The input of a coverage check before an order; null while one of the two places is incomplete.
 */
export const coverInput = (
  { station_id, customer_code, sender, receiver }: OrderForm,
  provider: Provider,
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
  return {
    ...(station_id !== null && { station_id }),
    ...(customer_code !== '' && { customer_code }),
    provider,
    ...end('sender', sender),
    ...end('receive', receiver),
  };
};

const names: Record<string, string> = {
  sender_id: 'sender.name',
  receive_id: 'receiver.name',
  sender_name: 'sender.name',
  sender_phone: 'sender.phone',
  sender_province: 'sender.place',
  sender_city: 'sender.place',
  sender_county: 'sender.place',
  sender_address: 'sender.address',
  receive_name: 'receiver.name',
  receive_phone: 'receiver.phone',
  receive_province: 'receiver.place',
  receive_city: 'receiver.place',
  receive_county: 'receiver.place',
  receive_address: 'receiver.address',
  guarantee_value_amount: 'insured',
};

/** The server's fields under their names in the form. */
export const formErrors = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, words]) => [names[name] ?? name, words]));

/**
 * A new form with the content of an earlier parcel; `same`: it is that parcel, with its customer's
 * own number.
 */
export const copiedForm = (
  express: Express,
  phones: { sender_phone: string; receive_phone: string },
  same: boolean,
): OrderForm => {
  const party = (side: 'sender' | 'receive'): Party => ({
    contact_id: express[`${side}_id`],
    name: express[`${side}_name`].replace(erasedName, ''),
    phone: phones[`${side}_phone`],
    place: {
      province: express[`${side}_province`],
      city: express[`${side}_city`],
      county: express[`${side}_county`],
    },
    address: express[`${side}_address`],
  });
  const side = (value: number): string => (value > 0 ? String(value) : '');
  return {
    station_id: express.station_id,
    station_name: express.station_name,
    sender: party('sender'),
    receiver: party('receive'),
    goods: express.goods,
    trans_type: String(express.trans_type),
    weight: express.weight > 0 ? kgText(express.weight) : '',
    package_count: String(express.package_count),
    length: side(express.length),
    width: side(express.width),
    height: side(express.height),
    insured: express.guarantee_value_amount > 0 ? yuanText(express.guarantee_value_amount) : '',
    promise_id: express.promise_id,
    remark: express.remark,
    description: express.description,
    thr_order_id: same ? express.thr_order_id : '',
    // The account used may be its station's.
    customer_code: same ? (express.chosen_code ?? '') : '',
  };
};
