import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import {
  auditActions,
  auditLine,
  auditRoles,
  auditSubjects,
} from '@waystation/contract/shell/audit-words.ts';
import { callerName } from '#resource/record/caller-name.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { mayOpen, screenOf } from '@waystation/contract/shell/screens.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';

/** The texts about audit rows in the user's language. */
export const useAuditWords = () => {
  const { t, language } = useTexts();
  const { role } = useUser();
  const action = (row: Pick<AuditRow, 'action'>): string =>
    auditActions[row.action]?.[language] ?? row.action;
  const record = ({ subject, subject_id }: Pick<AuditRow, 'subject' | 'subject_id'>): string =>
    [
      auditSubjects[subject]?.[language] ?? subject,
      ...(subject_id === null ? [] : [`#${subject_id}`]),
    ].join(' ');
  return {
    action,
    record,
    role: (row: AuditRow): string => auditRoles[row.role]?.[language] ?? row.role,
    changes: (row: AuditRow): string => auditLine(row.subject, row.changes, language),
    sentence: (row: AuditRow): string =>
      t('audit.row', {
        account: callerName(row, language),
        action: action(row),
        record: record(row),
      }),
    /**
     * The URL of the changed record. Null if the record has no screen, or if this user may not open
     * that screen.
     */
    href: ({ subject, subject_id }: AuditRow): string | null => {
      const screen = screenOf(auditSubjects[subject]?.screen ?? '');
      return screen && subject_id !== null && mayOpen(screen, role)
        ? screenHref(screen.name as ScreenName, { id: subject_id })
        : null;
    },
  };
};
