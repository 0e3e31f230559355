import { useState } from 'react';
import { copyProject } from '@waystation/contract/project.ts';
import type { Project, ProjectDetails } from '@waystation/contract/project.ts';
import { errorWords, fieldWords } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';

interface Props {
  project: Project;
  onDone: (copy: ProjectDetails) => void;
  onClose: () => void;
}

/** A new scheme with the same templates, under a name of its own. */
export const CopyDialog = ({ project, onDone, onClose }: Props) => {
  const { t, language } = useTexts();
  const [name, setName] = useState(t('projects.copy_name', { name: project.name }));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field?: string | undefined; failure?: string }>({});
  const submit = async (): Promise<void> => {
    if (name.trim() === '') return setProblem({ field: t('common.required') });
    setBusy(true);
    setProblem({});
    try {
      onDone(await call(copyProject, { id: project.id, name }));
    } catch (error) {
      const field = fieldWords(error, language)['name'];
      setProblem(field === undefined ? { failure: errorWords(error, language) } : { field });
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      open
      title={t('projects.copy_title', { name: project.name })}
      ok={t('projects.copy')}
      busy={busy}
      failure={problem.failure ?? null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextField label={t('projects.name')} name="name" value={name} onChange={setName} required max={50} error={problem.field} autoFocus />
    </FormDialog>
  );
};
