import type { ImportField } from '@waystation/contract/import.ts';
import { importFields } from '@waystation/contract/import.ts';
import type { Sheet } from './row-texts.ts';

/** What a spreadsheet shows where a formula has no value. */
const formulaError = /^(?:#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!)|Err:\d{3})$/i;

/** Texts that a parcel may be without: a formula that found none means an empty cell. */
const optionalFields: readonly ImportField[] = ['thr_order_id', 'remark', 'description'];

type FormulaErrors = readonly (readonly [field: ImportField, text: string])[];

/** Fields whose text is the error of a formula. */
export const formulaErrors = (sheet: Sheet): FormulaErrors =>
  importFields.flatMap((field) => {
    const text = sheet.text(field);
    return (text.startsWith('#') || text.startsWith('Err:')) && formulaError.test(text) ? [[field, text] as const] : [];
  });

/** Those that a parcel may be without are empty, as a repair. */
export const clearOptional = (sheet: Sheet, failed: FormulaErrors): void => {
  for (const [field] of failed) if (optionalFields.includes(field)) sheet.repair(field, '');
};

/** Of the others this is the one thing to be said, and nothing takes the place of their text. */
export const reportFormulaErrors = (sheet: Sheet, failed: FormulaErrors): void => {
  for (const [field, text] of failed) {
    if (optionalFields.includes(field)) continue;
    sheet.values[field] = text;
    sheet.clearProblems(field);
    sheet.say(field, 'error', { code: 'import_cell_error', params: { text } });
  }
};
