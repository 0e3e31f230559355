import { useState } from 'react';
import { editSetting, listSettings } from '@waystation/contract/shell/setting-calls.ts';
import type { SettingRow } from '@waystation/contract/shell/setting-calls.ts';
import { isSettingValue } from '@waystation/contract/shell/settings.ts';
import type { AnySettingValue, Setting } from '@waystation/contract/shell/settings.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { SelectField } from '#ui/fields/choice-fields.tsx';
import { MoneyField, NumberField, WeightField } from '#ui/fields/number-fields.tsx';
import { ProvincesField } from '#ui/fields/provinces-field.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { settingOf, useSettingWords } from './words.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

interface FieldProps {
  setting: Setting;
  value: AnySettingValue | null;
  error: string | undefined;
  hint: string;
  onChange: (value: AnySettingValue | null) => void;
}

const ValueField = ({ setting, value, error, hint, onChange }: FieldProps) => {
  const { t, language } = useTexts();
  const shared = {
    label: setting[language],
    name: 'value',
    required: true,
    autoFocus: true,
    hint,
    error,
  } as const;
  if (setting.kind === 'provinces')
    return <ProvincesField {...shared} value={value as readonly string[]} onChange={onChange} />;
  if (setting.kind === 'choice')
    return (
      <SelectField
        {...shared}
        value={value as string}
        options={Object.entries(setting.choices).map(([choice, words]) => ({
          value: choice,
          label: words[language],
        }))}
        onChange={onChange}
      />
    );
  if (setting.kind === 'text')
    return (
      <TextField
        {...shared}
        required={false}
        value={value as string}
        onChange={onChange}
        lines={5}
      />
    );
  if (setting.kind === 'time_of_day')
    return (
      <TextField {...shared} value={value as string} onChange={onChange} placeholder="02:30" />
    );
  const numeric = { ...shared, value: value as number | null, onChange };
  if (setting.kind === 'fen') return <MoneyField {...numeric} />;
  if (setting.kind === 'grams') return <WeightField {...numeric} />;
  return (
    <NumberField
      {...numeric}
      {...(setting.kind !== 'count' && { suffix: t(`settings.unit.${setting.kind}`) })}
    />
  );
};

/**
 * Changes one setting. If the change waits for a second person, the dialog shows when it takes
 * effect.
 */
export const SettingDialog = ({ row, onClose }: { row: SettingRow; onClose: () => void }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { valueText } = useSettingWords();
  const setting = settingOf(row.name);
  const [value, setValue] = useState<AnySettingValue | null>(row.value);
  const range =
    'min' in setting
      ? t('settings.range', {
          min: valueText(row.name, setting.min),
          max: valueText(row.name, setting.max),
        })
      : undefined;
  const sending = useSubmit({
    send: async () => {
      const saved = await call(editSetting, {
        name: row.name,
        value: value as SettingRow['value'],
        version: row.version,
      });
      return saved.raise
        ? t('settings.raise_submitted', { at: format.time(saved.raise.effective_at) })
        : t('settings.saved');
    },
    refreshes: [listSettings],
    onDone: onClose,
  });
  const invalid =
    value === null || value === '' ? t('common.required') : (range ?? t('settings.time_invalid'));
  return (
    <SubmitDialog
      title={t('settings.edit_of', { name: setting[language] })}
      ok={t('common.save')}
      sending={sending}
      width={setting.kind === 'provinces' || setting.kind === 'text' ? 560 : 440}
      check={() => ({ value: isSettingValue(setting, value) ? undefined : invalid })}
      onClose={onClose}
    >
      <ValueField
        setting={setting}
        value={value}
        error={sending.errors['value']}
        hint={
          range === undefined
            ? setting.hint[language]
            : `${setting.hint[language]}${language === 'zh' ? '' : ' '}${range}`
        }
        onChange={setValue}
      />
      {'moneyLimit' in setting && <Notice tone="info">{t('settings.raise_hint')}</Notice>}
      {'evidence' in setting && <Notice tone="info">{t('settings.shorten_hint')}</Notice>}
    </SubmitDialog>
  );
};
