/** Labels of parcels as PDF or ZPL and statements of stations as PDF, drawn in thread pools. */
export { renderLabels } from './labels/labels.ts';
export type { LabelInput } from './labels/labels.ts';
export { descriptionOf, minuteText, statementPdf, statementWords, sumText } from './statements/statements.ts';
