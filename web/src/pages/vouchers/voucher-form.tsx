import { createVoucher, editVoucher } from '@waystation/contract/money/voucher.ts';
import type { Voucher } from '@waystation/contract/money/voucher.ts';
import { listPromises } from '@waystation/contract/parcels/promise.ts';
import {
  firstProvider,
  offeredProviders,
  providers,
} from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { call } from '#base/call.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useDiscountQuestion } from '#money/discount-question.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { DiscountField } from '#ui/fields/number-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { useVoucherWords } from './words.ts';
import type { VoucherField } from './words.ts';
import { mostPageSize, nameLength } from '@waystation/contract/base/limits.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';

interface Values {
  name: string;
  provider: Provider | null;
  promise_id: string;
  discount: number | null;
  northeast_discount: number | null;
}

const valuesOf = (row: Voucher | null): Values => ({
  name: row?.name ?? '',
  provider: row?.provider ?? firstProvider,
  promise_id: row?.promise_id ?? '',
  discount: row?.discount ?? null,
  northeast_discount: row?.northeast_discount ?? null,
});

/**
 * The delivery times to choose from. They are those of one carrier, or those of all carriers with
 * 'all'. There are none if `provider` is null.
 */
export const usePromiseOptions = (provider: Provider | 'all' | null) => {
  const { language } = useTexts();
  const { data } = useCall(
    listPromises,
    provider && {
      ...(provider !== 'all' && { provider }),
      page_size: mostPageSize,
    },
    { staleTime: 60_000, quiet: true },
  );
  return (data?.items ?? []).map(({ promise_id, promise_name, promise_name_en }) => ({
    value: promise_id,
    label: `${(language === 'en' && promise_name_en) || promise_name} · ${promise_id}`,
  }));
};

interface Props {
  /** Null to create a new template. */
  row: Voucher | null;
  onSaved: (row: Voucher, again: boolean) => void;
  onClose: () => void;
}

const ratePossible = (rate: number | null): boolean =>
  rate === null || Number.isNaN(rate) || (rate >= 1 && rate <= 10_000);

/**
 * The form with a template's name and its delivery time. The prices are changed in the editor
 * instead.
 */
export const VoucherForm = ({ row, onSaved, onClose }: Props) => {
  const { t, language } = useTexts();
  const words = useVoucherWords();
  const form = useRecordForm<Values, Voucher>({
    name: 'vouchers',
    row,
    valuesOf,
    words: words as Record<keyof Values & VoucherField, (typeof words)['name']>,
    check: ({ name, promise_id, discount, northeast_discount }) => ({
      name:
        name.trim() === ''
          ? t('common.required')
          : [...name.trim()].length > nameLength
            ? t('common.too_long', { max: nameLength })
            : undefined,
      promise_id: promise_id === '' ? t('common.required') : undefined,
      discount: ratePossible(discount) ? undefined : t('vouchers.rate_bounds'),
      northeast_discount: ratePossible(northeast_discount) ? undefined : t('vouchers.rate_bounds'),
    }),
    ask: useDiscountQuestion({
      discount: words.discount.label,
      northeast_discount: words.northeast_discount.label,
    }),
    create: (values) => call(createVoucher, { ...values, provider: values.provider! }),
    edit: (id, version, { name, promise_id, discount, northeast_discount }) =>
      call(editVoucher, {
        id,
        version,
        ...(name !== undefined && { name }),
        ...(promise_id !== undefined && { promise_id }),
        ...(discount !== undefined && { discount }),
        ...(northeast_discount !== undefined && { northeast_discount }),
      }),
  });
  const promises = usePromiseOptions(form.values.provider);
  const fixed = row !== null && (row.latest_no !== null || row.projects > 0);
  return (
    <FormDrawer
      form={form}
      title={row ? t('lists.edit_title', { name: row.name }) : t('vouchers.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextField {...form.field('name')} required max={nameLength} />
      <SelectField
        {...form.field('provider')}
        required
        options={offeredProviders.map((code) => ({
          value: code,
          label: wordOf(providers, code, language),
        }))}
        onChange={(provider) => {
          form.set('provider', provider);
          form.set('promise_id', '');
        }}
        disabled={!form.isNew}
      />
      <Combobox
        {...form.field('promise_id')}
        required
        options={promises}
        disabled={fixed}
        {...(row && { shown: row.promise_name })}
        hint={fixed ? t('vouchers.promise_fixed') : undefined}
      />
      <DiscountField {...form.field('discount')} hint={t('vouchers.discount_hint')} />
      <DiscountField {...form.field('northeast_discount')} hint={t('vouchers.northeast_hint')} />
    </FormDrawer>
  );
};
