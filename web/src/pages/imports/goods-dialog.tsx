import { useState } from 'react';
import { mostPageSize, shortNameLength } from '@waystation/contract/base/limits.ts';
import { changeImportRows, getImport } from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { cargoTypes, createCargo, listCargos } from '@waystation/contract/parcels/cargo.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import {
  firstProvider,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { ApiError } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { importsShown } from './words.ts';

interface Props {
  found: Import;
  /** The number of the row whose goods are unknown, and the name that the row contains. */
  no: number;
  name: string;
  onClose: () => void;
}

/** The goods of a carrier with exactly this name; null if there are none. */
const goodsNamed = async (name: string, provider: Provider): Promise<Cargo | null> => {
  const { items } = await call(listCargos, { q: name, provider, page_size: mostPageSize });
  return items.find((goods) => goods.name === name) ?? null;
};

/**
 * The goods that already have this name, because an earlier attempt or another user created them.
 * If the name did not cause `error`, it is thrown again.
 */
const known = async (name: string, provider: Provider, error: unknown): Promise<Cargo> => {
  const taken = error instanceof ApiError && error.fields['name']?.code === 'taken';
  const goods = taken ? await goodsNamed(name, provider) : null;
  if (goods === null) throw error;
  return goods;
};

/**
 * Creates the goods kind that a row of the sheet mentions, or uses an existing goods kind of the
 * same name. All rows with an error for this name are checked again. If the user changes the name,
 * this row gets the new name.
 */
export const GoodsDialog = ({ found, no, name: typed, onClose }: Props) => {
  const { t, language } = useTexts();
  const [name, setName] = useState(typed);
  const [disabled, setDisabled] = useState<string | null>(null);
  const [type, setType] = useState<number | null>(1);
  const [provider, setProvider] = useState<Provider>(firstProvider);
  const sending = useSubmit({
    send: async () => {
      let created = true;
      const goods = await call(createCargo, {
        name: name.trim(),
        type: type ?? 1,
        provider,
      }).catch(async (error: unknown) => {
        const old = await known(name.trim(), provider, error);
        // Only an administrator can enable disabled goods again. Using their name in a row of a
        // sheet does not enable them.
        if (old.status === 0) {
          setDisabled(old.name);
          throw error;
        }
        created = false;
        return old;
      });
      const { version } = await call(getImport, { id: found.id });
      const { changed } = await call(changeImportRows, {
        id: found.id,
        version,
        ...(goods.name === typed
          ? { action: 'recheck', field: 'goods', find: typed }
          : { action: 'set', field: 'goods', value: goods.name, nos: [no] }),
      });
      return t(created ? 'imports.grid.new_goods_done' : 'imports.grid.old_goods_done', {
        name: goods.name,
        count: changed,
      });
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
        error={
          sending.errors['name'] !== undefined && disabled === name.trim()
            ? t('imports.grid.goods_disabled', { name: disabled })
            : sending.errors['name']
        }
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
      {offeredProviders.length > 1 && (
        <SelectField
          label={t('cargos.provider')}
          name="provider"
          required
          value={provider}
          options={offeredProviders.map((code) => ({
            value: code,
            label: wordOf(providers, code, language),
          }))}
          onChange={(code) => setProvider(code ?? firstProvider)}
        />
      )}
    </SubmitDialog>
  );
};
