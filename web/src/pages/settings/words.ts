import type { SettingRow } from '@waystation/contract/shell/setting-calls.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { settings } from '@waystation/contract/shell/settings.ts';
import type { Setting, SettingKind, SettingName } from '@waystation/contract/shell/settings.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { yuan } from '#ui/values/amounts.ts';

export const settingOf = (name: SettingName): Setting => settings[name];

/** The texts for the values of settings. */
export const useSettingWords = () => {
  const { t, language } = useTexts();
  const format = useFormat();
  const numbers: Readonly<
    Record<
      Exclude<SettingKind, 'time_of_day' | 'provinces' | 'text' | 'choice'>,
      (value: number) => string
    >
  > = {
    fen: yuan,
    grams: (value) => `${kgText(value)} kg`,
    hours: (value) => t('settings.hours', { value: format.number(value) }),
    minutes: (value) => t('settings.minutes', { value: format.number(value) }),
    count: (value) => format.number(value),
  };
  const valueText = (name: SettingName, value: SettingRow['value']): string => {
    const setting = settingOf(name);
    if (setting.kind === 'choice') return setting.choices[value as string]?.[language] ?? '';
    const { kind } = setting;
    if (Array.isArray(value))
      return value.length === 0
        ? t('settings.none')
        : value.map((code) => provinceName(code, language)).join(language === 'zh' ? '、' : ', ');
    if (kind === 'text') return value === '' ? t('settings.none') : String(value);
    return kind === 'time_of_day' || kind === 'provinces'
      ? String(value)
      : numbers[kind](value as number);
  };
  return { valueText, language };
};
