/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. The cell then stays a
 * text.
 */
const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cell = (text: string): string => {
  const safe = inert(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Makes a CSV file of these lines. Spreadsheet programs recognise it as UTF-8. */
export const csvOf = (lines: readonly (readonly string[])[]): Blob =>
  new Blob([`\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`], {
    type: 'text/csv;charset=utf-8',
  });
