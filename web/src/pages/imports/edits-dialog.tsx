import { useState } from 'react';
import { changeImportRows } from '@waystation/contract/imports/import.ts';
import type { Import, ImportField } from '@waystation/contract/imports/import.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { importsShown } from './words.ts';

export type EditKind = 'set' | 'replace';

interface Props {
  found: Import;
  kind: EditKind;
  /** The field of the cell that is selected in the grid. */
  field: ImportField;
  fields: readonly ImportField[];
  onClose: () => void;
}

/** The dialog that sets one text in many rows, or replaces a part of their texts. */
export const EditsDialog = ({ found, kind, field: chosen, fields, onClose }: Props) => {
  const { t } = useTexts();
  const [field, setField] = useState<ImportField | null>(kind === 'set' ? chosen : null);
  const [find, setFind] = useState('');
  const [value, setValue] = useState('');
  const [rows, setRows] = useState<'error' | 'all'>(found.counts.error > 0 ? 'error' : 'all');
  const sending = useSubmit({
    refreshes: importsShown,
    send: async () => {
      const { changed } = await call(changeImportRows, {
        id: found.id,
        version: found.version,
        action: kind,
        value,
        ...(field !== null && { field }),
        ...(kind === 'replace' && { find }),
        ...(kind === 'set' && rows === 'error' && { marks: ['error' as const] }),
      });
      return changed === 0
        ? t('imports.grid.unchanged')
        : t('imports.grid.changed', { count: changed });
    },
    onDone: onClose,
  });
  const options = fields.map((each) => ({ value: each, label: t(`imports.fields.${each}`) }));
  return (
    <SubmitDialog
      title={t(kind === 'set' ? 'imports.grid.set' : 'imports.grid.replace')}
      ok={t('common.save')}
      sending={sending}
      check={() => ({ find: kind === 'replace' && find === '' ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <SelectField
        label={t('imports.grid.set_field')}
        value={field}
        options={options}
        {...(kind === 'replace' && { none: t('imports.grid.every_field') })}
        onChange={setField}
      />
      {kind === 'replace' && (
        <TextField
          label={t('imports.grid.find')}
          required
          autoFocus
          value={find}
          onChange={setFind}
          error={sending.errors['find']}
        />
      )}
      <TextField
        label={t(kind === 'set' ? 'imports.grid.set_value' : 'imports.grid.replace_by')}
        autoFocus={kind === 'set'}
        value={value}
        onChange={setValue}
      />
      {kind === 'set' && (
        <SelectField
          label={t('imports.grid.set_rows')}
          value={rows}
          options={[
            { value: 'error', label: t('imports.grid.set_errors') },
            { value: 'all', label: t('imports.grid.set_all') },
          ]}
          onChange={(next) => next !== null && setRows(next)}
        />
      )}
    </SubmitDialog>
  );
};
