import { useState } from 'react';
import { redoImportEdit, undoImportEdit } from '@waystation/contract/import.ts';
import type { Import, ImportField } from '@waystation/contract/import.ts';
import { announce } from '#base/announce.ts';
import { call } from '#base/call.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { importsShown } from './words.ts';

export interface Steps {
  busy: boolean;
  undo: () => void;
  redo: () => void;
}

/** Takes edits back and makes them again, as the server knows them: also after the page was read again. `onCell`: where it happened. */
export const useSteps = ({ id, version, undo_steps, redo_steps }: Import, onCell: (cell: { no: number; field?: ImportField }) => void): Steps => {
  const { t } = useTexts();
  const [busy, setBusy] = useState(false);
  const step = async (endpoint: typeof undoImportEdit | typeof redoImportEdit): Promise<void> => {
    const isUndo = endpoint === undoImportEdit;
    if (busy) return;
    if ((isUndo ? undo_steps : redo_steps) === 0) return announce(t(isUndo ? 'imports.grid.no_undo' : 'imports.grid.no_redo'));
    setBusy(true);
    try {
      const { changed, first } = await call(endpoint, { id, version });
      await refresh(...importsShown);
      if (first !== null) onCell({ no: first.no, ...(first.field !== null && { field: first.field }) });
      announce(t(isUndo ? 'imports.grid.undone' : 'imports.grid.redone', { count: changed }));
    } catch (error) {
      notify.failure(error);
      await refresh(...importsShown);
    } finally {
      setBusy(false);
    }
  };
  return { busy, undo: () => void step(undoImportEdit), redo: () => void step(redoImportEdit) };
};
