import { defaultFields, rowFields } from '@waystation/contract/parcels/express-fields.ts';
import type { Express, ExpressRow, ListedField } from '@waystation/contract/parcels/express.ts';
import type { ListPlace } from '#resource/list/list-filters.ts';
import type { ColumnLayout } from '#resource/table/column-layout.ts';
import { parcelFields, parcelPlaces } from './fields.ts';

/**
 * For each column of the list, the fields that its cell uses in addition to those that every row
 * has.
 */
export const columnFields = {
  number: [],
  state: ['created_at', 'last_event_at', 'exception_at'],
  receiver: [],
  place: ['receive_province', 'receive_city', 'receive_county', 'receive_address'],
  goods: ['goods'],
  pieces: ['package_count'],
  weight: ['jd_weight', 'cal_weight'],
  cal_weight: ['cal_weight'],
  amount: ['voucher_id'],
  prints: ['printed_at'],
  created: ['created_at'],
  station: [],
  margin: ['voucher_id', 'jd_amount'],
  actions: [],
} as const satisfies Readonly<Record<string, readonly ListedField[]>>;
export type OwnColumn = keyof typeof columnFields;

/** The columns that are shown by default; all others can be added. */
const usualColumns = [
  'state',
  'place',
  'goods',
  'weight',
  'cal_weight',
  'amount',
  'prints',
  'created',
] as const satisfies readonly OwnColumn[];

/** A row of the list, with the fields that the cell of the given column needs. */
export type RowWith<K extends OwnColumn> = ExpressRow &
  Pick<Express, (typeof columnFields)[K][number]>;

/**
 * True if the row contains all these fields. A row that was loaded before a column was added lacks
 * the fields of that column.
 */
export const hasFields = (row: ExpressRow, fields: readonly ListedField[]): boolean =>
  fields.every((field) => row[field] !== undefined);

const columnFieldOf = new Map(
  parcelFields.flatMap((field) => (field.drawerOnly ? [] : [[String(field.key), field] as const])),
);

/** The fields that a column needs: its own field, and fields that its cell shows in addition. */
const fieldsOfColumn = (key: string): readonly string[] => {
  if (Object.hasOwn(columnFields, key)) return columnFields[key as OwnColumn];
  const field = columnFieldOf.get(key);
  if (field === undefined) return [];
  const beside = field.kind === 'weight_message' ? ['weight_reason'] : [];
  return [key, ...(field.name === undefined ? [] : [field.name]), ...beside];
};

const always: ReadonlySet<string> = new Set(rowFields);
const usual: ReadonlySet<string> = new Set([...rowFields, ...defaultFields]);

/**
 * The fields to request for the parcel list. They are those of the shown columns, of the sort
 * order, and of the parcel names in dialogs. Undefined if the default fields suffice, so that most
 * users send the same request.
 */
export const fieldsOf = (
  { shown, hidden }: Pick<ColumnLayout, 'shown' | 'hidden'>,
  { sort }: Pick<ListPlace, 'sort'>,
): string | undefined => {
  const added = shown.flatMap(fieldsOfColumn);
  if (added.every((field) => usual.has(field))) return undefined;
  const wanted = new Set<string>([
    ...added,
    ...usualColumns.filter((key) => !hidden.includes(key)).flatMap(fieldsOfColumn),
    sort.replace(/^-/, ''),
    'receive_city',
  ]);
  // Returns the fields in a fixed order, whatever the order of the columns is.
  return Object.keys(parcelPlaces)
    .filter((field) => wanted.has(field) && !always.has(field))
    .join(',');
};
