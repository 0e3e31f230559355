import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The lines of public-reports/cases.jsonl of these kinds; `T` is the type that the README there
 * describes.
 */
export const publicCases = <T>(...kinds: readonly string[]): T[] =>
  readFileSync(join(import.meta.dirname, 'public-reports', 'cases.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T & { kind: string })
    .filter(({ kind }) => kinds.includes(kind));
