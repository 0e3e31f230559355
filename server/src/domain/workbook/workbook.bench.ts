import { tinyStringsWorkbook, workbookOf, zipOf } from '#testing/workbooks.ts';
import { UnreadableFile, readBatches } from './workbook.ts';

/**
 * A benchmark of reading the largest regular workbook and a hostile workbook of a few hundred
 * kilobytes. The regular one has 100,000 rows of 15 cells and 20 MB; every text is a separate
 * shared string. Each is read like a carrier's bill. The peak memory of the process and the longest
 * time in which it does not respond are measured.
 */
const [rows, columns] = [100_000, 15];

const digits = (n: number): string => String((n * 2_654_435_761) % 4_294_967_296);
/** A regular workbook whose numbers and texts can hardly be compressed. */
const honest = (): Buffer => {
  const strings: string[] = [];
  const sheet: string[] = [];
  for (let row = 0; row < rows; row++) {
    const cells: string[] = [];
    for (let column = 0; column < columns; column++) {
      const n = row * columns + column;
      if (column % 3 === 2)
        cells.push(`<c r="${String.fromCharCode(65 + column)}${row + 1}"><v>${digits(n)}</v></c>`);
      else {
        cells.push(
          `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="s"><v>${strings.length}</v></c>`,
        );
        strings.push(
          `<si><t>运单 ${digits(n)}${digits(n * 7)}${digits(n * 13).slice(0, 3)}</t></si>`,
        );
      }
    }
    sheet.push(`<row r="${row + 1}">${cells.join('')}</row>`);
  }
  const parts = {
    ...workbookOf(`<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`),
    'xl/sharedStrings.xml': Buffer.from(`<sst>${strings.join('')}</sst>`),
  };
  return zipOf(parts);
};

const measured = async (
  file: Buffer,
): Promise<{ outcome: string; rows: number; ms: number; pause_ms: number; rss_mb: number }> => {
  const before = process.memoryUsage().rss;
  let [peak, pause, count] = [before, 0, 0];
  let lastTick = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    pause = Math.max(pause, now - lastTick - 5);
    lastTick = now;
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const since = performance.now();
  let outcome = 'read';
  try {
    for await (const batch of readBatches('xlsx', file)) count += batch.length;
  } catch (error) {
    outcome = error instanceof UnreadableFile ? error.code : String(error);
  }
  clearInterval(timer);
  return {
    outcome,
    rows: count,
    ms: Math.round(performance.now() - since),
    pause_ms: Math.round(pause),
    rss_mb: Math.round((peak - before) / 1_048_576),
  };
};

const file = honest();
const large = await measured(file);
const hostile = tinyStringsWorkbook();
console.log(
  JSON.stringify({
    honest: { ...large, file_mb: file.length / 1_048_576 },
    hostile: { ...(await measured(hostile)), file_mb: hostile.length / 1_048_576 },
  }),
);
