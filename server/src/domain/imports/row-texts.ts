import type { Reason } from '@waystation/contract/envelope.ts';
import type { ImportField, ImportProblem, ImportValues } from '@waystation/contract/import.ts';

type Level = ImportProblem['level'];

/** The texts of a row with what was found wrong with them. */
export class Sheet {
  readonly values: ImportValues;
  readonly problems: ImportProblem[] = [];
  constructor(values: ImportValues) {
    this.values = values;
  }
  text(field: ImportField): string {
    return this.values[field] ?? '';
  }
  say(field: ImportField, level: Level, reason: Reason, fixes: readonly string[] = []): void {
    this.problems.push({ field, level, reason, ...(fixes.length > 0 && { fixes: fixes.slice(0, 8) }) });
  }
  /** Writes what a text means; if it was something else that a person typed, says so. */
  repair(field: ImportField, text: string): void {
    const was = this.text(field);
    if (text === was) return;
    this.values[field] = text;
    if (was !== '') this.problems.push({ field, level: 'repaired', reason: { code: 'import_repaired', params: { was } }, was });
  }
  /** Removes what was found wrong with a field. */
  clearProblems(field: ImportField): void {
    const others = this.problems.filter((problem) => problem.field !== field);
    this.problems.splice(0, this.problems.length, ...others);
  }
  get isWrong(): boolean {
    return this.problems.some(({ level }) => level === 'error');
  }
}
