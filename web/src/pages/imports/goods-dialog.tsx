import { useState } from 'react';
import { shortNameLength } from '@waystation/contract/base/limits.ts';
import { changeImportRows, getImport } from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { cargoTypes, createCargo, listCargos } from '@waystation/contract/parcels/cargo.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { importsShown } from './words.ts';

interface Props {
  found: Import;
  /** The row whose goods are unknown, and their name in it. */
  no: number;
  name: string;
  onClose: () => void;
}

/**
 * Creates the goods that a row names. Rows of that name are checked again; if the name is another,
 * that row takes it.
 */
export const GoodsDialog = ({ found, no, name: typed, onClose }: Props) => {
  const { t, language } = useTexts();
  const [name, setName] = useState(typed);
  const [type, setType] = useState<number | null>(1);
  const sending = useSubmit({
    send: async () => {
      const goods = await call(createCargo, {
        name: name.trim(),
        type: type ?? 1,
        provider: 'jdl',
      });
      const { version } = await call(getImport, { id: found.id });
      const { changed } = await call(changeImportRows, {
        id: found.id,
        version,
        ...(goods.name === typed
          ? { action: 'replace', field: 'goods', find: typed, value: typed }
          : { action: 'set', field: 'goods', value: goods.name, nos: [no] }),
      });
      return t('imports.grid.new_goods_done', { name: goods.name, count: changed });
    },
    fields: ['name'],
    refreshes: [...importsShown, listCargos],
    refreshOnFailure: true,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('cargos.new')}
      ok={t('cargos.new')}
      sending={sending}
      check={() => ({ name: name.trim() === '' ? t('common.required') : undefined })}
      onClose={onClose}
    >
      <TextField
        label={t('cargos.name')}
        name="name"
        required
        max={shortNameLength}
        value={name}
        onChange={setName}
        error={sending.errors['name']}
      />
      <SelectField
        label={t('cargos.type')}
        name="type"
        required
        value={type}
        options={Object.entries(cargoTypes).map(([value, words]) => ({
          value: Number(value),
          label: words[language],
        }))}
        onChange={setType}
      />
    </SubmitDialog>
  );
};
