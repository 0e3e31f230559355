/** The letters that a spreadsheet shows above a column (from 0): A, B, … Z, AA. */
export const columnLetters = (column: number): string =>
  (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) +
  String.fromCharCode(65 + (column % 26));
