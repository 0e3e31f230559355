import type { ImportField } from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import type { Sheet } from './row-texts.ts';

/** The text that a spreadsheet shows for a formula without a value. */
const formulaError =
  /^(?:#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!)|Err:\d{3})$/i;

/** Fields that a parcel may lack: for them, a formula without a result means an empty cell. */
const optionalFields: readonly ImportField[] = ['thr_order_id', 'remark', 'description'];

type FormulaErrors = readonly (readonly [field: ImportField, text: string])[];

/** The fields whose text is the error of a formula. */
export const formulaErrors = (sheet: Sheet): FormulaErrors =>
  importFields.flatMap((field) => {
    const text = sheet.text(field);
    return (text.startsWith('#') || text.startsWith('Err:')) && formulaError.test(text)
      ? [[field, text] as const]
      : [];
  });

/** Clears formula errors in optional fields, as a repair. */
export const clearOptional = (sheet: Sheet, failed: FormulaErrors): void => {
  for (const [field] of failed) if (optionalFields.includes(field)) sheet.repair(field, '');
};

/** Reports formula errors in required fields as their only problem, and keeps their text. */
export const reportFormulaErrors = (sheet: Sheet, failed: FormulaErrors): void => {
  for (const [field, text] of failed) {
    if (optionalFields.includes(field)) continue;
    sheet.values[field] = text;
    sheet.clearProblems(field);
    sheet.say(field, 'error', { code: 'import_cell_error', params: { text } });
  }
};
