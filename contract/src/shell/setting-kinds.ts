/**
 * The kind of a setting's value: whole fen, grams, hours, minutes or a count; a time of day `HH:MM`
 * in Asia/Shanghai; division codes of provinces; a text of several lines; or one of several named
 * choices.
 */
export type SettingKind =
  | 'fen'
  | 'grams'
  | 'hours'
  | 'minutes'
  | 'count'
  | 'time_of_day'
  | 'provinces'
  | 'text'
  | 'choice';

/** The sections of the Settings screen, in the order of the screen. */
export const settingGroups = {
  parcels: { zh: '运单', en: 'Parcels' },
  money: { zh: '资金限额', en: 'Money limits' },
  carriers: { zh: '承运商', en: 'Carriers' },
  ledger: { zh: '账目校验', en: 'Ledger check' },
  backups: { zh: '备份', en: 'Backups' },
  retention: { zh: '数据保留', en: 'Data retention' },
  login: { zh: '登录安全', en: 'Login' },
} as const;
export type SettingGroup = keyof typeof settingGroups;

interface Words {
  zh: string;
  en: string;
}

interface Described extends Words {
  group: SettingGroup;
  /** One sentence about the effect of the value. */
  hint: Words;
}

interface NumberSetting extends Described {
  kind: Exclude<SettingKind, 'time_of_day' | 'provinces' | 'text' | 'choice'>;
  default: number;
  min: number;
  max: number;
  /**
   * True for a limit of the amount that one person may move, or that a carrier's data may charge
   * without a decision. A raise must be approved by a second person, or else waits 24 hours.
   */
  moneyLimit?: true;
  /**
   * True for the number of days for which evidence is stored. A lower number must be approved by a
   * second person, or else waits 24 hours.
   */
  evidence?: true;
}

interface TimeSetting extends Described {
  kind: 'time_of_day';
  default: string;
}

interface ProvincesSetting extends Described {
  kind: 'provinces';
  default: readonly string[];
}

interface TextSetting extends Described {
  kind: 'text';
  default: string;
}

interface ChoiceSetting extends Described {
  kind: 'choice';
  default: string;
  /** The possible values, each with its name. */
  choices: Readonly<Record<string, Words>>;
}

export type Setting = NumberSetting | TimeSetting | ProvincesSetting | TextSetting | ChoiceSetting;
