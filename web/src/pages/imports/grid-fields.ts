import { importFields } from '@waystation/contract/imports/import.ts';
import type { Import, ImportField, ImportProblem } from '@waystation/contract/imports/import.ts';

/** The fields that every order needs. The grid always shows their columns. */
const always: readonly ImportField[] = [
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'goods',
  'weight',
];

/**
 * The fields of the sender's region. They are shown if the sheet has a column for the sender's
 * address, because the region may be part of that address.
 */
const ofSender: readonly ImportField[] = ['sender_province', 'sender_city', 'sender_county'];

/**
 * The columns of the grid: those that every order needs, those that the sheet has, and `sought`,
 * the field to which the search for errors has led. Instead of a free text, the fields recognized
 * in it are shown.
 */
export const shownFields = (
  { mapping, defaults }: Pick<Import, 'mapping' | 'defaults'>,
  sought: ImportField | null,
): readonly ImportField[] =>
  importFields.filter(
    (field) =>
      field === sought ||
      (field !== 'receive_text' &&
        (always.includes(field) ||
          mapping[field] !== undefined ||
          (defaults[field] ?? '') !== '' ||
          (mapping.sender_address !== undefined && ofSender.includes(field)))),
  );

/** The most severe of a cell's problems. */
export const worstOf = (problems: readonly ImportProblem[]): ImportProblem | undefined =>
  problems.find(({ level }) => level === 'error') ??
  problems.find(({ level }) => level === 'warning') ??
  problems[0];

const besideFields = 52 + 76;
/**
 * The width in pixels of a column. It is the same as in the style sheet, so that all rows have the
 * same width whatever they contain.
 */
const widthOf = (field: ImportField): number => {
  if (field.endsWith('_phone')) return 118;
  if (field.endsWith('_address')) return 200;
  return field === 'package_count' ? 80 : 92;
};

/** The minimum width in pixels of a row with these fields. */
export const gridWidth = (fields: readonly ImportField[]): number =>
  fields.reduce((sum, field) => sum + widthOf(field), besideFields);
