import type { Express } from '@waystation/contract/parcels/express.ts';

/** The groups of fields in the drawer's details tab, in their order. */
export const fieldGroups = [
  'ids',
  'sender',
  'receive',
  'parcel',
  'weights',
  'amounts',
  'state',
  'label',
] as const;
export type FieldGroup = (typeof fieldGroups)[number];

export type FieldKind =
  | 'text'
  | 'code'
  | 'phone'
  | 'number'
  | 'cm'
  | 'money'
  | 'kg'
  | 'rate'
  | 'time'
  | 'pickup'
  | 'flag'
  | 'named'
  | 'provider'
  | 'goods_type'
  | 'trans_type'
  | 'weight_message'
  | 'state'
  | 'confirming'
  | 'claims'
  | 'state_remark'
  | 'exception'
  | 'pre_sort'
  | 'label_data';

export interface ParcelField {
  group: FieldGroup;
  kind: FieldKind;
  /** The column's width in pixels. */
  width?: number;
  /** The field with the name that belongs to this id. */
  name?: keyof Express;
  /** True if a default column of the list shows this field together with another one. */
  within?: true;
  /** True if only administrators see the field. */
  office?: true;
  /** True if the field is too large for lists, so that only the drawer shows it. */
  drawerOnly?: true;
}

/**
 * A field without a place of its own. It is shown with another field, or it describes an edit or
 * the reader instead of the parcel.
 */
type Beside = { of: keyof Express } | 'edit' | 'reader';

/**
 * For each field of a parcel, the place where it is shown. If the contract has a field without a
 * place here, the code does not compile.
 */
