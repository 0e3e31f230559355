/**
 * Labels of parcels as PDF, ZPL or TSPL and statements of stations as PDF, drawn in thread
 * pools.
 */
export { renderLabels } from './labels/labels.ts';
export type { LabelInput, LabelSheet } from './labels/labels.ts';
export {
  descriptionOf,
  minuteText,
  statementPdf,
  statementWords,
  sumText,
} from './statements/statements.ts';
