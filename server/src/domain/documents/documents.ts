/** PDFs: labels of parcels and statements of stations, drawn in thread pools. */
export { renderLabels } from './labels/labels.ts';
export type { LabelInput } from './labels/labels.ts';
export { descriptionOf, minuteText, statementPdf, statementWords, sumText } from './statements/statements.ts';
