import { useEffect, useRef, useState } from 'react';
import { redoImportEdit, undoImportEdit } from '@waystation/contract/imports/import.ts';
import type { Import, ImportField } from '@waystation/contract/imports/import.ts';
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

/**
 * Undoes and redoes edits. The server records the edits, so that this also works after a reload.
 * `onCell` is called with the changed cell, unless the user has moved the selection away from `at`
 * in the meantime.
 */
export const useSteps = (
  found: Import,
  at: object,
  onCell: (cell: { no: number; field?: ImportField }) => void,
): Steps => {
  const { t } = useTexts();
  const [busy, setBusy] = useState(false);
  /**
   * Keys may be pressed faster than the server responds. The steps then run one after the other,
   * each with the version from the last response.
   */
  const turn = useRef<Promise<void>>(Promise.resolve());
  const known = useRef(found);
  useEffect(() => {
    if (found.version >= known.current.version) known.current = found;
  }, [found]);
  const place = useRef(at);
  useEffect(() => {
    place.current = at;
  }, [at]);
  const step = async (isUndo: boolean): Promise<void> => {
    const { id, version, undo_steps, redo_steps } = known.current;
    if ((isUndo ? undo_steps : redo_steps) === 0)
      return announce(t(isUndo ? 'imports.grid.no_undo' : 'imports.grid.no_redo'));
    const from = place.current;
    setBusy(true);
    try {
      const {
        changed,
        first,
        import: after,
      } = await call(isUndo ? undoImportEdit : redoImportEdit, { id, version });
      known.current = after;
      await refresh(...importsShown);
      if (first !== null && place.current === from)
        onCell({ no: first.no, ...(first.field !== null && { field: first.field }) });
      announce(t(isUndo ? 'imports.grid.undone' : 'imports.grid.redone', { count: changed }));
    } catch (error) {
      notify.failure(error);
      await refresh(...importsShown);
    } finally {
      setBusy(false);
    }
  };
  const next = (isUndo: boolean): void => {
    turn.current = turn.current.then(() => step(isUndo));
  };
  return { busy, undo: () => next(true), redo: () => next(false) };
};
