/**
 * The fields that every row of the list contains, even if they were not requested: the parcel's
 * numbers, its state, and the fields that its actions and their dialogs need.
 */
export const rowFields = [
  'id',
  'version',
  'station_id',
  'station_name',
  'delivery_id',
  'order_id',
  'simulated',
  'state_code',
  'state_remark',
  'state_reason',
  'intercepting',
  'canceling',
  'need_retry',
  'modifying',
  'confirming',
  'exception',
  'handled_at',
  'allow_print',
  'print_count',
  'receive_name',
  'receive_phone',
  'phones_shown',
  'weight',
  're_weight',
  'post_amount',
] as const;
export type RowField = (typeof rowFields)[number];

/** The fields that the list's default columns need, besides `rowFields`. */
export const defaultFields = [
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'goods',
  'jd_weight',
  'cal_weight',
  'voucher_id',
  'printed_at',
  'created_at',
  'last_event_at',
  'exception_at',
] as const;
