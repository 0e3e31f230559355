import { importFields } from '@waystation/contract/import.ts';
import type { Import, ImportField, ImportProblem } from '@waystation/contract/import.ts';

/** Columns that the grid has whatever the sheet has: what an order needs. */
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

/** The columns of the grid: what an order needs, and what else the sheet has; a free text is shown by what was read from it. */
export const shownFields = ({ mapping, defaults }: Pick<Import, 'mapping' | 'defaults'>): readonly ImportField[] =>
  importFields.filter((field) => field !== 'receive_text' && (always.includes(field) || mapping[field] !== undefined || (defaults[field] ?? '') !== ''));

/** Of what is to be said about a cell, the gravest. */
export const worstOf = (problems: readonly ImportProblem[]): ImportProblem | undefined =>
  problems.find(({ level }) => level === 'error') ?? problems.find(({ level }) => level === 'warning') ?? problems[0];

const besideFields = 52 + 76;
/** Widths of the style sheet, so that all rows are as wide whatever is in them. */
const widthOf = (field: ImportField): number => {
  if (field.endsWith('_phone')) return 118;
  if (field.endsWith('_address')) return 200;
  return field === 'weight' || field === 'package_count' ? 80 : 92;
};

/** The least width of a row with these fields; pixels. */
export const gridWidth = (fields: readonly ImportField[]): number => fields.reduce((sum, field) => sum + widthOf(field), besideFields);
