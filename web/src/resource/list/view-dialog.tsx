import { useState } from 'react';
import { office, roles } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import { usePermitted } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './views-bar.module.css';
import { shortNameLength } from '@waystation/contract/base/limits.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

export interface ViewChoice {
  title: string;
  shared_with: Role | null;
  /** True if the view includes the column settings. */
  columns: boolean;
}

interface Props {
  /** The view to edit; null for a new view. */
  view: SavedView | null;
  /** True if there are column settings that a new view could include. */
  hasColumns: boolean;
  onSave: (choice: ViewChoice) => Promise<void>;
  onClose: () => void;
}

/**
 * A dialog for the name of a saved view. Super admins and admins also choose the role with which
 * the view is shared.
 */
export const ViewDialog = ({ view, hasColumns, onSave, onClose }: Props) => {
  const { t } = useTexts();
  const shares = usePermitted(office);
  const [title, setTitle] = useState(view?.title ?? '');
  const [sharedWith, setSharedWith] = useState<Role | null>(view?.shared_with ?? null);
  const [columns, setColumns] = useState(hasColumns);
  const sending = useSubmit({
    send: async () => {
      await onSave({ title: title.trim(), shared_with: sharedWith, columns });
      return null;
    },
    fields: ['title'],
  });
  return (
    <SubmitDialog
      title={t(view ? 'lists.view_edit' : 'lists.view_save')}
      ok={t('common.save')}
      sending={sending}
      check={() => ({ title: title.trim() === '' ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <TextField
        label={t('lists.view_title')}
        required
        autoFocus
        max={shortNameLength}
        value={title}
        error={sending.errors['title']}
        onChange={(value) => {
          setTitle(value);
          sending.clearErrors();
        }}
      />
      {shares && (
        <SelectField
          label={t('lists.view_share')}
          value={sharedWith}
          none={t('lists.view_private')}
          options={roles.map((role) => ({ value: role, label: t(`shell.role.${role}`) }))}
          onChange={setSharedWith}
        />
      )}
      {view === null && hasColumns && (
        <label className={styles['check']}>
          <input
            type="checkbox"
            checked={columns}
            onChange={(event) => setColumns(event.target.checked)}
          />
          {t('lists.view_columns')}
        </label>
      )}
    </SubmitDialog>
  );
};