export const parcelPlaces = {
  delivery_id: { group: 'ids', kind: 'code', width: 176, within: true },
  id: { group: 'ids', kind: 'number', width: 72 },
  order_id: { group: 'ids', kind: 'code', width: 200 },
  thr_order_id: { group: 'ids', kind: 'code', width: 164 },
  return_delivery_id: { group: 'ids', kind: 'code', width: 200 },
  station_id: { group: 'ids', kind: 'named', width: 136, name: 'station_name' },
  user_id: { group: 'ids', kind: 'named', width: 112, name: 'user_nickname' },
  customer_code: { group: 'ids', kind: 'code', width: 156, office: true },
  provider: { group: 'ids', kind: 'provider', width: 96 },
  simulated: { group: 'ids', kind: 'flag', width: 64 },
  sender_id: { group: 'sender', kind: 'number', width: 104 },
  sender_name: { group: 'sender', kind: 'text', width: 96 },
  sender_phone: { group: 'sender', kind: 'phone', width: 116 },
  sender_province: { group: 'sender', kind: 'text', width: 88 },
  sender_city: { group: 'sender', kind: 'text', width: 88 },
  sender_county: { group: 'sender', kind: 'text', width: 88 },
  sender_address: { group: 'sender', kind: 'text', width: 200 },
  receive_id: { group: 'receive', kind: 'number', width: 104 },
  receive_name: { group: 'receive', kind: 'text', width: 96 },
  receive_phone: { group: 'receive', kind: 'phone', width: 116 },
  receive_province: { group: 'receive', kind: 'text', width: 88 },
  receive_city: { group: 'receive', kind: 'text', width: 88 },
  receive_county: { group: 'receive', kind: 'text', width: 88 },
  receive_address: { group: 'receive', kind: 'text', width: 200 },
  goods: { group: 'parcel', kind: 'text', width: 60, within: true },
  goods_type: { group: 'parcel', kind: 'goods_type', width: 112 },
  package_count: { group: 'parcel', kind: 'number', width: 40, within: true },
  trans_type: { group: 'parcel', kind: 'trans_type', width: 80 },
  promise_id: { group: 'parcel', kind: 'named', width: 120, name: 'promise_name' },
  promise_time_type: { group: 'parcel', kind: 'text', width: 132 },
  length: { group: 'parcel', kind: 'cm', width: 64 },
  width: { group: 'parcel', kind: 'cm', width: 64 },
  height: { group: 'parcel', kind: 'cm', width: 64 },
  remark: { group: 'parcel', kind: 'text', width: 144 },
  description: { group: 'parcel', kind: 'text', width: 144 },
  weight: { group: 'weights', kind: 'kg', width: 84, within: true },
  re_weight: { group: 'weights', kind: 'kg', width: 84 },
  jd_weight: { group: 'weights', kind: 'kg', width: 96 },
  jd_cal_weight: { group: 'weights', kind: 'kg', width: 120 },
  cal_weight: { group: 'weights', kind: 'kg', width: 84, within: true },
  weight_message: { group: 'weights', kind: 'weight_message', width: 200 },
  guarantee_value_amount: { group: 'amounts', kind: 'money', width: 100 },
  guarantee_amount: { group: 'amounts', kind: 'money', width: 92 },
  surcharge_amount: { group: 'amounts', kind: 'money', width: 92 },
  pre_amount: { group: 'amounts', kind: 'money', width: 96 },
  discount: { group: 'amounts', kind: 'rate', width: 128 },
  discount_amount: { group: 'amounts', kind: 'money', width: 96 },
  post_amount: { group: 'amounts', kind: 'money', width: 96, within: true },
  jd_amount: { group: 'amounts', kind: 'money', width: 96, office: true },
  project_id: { group: 'amounts', kind: 'named', width: 120, name: 'project_name' },
  voucher_id: { group: 'amounts', kind: 'named', width: 140, name: 'voucher_name' },
  state_code: { group: 'state', kind: 'number', width: 72 },
  state_txt: { group: 'state', kind: 'state', width: 96, within: true },
  state_remark: { group: 'state', kind: 'state_remark', width: 200 },
  confirming: { group: 'state', kind: 'confirming', width: 108 },
  waybill_claims: { group: 'state', kind: 'claims', width: 176, office: true },
  canceling: { group: 'state', kind: 'flag', width: 72 },
  modifying: { group: 'state', kind: 'flag', width: 72 },
  intercepting: { group: 'state', kind: 'flag', width: 84 },
  need_retry: { group: 'state', kind: 'flag', width: 112 },
  exception: { group: 'state', kind: 'exception', width: 108 },
  exception_at: { group: 'state', kind: 'time', width: 108 },
  handled_at: { group: 'state', kind: 'time', width: 108 },
  handled_note: { group: 'state', kind: 'text', width: 144 },
  cancel_uid: { group: 'state', kind: 'named', width: 112, name: 'cancel_nickname' },
  canceled_at: { group: 'state', kind: 'time', width: 108 },
  created_at: { group: 'state', kind: 'time', width: 108, within: true },
  updated_at: { group: 'state', kind: 'time', width: 108 },
  ordered_at: { group: 'state', kind: 'time', width: 108 },
  pickup_from: { group: 'state', kind: 'pickup', width: 108 },
  pickup_until: { group: 'state', kind: 'pickup', width: 108 },
  picked_up_at: { group: 'state', kind: 'time', width: 108 },
  signed_at: { group: 'state', kind: 'time', width: 108 },
  last_event_at: { group: 'state', kind: 'time', width: 108 },
  charged_at: { group: 'state', kind: 'time', width: 108 },
  print_count: { group: 'label', kind: 'number', width: 72, within: true },
  print_uid: { group: 'label', kind: 'named', width: 112, name: 'print_nickname' },
  printed_at: { group: 'label', kind: 'time', width: 108 },
  allow_print: { group: 'label', kind: 'flag', width: 80 },
  pre_sort_result: { group: 'label', kind: 'pre_sort', width: 200 },
  print_data: { group: 'label', kind: 'label_data', drawerOnly: true },
  station_name: { of: 'station_id' },
  user_nickname: { of: 'user_id' },
  promise_name: { of: 'promise_id' },
  cancel_nickname: { of: 'cancel_uid' },
  print_nickname: { of: 'print_uid' },
  project_name: { of: 'project_id' },
  voucher_name: { of: 'voucher_id' },
  state_reason: { of: 'state_remark' },
  weight_reason: { of: 'weight_message' },
  version: 'edit',
  chosen_code: 'edit',
  phones_shown: 'reader',
} as const satisfies Record<keyof Express, ParcelField | Beside>;

type Places = typeof parcelPlaces;
/**
 * The keys of the fields that have a place of their own (a `kind` in `parcelPlaces`). Fields that
 * are part of another field are excluded.
 */
export type ParcelFieldKey = {
  [K in keyof Places]: Places[K] extends ParcelField ? K : never;
}[keyof Places];

export const parcelFields = Object.entries(parcelPlaces).flatMap(
  ([key, place]): (ParcelField & { key: ParcelFieldKey })[] =>
    typeof place === 'object' && 'kind' in place ? [{ key: key as ParcelFieldKey, ...place }] : [],
);
