import { createGuarantee, editGuarantee } from '@waystation/contract/money/guarantee.ts';
import type { Guarantee } from '@waystation/contract/money/guarantee.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { yuan } from '#ui/values/amounts.ts';
import { SwitchField } from '#ui/fields/choice-fields.tsx';
import { MoneyField } from '#ui/fields/number-fields.tsx';
import { useGuaranteeWords } from './words.ts';

interface Values {
  money: number | null;
  price: number | null;
  status: 0 | 1;
}

const valuesOf = (row: Guarantee | null): Values => ({
  money: row?.money ?? null,
  price: row?.price ?? null,
  status: row?.status === 0 ? 0 : 1,
});

interface Props {
  /** Null to create a new tier. */
  row: Guarantee | null;
  onSaved: (row: Guarantee, again: boolean) => void;
  onClose: () => void;
}

export const GuaranteeForm = ({ row, onSaved, onClose }: Props) => {
  const { t } = useTexts();
  const words = useGuaranteeWords();
  const form = useRecordForm<Values, Guarantee>({
    name: 'guarantees',
    row,
    valuesOf,
    words,
    check: ({ money, price }) => ({
      money:
        money === null
          ? t('common.required')
          : money <= 0
            ? t('guarantees.above_nought')
            : undefined,
      price:
        price === null
          ? t('common.required')
          : price < 0
            ? t('guarantees.not_below_nought')
            : undefined,
    }),
    // The check above has ensured that the optional values are filled.
    create: ({ money, price, status }) =>
      call(createGuarantee, { money: money!, price: price!, status }),
    edit: (id, version, { money, price }) =>
      call(editGuarantee, {
        id,
        version,
        ...(typeof money === 'number' && { money }),
        ...(typeof price === 'number' && { price }),
      }),
  });
  return (
    <FormDrawer
      form={form}
      title={
        row
          ? t('lists.edit_title', { name: t('guarantees.up_to', { money: yuan(row.money) }) })
          : t('guarantees.new')
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      <MoneyField {...form.field('money')} required hint={t('guarantees.money_hint')} />
      <MoneyField {...form.field('price')} required hint={t('guarantees.price_hint')} />
      {form.isNew && (
        <SwitchField {...form.field('status')} words={words.status.show?.(form.values.status)} />
      )}
    </FormDrawer>
  );
};
