import { visibleText } from '@waystation/contract/base/visible-text.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type {
  ImportField,
  ImportProblem,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';

type Level = ImportProblem['level'];

/** The texts of a row with their problems. */
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
    this.problems.push({
      field,
      level,
      reason,
      ...(fixes.length > 0 && { fixes: fixes.slice(0, 8) }),
    });
  }
  /** Writes the standard text of a field, and adds a notice if it differs from the row's text. */
  repair(field: ImportField, text: string): void {
    const was = this.text(field);
    if (text === was) return;
    this.values[field] = text;
    if (was !== '')
      this.problems.push({
        field,
        level: 'repaired',
        reason: { code: 'import_repaired', params: { was } },
        was,
      });
  }
  /** Removes the problems of a field. */
  clearProblems(field: ImportField): void {
    const others = this.problems.filter((problem) => problem.field !== field);
    this.problems.splice(0, this.problems.length, ...others);
  }
  get isWrong(): boolean {
    return this.problems.some(({ level }) => level === 'error');
  }
}

/** Words that programs write for a missing value, and dashes that people write for it. */
const noValue =
  /^['‘’`"]?[([<]?(?:null|nil|n\/a|na|n\.a\.?|undefined|nan|none|#n\/a n\/a|\\n|[-–—_/\\]+)[)\]>]?["]?$/i;

/** True if a text means that there is no value. */
export const isNoValue = (text: string): boolean =>
  text.length <= 12 && noValue.test(text.normalize('NFKC'));

/** The text of a cell without invisible characters; '' if a word says that there is no value. */
export const cellOf = (cells: TextRow, index: number | undefined): string => {
  const text = index === undefined ? '' : visibleText(cells[index] ?? '').trim();
  return isNoValue(text) ? '' : text;
};
