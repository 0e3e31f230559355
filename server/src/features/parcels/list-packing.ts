import type * as z from 'zod/mini';
import { expressRow } from '@waystation/contract/express.schema.ts';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder, Texts } from '#platform/db/db.ts';
import { isListedTime } from './list-columns.ts';
import { isNamed, nameSource } from './view.ts';

/** Between the values of a packed row. A value that holds it makes one too many of them, which is how it is found. */
const between = '\u001F';
/** In place of null, which `concat_ws` leaves out. Where null may be, a text of this character alone reads as null. */
const nothing = '\u0001';

const types = { integer: new Set([20, 21, 23]), text: new Set([25, 1043]) };

/** What a page selects: of the parcels that it picks, and of these with what joins bring. */
export interface Selection {
  picked: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
}

/** How a page is read as one text a row, and read apart again. */
export interface Packing extends Selection {
  /** The SQL of those that are packed as they are, since they are never null: one that is would be left out, and a value with `between` in it hide that. */
  neverNull: readonly string[];
  /** The page as it is read unpacked; null where a text in it holds what is put between values. */
  unpack(texts: Texts): Texts | null;
}

/** A column that the contract does not declare may be null. */
const mayBeNull = (name: string): boolean => {
  const property: z.ZodMiniType | undefined = expressRow.shape[name as keyof typeof expressRow.shape];
  return property === undefined || property.safeParse(null).success;
};

/** What joins and the order of a page need of a parcel. */
const keys =
  'id station_id user_id cancel_uid print_uid project_id voucher_id merchant_id provider promise_id created_at weight cal_weight post_amount state_code'.split(
    ' ',
  );

const sourceOf = (name: string): string => {
  if (isNamed(name)) return nameSource(name);
  return isListedTime(name) ? `e."${name}"::text` : `e."${name}"`;
};

/**
 * Numbers and texts of a page of parcels joined to one text a row: a driver reads one text in the time that it takes for two short ones, and a page has 1,700
 * (docs/decisions/0063). `columns` are those of a page that was read unpacked.
 */
export const packingOf = (columns: Texts['columns']): Packing => {
  const isText = (type: number): boolean => types.text.has(type);
  const isPacked = ({ dataTypeID }: (typeof columns)[number]): boolean => types.integer.has(dataTypeID) || isText(dataTypeID);
  const packedAs = ({ name, dataTypeID }: (typeof columns)[number]): string =>
    mayBeNull(name) ? `coalesce(${sourceOf(name)}${isText(dataTypeID) ? '' : '::text'}, E'\\x01')` : sourceOf(name);
  const [own, joined] = [columns.filter((one) => isPacked(one) && !isNamed(one.name)), columns.filter((one) => isPacked(one) && isNamed(one.name))];
  const others = columns.filter((one) => !isPacked(one));
  const nullable = [...own, ...joined].map(({ name }) => mayBeNull(name));
  const readApart = (row: Texts['rows'][number]): (string | null)[] | null => {
    const values: (string | null)[] = row[0]!.split(between);
    if (values.length !== own.length) return null;
    values.push(...row[1]!.split(between));
    if (values.length !== own.length + joined.length) return null;
    for (let index = 0; index < values.length; index++) if (values[index] === nothing && nullable[index]) values[index] = null;
    for (let index = 2; index < row.length; index++) values.push(row[index]!);
    return values;
  };
  const packed = (of: readonly (typeof columns)[number][]): string => `concat_ws(E'\\x1f', ${of.map(packedAs).join(', ')})`;
  // Packed before the joins: each of them would carry eighty columns.
  const picked = [
    ...keys.map((name) => `e."${name}"`),
    `${packed(own)} as packed`,
    ...others.filter(({ name }) => !isNamed(name)).map(({ name }) => `e."${name}"`),
  ];
  const selected = ['e.packed', `${packed(joined)} as names`, ...others.map(({ name }) => `${sourceOf(name)} as "${name}"`)];
  const unpacked = [...own, ...joined, ...others];
  return {
    picked: sql.raw(picked.join(', ')),
    columns: sql.raw(selected.join(', ')),
    neverNull: [...own, ...joined].map(packedAs).filter((part) => !part.includes(`E'\\x01'`)),
    unpack: ({ rows }) => {
      const whole: (string | null)[][] = [];
      for (const row of rows) {
        const values = readApart(row);
        if (!values) return null;
        whole.push(values);
      }
      return { columns: unpacked, rows: whole };
    },
  };
};
