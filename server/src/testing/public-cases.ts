import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the lines of public-reports/cases.jsonl with the given kinds. The README in that folder
 * describes their type `T`.
 */
export const publicCases = <T>(...kinds: readonly string[]): T[] =>
  readFileSync(join(import.meta.dirname, 'public-reports', 'cases.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T & { kind: string })
    .filter(({ kind }) => kinds.includes(kind));
