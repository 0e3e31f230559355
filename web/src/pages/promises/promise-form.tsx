import { createPromise, editPromise } from '@waystation/contract/parcels/promise.ts';
import type { DeliveryPromise } from '@waystation/contract/parcels/promise.ts';
import { firstProvider } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { useKnownWords } from '#resource/record/known-words.ts';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { NumberField } from '#ui/fields/number-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { usePromiseWords } from './words.ts';
import {
  englishNameLength,
  mostPriority,
  promiseCodeLength,
  shortNameLength,
} from '@waystation/contract/base/limits.ts';

interface Values {
  promise_id: string;
  provider: Provider | null;
  promise_name: string;
  promise_name_en: string;
  cutoff_time: string;
  sort: number | null;
  status: 0 | 1;
}

const valuesOf = (row: DeliveryPromise | null): Values => ({
  promise_id: row?.promise_id ?? '',
  provider: row?.provider ?? firstProvider,
  promise_name: row?.promise_name ?? '',
  promise_name_en: row?.promise_name_en ?? '',
  cutoff_time: row?.cutoff_time ?? '',
  sort: row?.sort ?? 100,
  status: row?.status === 0 ? 0 : 1,
});

interface Props {
  /** Null to create a new delivery time. */
  row: DeliveryPromise | null;
  onSaved: (row: DeliveryPromise, again: boolean) => void;
  onClose: () => void;
}

export const PromiseForm = ({ row, onSaved, onClose }: Props) => {
  const { t } = useTexts();
  const words = usePromiseWords();
  const { carriers } = useKnownWords();
  const text = (value: string, max: number, needed: boolean): string | undefined =>
    needed && value.trim() === ''
      ? t('common.required')
      : [...value.trim()].length > max
        ? t('common.too_long', { max })
        : undefined;
  const form = useRecordForm<Values, DeliveryPromise>({
    name: 'promises',
    row,
    valuesOf,
    words,
    check: ({ promise_id, promise_name, promise_name_en, cutoff_time, sort }) => ({
      promise_id: text(promise_id, promiseCodeLength, true),
      promise_name: text(promise_name, shortNameLength, true),
      promise_name_en: text(promise_name_en, englishNameLength, false),
      cutoff_time: /^(([01]\d|2[0-3]):[0-5]\d)?$/.test(cutoff_time)
        ? undefined
        : t('promises.cutoff_shape'),
      sort:
        sort === null || sort < 0 || sort > mostPriority ? t('promises.sort_bounds') : undefined,
    }),
    // The check above has ensured that the optional values are filled.
    create: (values) =>
      call(createPromise, { ...values, provider: values.provider!, sort: values.sort! }),
    edit: (id, version, { promise_name, promise_name_en, cutoff_time, sort }) =>
      call(editPromise, {
        id,
        version,
        ...(promise_name !== undefined && { promise_name }),
        ...(promise_name_en !== undefined && { promise_name_en }),
        ...(cutoff_time !== undefined && { cutoff_time }),
        ...(typeof sort === 'number' && { sort }),
      }),
  });
  return (
    <FormDrawer
      form={form}
      title={row ? t('lists.edit_title', { name: row.promise_name }) : t('promises.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      <SelectField {...form.field('provider')} required options={carriers} disabled={!form.isNew} />
      <TextField
        {...form.field('promise_id')}
        required
        max={promiseCodeLength}
        disabled={!form.isNew}
        hint={t('promises.code_hint')}
      />
      <TextField {...form.field('promise_name')} required max={shortNameLength} />
      <TextField {...form.field('promise_name_en')} max={englishNameLength} />
      <TextField
        {...form.field('cutoff_time')}
        placeholder="18:00"
        hint={t('promises.cutoff_hint')}
      />
      <NumberField {...form.field('sort')} hint={t('promises.sort_hint')} />
      {form.isNew && (
        <SwitchField {...form.field('status')} words={words.status.show?.(form.values.status)} />
      )}
    </FormDrawer>
  );
};
