import type { ImportField } from '@waystation/contract/imports/import.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { partOf } from './person-titles.ts';
import type { PersonPart } from './person-titles.ts';
import { readTitle } from './title-roles.ts';
import type { TitleRole } from './title-roles.ts';

/** A column whose title says that it contains data of a person. */
export interface PersonColumn {
  index: number;
  part: PersonPart;
  rank: number;
  /**
   * The person of the column. It is found in the column's own title, or in the nearest title before
   * it that contains a role; null if there is no role.
   */
  role: TitleRole | null;
  isOwn: boolean;
  /** The title without its role. */
  rest: string;
}

/**
 * The columns that belong to persons. A title without a role has the role of the nearest title
 * before it, until a second name begins another person: 寄件人, 电话, 地址, 收件人, 电话, 地址.
 */
export const personColumns = (titles: TextRow): PersonColumn[] => {
  const found: PersonColumn[] = [];
  let owner: TitleRole | null = null;
  let hasName = false;
  for (const [index, title] of titles.entries()) {
    const { role, rest, main } = readTitle(title);
    const part = partOf(rest, { isOwned: role !== null, title: main });
    if (part === null) continue;
    if (role !== null) {
      hasName = part.part === 'name' || (hasName && owner === role);
      owner = role;
    } else if (part.part === 'name') {
      if (hasName) owner = null;
      hasName = true;
    }
    found.push({ index, ...part, role: role ?? owner, isOwn: role !== null, rest });
  }
  return found;
};

const fieldsOf: Readonly<Partial<Record<PersonPart, string>>> = {
  text: 'text',
  name: 'name',
  phone: 'phone',
  province: 'province',
  region: 'province',
  city: 'city',
  county: 'county',
  address: 'address',
};

export type Side = 'receive' | 'sender';
const sides = ['receive', 'sender'] as const;

/**
 * How certain a column belongs to this person, from 0; null if it does not. A column without a role
 * in its title may belong to the recipient.
 */
const strength = ({ role, isOwn }: PersonColumn, side: Side): number | null => {
  if (side === 'sender') return role === 'sender' ? (isOwn ? 2 : 1) : null;
  if (role === 'recipient') return isOwn ? 4 : 3;
  if (role === 'customer') return isOwn ? 2 : 1;
  return role === null ? 0 : null;
};

/** True if a column may belong to this person, the sender or the recipient. */
export const isOf = (column: PersonColumn, side: Side): boolean => strength(column, side) !== null;

const isSameTitle = (one: PersonColumn, other: PersonColumn): boolean =>
  one.part === other.part && one.rest === other.rest;

/**
 * Other columns with the same title that may contain the same part. Either both titles contain the
 * same role, or both roles only follow from the titles before them.
 */
const rivals = (best: PersonColumn, columns: readonly PersonColumn[]): PersonColumn[] =>
  columns.filter(
    (other) =>
      other !== best &&
      isSameTitle(best, other) &&
      (best.isOwn
        ? other.isOwn && other.role === best.role
        : !other.isOwn && (other.role === best.role || other.role === null || best.role === null)),
  );

export interface PersonMapping {
  mapping: Partial<Record<ImportField, number>>;
  /** The indexes of columns with equal titles that only the user can distinguish. */
  equal: number[];
}

/**
 * Maps the columns of the sender and the recipient to fields. `isEqual` returns true if two columns
 * have the same cells, so that any of them may be used.
 */
export const mapPersons = (
  columns: readonly PersonColumn[],
  isEqual: (one: number, other: number) => boolean,
): PersonMapping => {
  const mapping: PersonMapping['mapping'] = {};
  const equal = new Set<number>();
  for (const side of sides)
    for (const part of Object.keys(fieldsOf) as PersonPart[]) {
      const field = `${side}_${fieldsOf[part]}` as ImportField;
      if ((side === 'sender' && part === 'text') || mapping[field] !== undefined) continue;
      const candidates = columns
        .filter((column) => column.part === part && isOf(column, side))
        .toSorted(
          (one, other) =>
            strength(other, side)! - strength(one, side)! ||
            one.rank - other.rank ||
            one.index - other.index,
        );
      const best = candidates[0];
      if (best === undefined) continue;
      const others =
        side === 'sender'
          ? []
          : rivals(best, columns).filter(({ index }) => !isEqual(best.index, index));
      if (others.length === 0) mapping[field] = best.index;
      for (const { index } of others.length > 0 ? [best, ...others] : []) equal.add(index);
    }
  // A column that may belong to the recipient is not used for the sender.
  for (const [field, index] of Object.entries(mapping) as [ImportField, number][])
    if (equal.has(index)) delete mapping[field];
  return { mapping, equal: [...equal].toSorted((one, other) => one - other) };
};
