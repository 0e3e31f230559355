import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import { doubtfulBelow } from '@waystation/contract/parcels/address.ts';
import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import type { expressOptions } from '@waystation/contract/parcels/express-calls.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import { normalisePhone } from '@waystation/contract/parcels/phone.ts';
import { parseKg } from '@waystation/contract/base/weight.ts';
import { mostPackages } from '@waystation/contract/base/limits.ts';

export interface Party {
  /**
   * The id of the contact in the address book from which the person was taken. Null if the person
   * was typed or has been changed.
   */
  contact_id: number | null;
  name: string;
  phone: string;
  place: PlaceNames;
  address: string;
}

/**
 * The order form as the user typed it. Numbers stay strings until they are sent, so that the typed
 * text is not changed.
 */
export interface OrderForm {
  station_id: number | null;
  station_name: string;
  sender: Party;
  receiver: Party;
  goods: string;
  /** '1' for road or '2' for air. It is a string like every field of the form. */
  trans_type: string;
  weight: string;
  package_count: string;
  length: string;
  width: string;
  height: string;
  /** The declared value in yuan, as the user typed it. */
  insured: string;
  /**
   * The code of the chosen product. Empty if the user chose none; the proposed product is then
   * ordered.
   */
  promise_id: string;
  /** The carrier of the chosen product; empty if the user chose none. */
  provider: string;
  /**
   * The product to select for the next parcel, as `provider promise_id`, if the present product is
   * only for this parcel. Empty if the present product is kept.
   */
  next_choice: string;
  remark: string;
  description: string;
  thr_order_id: string;
  /**
   * The chosen pickup window as `from/until`. An empty string means a pickup as soon as possible.
   */
  pickup: string;
  /**
   * The customer code of the carrier account that an administrator chose. Empty if the account of
   * the station is used.
   */
  customer_code: string;
}

export type Options = OutputOf<typeof expressOptions>;
/** The problem of a form field. The texts of the order form use these values as keys. */
export type Problem = 'required' | 'weight' | 'pieces' | 'size' | 'size_missing' | 'yuan' | 'place';
export type Problems = Partial<Record<string, Problem>>;

export const nowhere: PlaceNames = { province: '', city: '', county: '' };
export const nobody: Party = { contact_id: null, name: '', phone: '', place: nowhere, address: '' };
export const isNobody = ({ name, phone, place, address }: Party): boolean =>
  `${name}${phone}${place.province}${place.city}${place.county}${address}`.trim() === '';
export const emptyForm: OrderForm = {
  station_id: null,
  station_name: '',
  sender: nobody,
  receiver: nobody,
  goods: '',
  trans_type: '1',
  weight: '',
  package_count: '1',
  length: '',
  width: '',
  height: '',
  insured: '',
  promise_id: '',
  provider: '',
  next_choice: '',
  remark: '',
  description: '',
  thr_order_id: '',
  pickup: '',
  customer_code: '',
};

/** The fields that a user can pin. A pinned field keeps its value for the next order. */
export const pinnable = ['goods', 'weight', 'insured', 'remark'] as const;
export type Pinnable = (typeof pinnable)[number];
/** The fields that are pinned by default, because a station usually sends the same goods. */
export const pinnedAtFirst: readonly Pinnable[] = ['goods'];

const isPlace = (value: unknown): value is PlaceNames =>
  typeof value === 'object' &&
  value !== null &&
  'province' in value &&
  'city' in value &&
  'county' in value;

const isParty = (value: unknown): value is Party =>
  typeof value === 'object' && value !== null && isPlace((value as Party).place);

/**
 * Restores the form from a stored draft. A value of an older version that is not valid any more is
 * left empty.
 */
export const restored = (draft: Partial<OrderForm> | null): OrderForm => {
  if (draft === null) return emptyForm;
  const texts = Object.fromEntries(
    Object.entries(emptyForm).map(([name, empty]) => [
      name,
      typeof empty === 'string' && typeof draft[name as 'goods'] === 'string'
        ? draft[name as 'goods']
        : empty,
    ]),
  ) as unknown as OrderForm;
  return {
    ...texts,
    station_id: typeof draft.station_id === 'number' ? draft.station_id : null,
    sender: isParty(draft.sender) ? { ...nobody, ...draft.sender } : nobody,
    receiver: isParty(draft.receiver) ? { ...nobody, ...draft.receiver } : nobody,
  };
};

export const receiverFrom = (candidate: AddressCandidate): Party => ({
  contact_id: null,
  name: candidate.name,
  phone: candidate.extension === '' ? candidate.phone : `${candidate.phone}-${candidate.extension}`,
  place: { province: candidate.province, city: candidate.city, county: candidate.county },
  address: candidate.address,
});

export type Doubts = Partial<Record<'name' | 'phone' | 'place' | 'address', true>>;

/**
 * The parts of a pasted address that were recognised with low confidence. The user should check
 * them.
 */
export const doubtsOf = ({ confidence }: AddressCandidate): Doubts => ({
  ...(confidence.name < doubtfulBelow && { name: true as const }),
  ...(confidence.phone < doubtfulBelow && { phone: true as const }),
  ...(Math.min(confidence.province, confidence.city, confidence.county) < doubtfulBelow && {
    place: true as const,
  }),
  ...(confidence.address < doubtfulBelow && { address: true as const }),
});

export const senderOf = ({ station }: Options): Party => ({
  contact_id: null,
  name: station.sender_name,
  phone: station.sender_phone,
  place: { province: station.province, city: station.city, county: station.county },
  address: station.address,
});

