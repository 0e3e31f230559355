/** One measured value in `bench/results/*.jsonl`. Each line of such a file is one JSON object. */
export interface Result {
  /** The day of the run, as `YYYY-MM-DD`. */
  readonly date: string;
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** The limit that applied at the time of the run, such as `≥ 0.7`. */
  readonly limit?: string;
  readonly machine: string;
  readonly commit?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);

const isResult = (value: unknown): value is Result => {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Record<string, unknown>;
  return (
    isText(row['date']) &&
    /^\d{4}-\d{2}-\d{2}$/.test(row['date']) &&
    isText(row['figure']) &&
    typeof row['value'] === 'number' &&
    isText(row['unit']) &&
    isText(row['machine']) &&
    isOptionalText(row['limit']) &&
    isOptionalText(row['commit'])
  );
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

/**
 * Reads the results in one file, one per line. If a line contains no valid result, throws an error
 * with the number of that line.
 */
export const readResults = (text: string): Result[] =>
  text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const value = parsed(line);
      if (!isResult(value)) throw new Error(`line ${number} is no result: ${line}`);
      return value;
    });

/**
 * Groups the results by measured value and unit. The groups have the order of their first results.
 */
export const byFigure = (results: readonly Result[]): Map<string, Result[]> => {
  const figures = new Map<string, Result[]>();
  for (const result of results) {
    const key = `${result.figure} (${result.unit})`;
    figures.set(key, [...(figures.get(key) ?? []), result]);
  }
  return figures;
};

/**
 * Returns the number in a limit such as `≥ 0.7` or `95 % ≤ 50`; null if the result has no limit.
 */
export const limitOf = (result: Result): number | null => {
  const number = /[≥≤] ([\d.]+)/.exec(result.limit ?? '')?.[1];
  return number === undefined ? null : Number(number);
};
