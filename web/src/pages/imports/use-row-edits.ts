import { useState } from 'react';
import { changeImportRow } from '@waystation/contract/imports/import.ts';
import type { ImportField, ImportRow } from '@waystation/contract/imports/import.ts';
import { errorWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { showChangedRow } from './answers.ts';
import { importsShown } from './words.ts';

/**
 * True if the row was excluded or refused, so that it is not ordered until it is included again.
 */
export const isOut = ({ mark }: Pick<ImportRow, 'mark'>): boolean =>
  mark === 'excluded' || mark === 'refused';

/**
 * The state of the cell that is being edited. `typed` is the first typed character, or null if the
 * user edits the present text.
 */
export interface Editing {
  typed: string | null;
}

export interface RowEdits {
  editing: Editing | null;
  /**
   * The reason why the last edit was not saved; null if it was saved. After a failure, the typed
   * text stays in the cell.
   */
  failure: string | null;
  busy: boolean;
  begin: (typed: string | null) => void;
  end: () => void;
  /** Saves a cell's text; resolves with true if it was saved. */
  save: (row: ImportRow, field: ImportField, text: string) => Promise<boolean>;
  exclude: (row: ImportRow) => Promise<boolean>;
}

/** Saves the edits of cells one at a time. The server checks each edit immediately. */
export const useRowEdits = (id: number): RowEdits => {
  const { language } = useTexts();
  const [editing, setEditing] = useState<Editing | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const end = (): void => {
    setEditing(null);
    setFailure(null);
  };
  const change = async (
    row: ImportRow,
    input: { values?: Partial<Record<ImportField, string>>; excluded?: 0 | 1 },
  ): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    try {
      const changed = await call(changeImportRow, {
        id,
        row: row.no,
        version: row.version,
        ...input,
      });
      end();
      await showChangedRow(id, changed);
      return true;
    } catch (error) {
      setFailure(errorWords(error, language));
      // Another user may have changed the row in the meantime. The row is read again, so that the
      // next attempt uses its present version.
      await refresh(...importsShown);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    editing,
    failure,
    busy,
    begin: (typed) => {
      setFailure(null);
      setEditing({ typed });
    },
    end,
    save: (row, field, text) => {
      if (text === (row.values[field] ?? '')) {
        end();
        return Promise.resolve(true);
      }
      return change(row, { values: { [field]: text } });
    },
    exclude: (row) => change(row, { excluded: isOut(row) ? 0 : 1 }),
  };
};
