/**
 * Labels of parcels as PDF, ZPL or TSPL, statements of stations and hand-over lists as PDF,
 * drawn in thread pools.
 */
export { renderHandover } from './handovers/handovers.ts';
export { renderLabels } from './labels/labels.ts';
export type { LabelInput, LabelSheet } from './labels/labels.ts';
export {
  descriptionOf,
  minuteText,
  statementPdf,
  statementWords,
  sumText,
} from './statements/statements.ts';
