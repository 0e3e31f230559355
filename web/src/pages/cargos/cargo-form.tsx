import { createCargo, editCargo } from '@waystation/contract/parcels/cargo.ts';
import type { Cargo } from '@waystation/contract/parcels/cargo.ts';
import { firstProvider } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { NumberField } from '#ui/fields/number-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { useCargoOptions, useCargoWords } from './words.ts';
import {
  bannedReasonLength,
  mostPriority,
  shortNameLength,
} from '@waystation/contract/base/limits.ts';

interface Values {
  name: string;
  type: number | null;
  provider: Provider | null;
  priority: number | null;
  banned: 0 | 1;
  banned_reason: string;
  status: 0 | 1;
}

const valuesOf = (cargo: Cargo | null): Values => ({
  name: cargo?.name ?? '',
  type: cargo?.type ?? 1,
  provider: cargo?.provider ?? firstProvider,
  priority: cargo?.priority ?? 0,
  banned: cargo?.banned === 1 ? 1 : 0,
  banned_reason: cargo?.banned_reason ?? '',
  status: cargo?.status === 0 ? 0 : 1,
});

interface Props {
  /** Null to create new goods. */
  row: Cargo | null;
  onSaved: (row: Cargo, again: boolean) => void;
  onClose: () => void;
}

export const CargoForm = ({ row, onSaved, onClose }: Props) => {
  const { t } = useTexts();
  const words = useCargoWords();
  const options = useCargoOptions();
  const form = useRecordForm<Values, Cargo>({
    name: 'cargos',
    row,
    valuesOf,
    words,
    check: ({ name, priority, banned, banned_reason }) => ({
      name:
        name.trim() === ''
          ? t('common.required')
          : [...name.trim()].length > shortNameLength
            ? t('common.too_long', { max: shortNameLength })
            : undefined,
      priority:
        priority === null || priority < 0 || priority > mostPriority
          ? t('cargos.priority_bounds')
          : undefined,
      banned_reason:
        banned === 1 && banned_reason.trim() === '' ? t('cargos.reason_missing') : undefined,
    }),
    // The check above has ensured that `type` and `provider` are filled.
    create: (values) =>
      call(createCargo, {
        ...values,
        type: values.type!,
        provider: values.provider!,
        priority: values.priority!,
      }),
    edit: (id, version, { name, type, priority, banned, banned_reason }) =>
      call(editCargo, {
        id,
        version,
        ...(name !== undefined && { name }),
        ...(typeof type === 'number' && { type }),
        ...(typeof priority === 'number' && { priority }),
        ...(banned !== undefined && { banned }),
        ...(banned_reason !== undefined && { banned_reason }),
      }),
  });
  return (
    <FormDrawer
      form={form}
      title={row ? t('lists.edit_title', { name: row.name }) : t('cargos.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextField {...form.field('name')} required max={shortNameLength} />
      <SelectField {...form.field('type')} required options={options.types} />
      <SelectField
        {...form.field('provider')}
        required
        options={options.carriers}
        disabled={!form.isNew}
        hint={t('cargos.provider_fixed')}
      />
      <NumberField {...form.field('priority')} hint={t('cargos.priority_hint')} />
      <SwitchField
        {...form.field('banned')}
        words={words.banned.show?.(form.values.banned)}
        hint={t('cargos.banned_hint')}
      />
      {form.values.banned === 1 && (
        <TextField {...form.field('banned_reason')} required max={bannedReasonLength} lines={2} />
      )}
      {form.isNew && (
        <SwitchField {...form.field('status')} words={words.status.show?.(form.values.status)} />
      )}
    </FormDrawer>
  );
};
