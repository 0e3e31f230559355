import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import { readUndo, undoKindOf } from '@waystation/contract/shell/undo.ts';
import type { UndoState } from '@waystation/contract/shell/undo.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { undoRefusal, useUndo } from '#resource/record/use-undo.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { useAuditWords } from './words.ts';

/**
 * The answer whether a change in the audit log can be undone. Undefined if changes of its kind
 * never can, or while the answer is not known yet.
 */
const useUndoState = (row: AuditRow): UndoState | undefined => {
  const isOne = undoKindOf(row) !== null;
  const { data } = useCall(readUndo, isOne ? { id: row.id } : null, { quiet: true, staleTime: 0 });
  return isOne ? data : undefined;
};

/**
 * Shows why a change can no longer be undone: it lists the later changes and the users who made
 * them.
 */
export const UndoRefused = ({ row }: { row: AuditRow }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useAuditWords();
  const state = useUndoState(row);
  const refusal = state ? undoRefusal(state, language) : null;
  if (!state || refusal === null) return null;
  return (
    <Notice tone="info">
      <p>{refusal}</p>
      {state.since.length > 0 && (
        <ul className={primitives['list']} aria-label={t('audit.undo_since')}>
          {state.since.map((entry) => (
            <li key={entry.id}>
              <a href={screenHref('AuditLog', { id: entry.id })}>
                {t('audit.undo_since_row', {
                  time: format.time(entry.at),
                  account: entry.account_name,
                  action: words.action(entry),
                  record: words.record(entry),
                })}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
};

/** Undoes this change after a confirmation. The button is disabled if there is a later change. */
export const UndoButton = ({ row }: { row: AuditRow }) => {
  const { t, language } = useTexts();
  const state = useUndoState(row);
  const { busy, press } = useUndo();
  if (!state) return null;
  return (
    <Button
      disabled={state.possible === 0}
      loading={busy.has(row.id)}
      title={undoRefusal(state, language) ?? undefined}
      onClick={() => void press(row)}
    >
      {t('lists.log_undo')}
    </Button>
  );
};
