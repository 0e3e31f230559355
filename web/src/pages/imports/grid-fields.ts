import { importFields } from '@waystation/contract/import.ts';
import type { Import, ImportField } from '@waystation/contract/import.ts';

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
