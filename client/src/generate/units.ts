// The unit of each number in the public API, by the name of its field.

const fen = 'Fen.';
const named = new Map<string, string>([
  ...[
    'available',
    'available_from',
    'available_to',
    'balance',
    'closing',
    'credit_limit',
    'fixed_freeze',
    'fixed_profit',
    'fixed_profit_limit',
    'freeze',
    'frozen',
    'guarantee',
    'held',
    'in',
    'low_balance',
    'low_limit',
    'money',
    'opening',
    'out',
    'price',
    'profit',
    'result',
  ].map((name) => [name, fen] as const),
  ...['discount', 'northeast_discount', 'rate', 'on_time_rate', 'profit_limit'].map(
    (name) => [name, 'Basis points, 10000 = 100 %.'] as const,
  ),
  ...['length', 'width', 'height'].map((name) => [name, 'Centimetres.'] as const),
  ['volume', 'Cubic centimetres.'],
  ['divisor', 'Cubic centimetres a kilogram.'],
  ['average_hours', 'Hours.'],
  ['unmoved_hours', 'Hours.'],
  ['silent_days', 'Days.'],
  ['lasts_days', 'Days.'],
  ['ms', 'Milliseconds.'],
  ['offset_x', 'Dots of an eighth of a millimetre.'],
  ['offset_y', 'Dots of an eighth of a millimetre.'],
]);

/** The names of fields whose numbers have no unit: counts, numbers and ids. */
const plain = new Set([
  'address',
  'attempts',
  'children',
  'city',
  'county',
  'darkness',
  'delivery',
  'dropped',
  'earned_from',
  'failures',
  'first_no',
  'goods_type',
  'http_status',
  'id',
  'ids',
  'level',
  'lines',
  'name',
  'no',
  'offers',
  'northeast',
  'our_state',
  'package_count',
  'page',
  'page_size',
  'parcels_30d',
  'phone',
  'print_count',
  'province',
  'replayed',
  'rows_total',
  'searched_before',
  'searched_to',
  'seq',
  'start',
  'state_code',
  'status',
  'steps',
  'tabs',
  'total',
  'trans_type',
  'type',
  'users',
  'version',
  'voucher_no',
  'voucher_version',
  'waiting',
  'params',
  'has_amount',
]);

/**
 * The unit of the number in the field `name`; empty if the number has no unit. Throws if no list
 * contains the name.
 */
export const unitOf = (name: string): string => {
  if (plain.has(name) || /_u?id$/.test(name)) return '';
  const unit =
    named.get(name) ??
    (/(?:^|_)amount(?:_|$)/.test(name) ? fen : /(?:^|_)weight(?:_|$)/.test(name) ? 'Grams.' : null);
  if (unit === null) throw new Error(`units.ts does not know the number "${name}"`);
  return unit;
};
