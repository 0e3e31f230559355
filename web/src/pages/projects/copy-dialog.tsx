import { useState } from 'react';
import { copyProject } from '@waystation/contract/network/project.ts';
import type { Project, ProjectDetails } from '@waystation/contract/network/project.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { nameLength } from '@waystation/contract/base/limits.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

interface Props {
  project: Project;
  onDone: (copy: ProjectDetails) => void;
  onClose: () => void;
}

/** Creates a new freight scheme that has the same templates but another name. */
export const CopyDialog = ({ project, onDone, onClose }: Props) => {
  const { t } = useTexts();
  const [name, setName] = useState(t('projects.copy_name', { name: project.name }));
  const sending = useSubmit({
    send: async () => {
      onDone(await call(copyProject, { id: project.id, name }));
      return null;
    },
    fields: ['name'],
  });
  return (
    <SubmitDialog
      title={t('projects.copy_title', { name: project.name })}
      ok={t('projects.copy')}
      sending={sending}
      check={() => ({ name: name.trim() === '' ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <TextField
        label={t('projects.name')}
        name="name"
        value={name}
        onChange={setName}
        required
        max={nameLength}
        error={sending.errors['name']}
        autoFocus
      />
    </SubmitDialog>
  );
};
