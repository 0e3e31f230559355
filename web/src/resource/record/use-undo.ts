import { listAudit } from '@waystation/contract/shell/audit.ts';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import { auditActions } from '@waystation/contract/shell/audit-words.ts';
import { errorText, isErrorCode } from '#base/error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { readUndo, undoChange, undoKindOf } from '@waystation/contract/shell/undo.ts';
import type { UndoState } from '@waystation/contract/shell/undo.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useUser } from '#shell/session/session.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { confirmed, notify } from '#ui/overlay/notify.tsx';

/** The text with the reason why an audit log entry cannot be undone. Null if it can be undone. */
export const undoRefusal = ({ reason }: UndoState, language: Language): string | null =>
  reason === null
    ? null
    : isErrorCode(reason.code)
      ? errorText(reason.code, reason.params ?? {}, language)
      : reason.code;

/**
 * Undoes changes in the audit log. It first asks for confirmation and lists the values to restore.
 */
export const useUndo = () => {
  const { t, language } = useTexts();
  const { role } = useUser();
  const { busy, run } = useActions<number>([readUndo, listAudit]);
  const ask = (row: AuditRow, rows: number): Promise<boolean> =>
    confirmed({
      title: t('lists.log_undo_title', {
        what: auditActions[row.action]?.[language] ?? row.action,
      }),
      content:
        undoKindOf(row) === 'publication'
          ? t('lists.log_undo_publication')
          : t('lists.log_undo_rows', { count: rows }),
      ok: t('lists.log_undo'),
      danger: true,
    });
  return {
    busy,
    /** True if this user may undo this kind of audit log entry. */
    offers: (row: AuditRow): boolean => role !== 'user' && undoKindOf(row) !== null,
    press: (row: AuditRow): Promise<boolean> =>
      run(row.id, async () => {
        const state = await call(readUndo, { id: row.id });
        const refusal = undoRefusal(state, language);
        if (refusal !== null) return void notify.warning(refusal);
        if (!(await ask(row, state.rows))) return;
        const { rows } = await call(undoChange, { id: row.id });
        notify.success(t('lists.log_undone', { count: rows }));
      }),
  };
};
