import type { ImportColumn, ImportField } from '@waystation/contract/imports/import.ts';
import { isOf, personColumns } from './person-columns.ts';
import type { PersonColumn, Side } from './person-columns.ts';

/**
 * A part of an address that has its own column. The name of the street is put before the address.
 * The number of the house or flat is put after the address.
 */
export interface AddressPart {
  index: number;
  place: 'before' | 'after';
  /**
   * The unit that is added to a number without a unit in this column: 3 in the column 单元 becomes
   * 3单元.
   */
  unit: string;
}

/** Columns that have no field of their own but complete another field. */
export interface ExtraColumns {
  parts: Record<Side, AddressPart[]>;
  /** A second phone of the recipient, for rows where the first is empty. */
  phone?: number;
  /** The column of the recipient's family name, if another column has the given name. */
  surname?: number;
  /** Further addresses of the recipient, which are not used. */
  unused: { index: number; title: string }[];
}

const units: readonly [RegExp, string][] = [
  [/单元/, '单元'],
  [/幢/, '幢'],
  [/栋|^楼号$/, '栋'],
  [/座/, '座'],
  [/层/, '层'],
  [/房|室/, '室'],
  [/门/, '号'],
  [/^unit/, 'Unit '],
  [/^(?:apt|apartment)/, 'Apt '],
  [/^suite/, 'Suite '],
  [/^room/, 'Room '],
  [/^flat/, 'Flat '],
  [/^building/, 'Building '],
  [/^block/, 'Block '],
  [/^floor/, 'Floor '],
];
/**
 * Words that also occur in titles about goods. They are a part of an address only if the column is
 * beside a column of addresses.
 */
const onlyBeside = /^(?:unit|block|building|house|flat|floor|suite|room)/;

const partsOf = (
  columns: readonly PersonColumn[],
  side: Side,
  address: number | undefined,
): AddressPart[] => {
  const isPart = ({ part }: PersonColumn): boolean => part === 'before' || part === 'after';
  const places = new Set([
    address,
    ...columns
      .filter((column) => isPart(column) || column.part === 'address')
      .map(({ index }) => index),
  ]);
  return columns.flatMap((column) => {
    const { index, part, rest, isOwn } = column;
    if (!isPart(column) || !isOf(column, side)) return [];
    if (!isOwn && onlyBeside.test(rest) && !places.has(index - 1) && !places.has(index + 1))
      return [];
    return [
      {
        index,
        place: part as AddressPart['place'],
        unit: units.find(([shape]) => shape.test(rest))?.[1] ?? '',
      },
    ];
  });
};

/** The columns that complete another field, by their titles. */
export const extraColumns = (
  columns: readonly Pick<ImportColumn, 'index' | 'title'>[],
  mapping: Partial<Record<ImportField, number>>,
): ExtraColumns => {
  const persons = personColumns(columns.map(({ title }) => title));
  const used = new Set(Object.values(mapping));
  const free = persons.filter(({ index }) => !used.has(index));
  const own = free.filter((column) => isOf(column, 'receive'));
  const chosen = persons.filter(({ index }) => used.has(index));
  // If the user has chosen one of several columns with the same title, the other columns belong to
  // another person.
  const isChosen = ({ part, rest }: PersonColumn): boolean =>
    chosen.some((column) => column.part === part && column.rest === rest);
  const find = (part: PersonColumn['part']): number | undefined =>
    own.find((column) => column.part === part && !isChosen(column))?.index;
  const [phone, surname] = [find('phone'), find('surname')];
  const parts = {
    receive: partsOf(free, 'receive', mapping.receive_address),
    sender:
      mapping.sender_address === undefined ? [] : partsOf(free, 'sender', mapping.sender_address),
  };
  const unused = own
    .filter(
      (column) =>
        column.part === 'address' && mapping.receive_address !== undefined && !isChosen(column),
    )
    .map(({ index }) => ({ index, title: columns[index]?.title ?? '' }));
  return {
    parts,
    ...(phone !== undefined && { phone }),
    ...(surname !== undefined && { surname }),
    unused,
  };
};