/**
 * The station's default sender. A value that the user typed before the default was loaded replaces
 * the default value.
 */
export const senderUnder = (typed: Party, options: Options): Party => {
  const known = senderOf(options);
  return {
    contact_id: typed.contact_id,
    name: typed.name || known.name,
    phone: typed.phone || known.phone,
    place: typed.place.province === '' ? known.place : typed.place,
    address: typed.address || known.address,
  };
};

const count = (text: string): number | null =>
  /^\d{1,3}$/.test(text.normalize('NFKC').trim()) ? Number(text.normalize('NFKC').trim()) : null;
const sizes = ['length', 'width', 'height'] as const;

/** The typed numbers in grams, fen and centimetres. An invalid number becomes null. */
export const figuresOf = (form: OrderForm) => ({
  weight: parseKg(form.weight),
  package_count: count(form.package_count),
  guarantee_value_amount: form.insured.trim() === '' ? 0 : parseYuan(form.insured),
  ...(Object.fromEntries(
    sizes.map((size) => [size, form[size].trim() === '' ? 0 : count(form[size])]),
  ) as Record<(typeof sizes)[number], number | null>),
});

/**
 * The problems that prevent ordering. Only problems that can be found without the server are
 * included.
 */
export const problemsOf = (form: OrderForm): Problems => {
  const problems: Problems = {};
  for (const side of ['sender', 'receiver'] as const) {
    const party = form[side];
    for (const part of ['name', 'phone', 'address'] as const)
      if (party[part].trim() === '') problems[`${side}.${part}`] = 'required';
    if (party.place.province === '' || party.place.city === '') problems[`${side}.place`] = 'place';
  }
  const figures = figuresOf(form);
  if (form.goods === '') problems['goods'] = 'required';
  if (form.promise_id === '') problems['promise_id'] = 'required';
  if (form.weight.trim() === '') problems['weight'] = 'required';
  else if (figures.weight === null || figures.weight <= 0) problems['weight'] = 'weight';
  if (
    figures.package_count === null ||
    figures.package_count < 1 ||
    figures.package_count > mostPackages
  )
    problems['package_count'] = 'pieces';
  if (figures.guarantee_value_amount === null || figures.guarantee_value_amount < 0)
    problems['insured'] = 'yuan';
  const isAnySize = sizes.some((size) => form[size].trim() !== '');
  for (const size of sizes) {
    if (figures[size] === null) problems[size] = 'size';
    else if (isAnySize && figures[size] === 0) problems[size] = 'size_missing';
  }
  return problems;
};

/**
 * The fields in the order in which users usually fill them. The fields of the sender come last,
 * because the station provides their values.
 */
const filledInOrder = [
  'receiver.name',
  'receiver.phone',
  'receiver.place',
  'receiver.address',
  'station_id',
  'goods',
  'weight',
  'package_count',
  'sender.name',
  'sender.phone',
  'sender.place',
  'sender.address',
];

/** The first of the wrong fields, in the order of the page. */
export const firstField = (names: readonly string[]): string | undefined =>
  filledInOrder.find((name) => names.includes(name)) ?? names[0];

/**
 * The first required field that is empty, which is focused next. Null if no required field is
 * empty.
 */
export const firstEmpty = (form: OrderForm, several: boolean): string | null => {
  const problems = problemsOf(form);
  const isEmpty = (name: string): boolean =>
    name === 'station_id' ? several && form.station_id === null : problems[name] !== undefined;
  return filledInOrder.find(isEmpty) ?? null;
};

/** A text that identifies a person by name and phone. */
const who = ({ name, phone }: Party): string =>
  `${name.trim()}\n${normalisePhone(phone) ?? phone.trim()}`;
export const isSamePerson = (one: Party, other: Party): boolean => who(one) === who(other);

/** True if the user typed another receiver before the response to the sent form arrived. */
export const isTypedAhead = ({ receiver }: OrderForm, sent: OrderForm): boolean =>
  !isSamePerson(receiver, sent.receiver) && !isSamePerson(receiver, nobody);

/**
 * The changes of the form if the user chooses a product for this parcel only. `next_choice` keeps
 * the earlier choice for the next parcel.
 */
export const choiceOnce = (
  { promise_id, provider, next_choice }: OrderForm,
  choice: Pick<OrderForm, 'promise_id' | 'provider'>,
): Partial<OrderForm> => ({ ...choice, next_choice: next_choice || `${provider} ${promise_id}` });

const choiceAfter = ({
  promise_id,
  provider,
  next_choice,
}: OrderForm): Pick<OrderForm, 'promise_id' | 'provider'> => {
  if (next_choice === '') return { promise_id, provider };
  const [nextProvider = '', nextProduct = ''] = next_choice.split(' ');
  return { promise_id: nextProduct, provider: nextProvider };
};

/**
 * The form for the next order. It keeps the sender and the pinned fields and has no receiver.
 * `sent` is the form that was ordered. If another receiver has been typed since the order, that
 * receiver is kept.
 */
export const nextForm = (
  form: OrderForm,
  pins: readonly Pinnable[],
  sent: OrderForm = form,
): OrderForm => ({
  ...emptyForm,
  station_id: form.station_id,
  station_name: form.station_name,
  sender: form.sender,
  ...choiceAfter(form),
  ...Object.fromEntries(pins.map((pin) => [pin, form[pin]])),
  ...(isTypedAhead(form, sent) &&
    Object.fromEntries(
      Object.entries(form).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof OrderForm]),
      ),
    )),
});
