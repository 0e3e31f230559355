import { createProject, editProject } from '@waystation/contract/network/project.ts';
import type { ProjectDetails } from '@waystation/contract/network/project.ts';
import type { PercentType } from '@waystation/contract/money/terms.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { FormDrawer } from '#resource/form/form-drawer.tsx';
import { useRecordForm } from '#resource/form/use-record-form.ts';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { MatrixField } from './matrix-field.tsx';
import { usePercentOptions, useProjectWords } from './words.ts';
import { nameLength } from '@waystation/contract/base/limits.ts';

interface Values {
  name: string;
  percent_type: PercentType | null;
  voucher_ids: number[];
  status: 0 | 1;
}

const valuesOf = (row: ProjectDetails | null): Values => ({
  name: row?.name ?? '',
  percent_type: row?.percent_type ?? 1,
  voucher_ids: (row?.vouchers ?? []).map(({ voucher_id }) => voucher_id).toSorted((a, b) => a - b),
  status: row?.status === 0 ? 0 : 1,
});

interface Props {
  /** Null to create a new scheme. */
  row: ProjectDetails | null;
  onSaved: (row: ProjectDetails, again: boolean) => void;
  onClose: () => void;
}

export const ProjectForm = ({ row, onSaved, onClose }: Props) => {
  const { t } = useTexts();
  const words = useProjectWords();
  const percents = usePercentOptions();
  const form = useRecordForm<Values, ProjectDetails>({
    name: 'projects',
    row,
    valuesOf,
    words,
    check: ({ name }) => ({
      name:
        name.trim() === ''
          ? t('common.required')
          : [...name.trim()].length > nameLength
            ? t('common.too_long', { max: nameLength })
            : undefined,
    }),
    create: ({ percent_type, ...values }) =>
      call(createProject, { ...values, percent_type: percent_type! }),
    edit: (id, version, { name, percent_type, voucher_ids }) =>
      call(editProject, {
        id,
        version,
        ...(name !== undefined && { name }),
        ...(percent_type != null && { percent_type }),
        ...(voucher_ids !== undefined && { voucher_ids }),
      }),
  });
  const hints: Record<PercentType, string> = {
    1: t('projects.percent_1'),
    2: t('projects.percent_2'),
    3: t('projects.percent_3'),
  };
  const matrix = form.field('voucher_ids');
  return (
    <FormDrawer
      form={form}
      title={row ? t('lists.edit_title', { name: row.name }) : t('projects.new')}
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextField {...form.field('name')} required max={nameLength} />
      <SelectField
        {...form.field('percent_type')}
        required
        options={percents}
        hint={hints[form.values.percent_type ?? 1]}
      />
      <MatrixField value={matrix.value} onChange={matrix.onChange} error={matrix.error} />
      {form.isNew && (
        <SwitchField {...form.field('status')} words={words.status.show?.(form.values.status)} />
      )}
    </FormDrawer>
  );
};
