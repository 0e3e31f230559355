import { settingTextLength } from '#base/limits.ts';
import { defaultNortheast } from '#parcels/provinces.ts';
import { retentionSettings } from './retention-settings.ts';
import type { Setting } from './setting-kinds.ts';

export { settingGroups } from './setting-kinds.ts';
export type { Setting, SettingGroup, SettingKind } from './setting-kinds.ts';

/**
 * Every setting of the network. A new setting needs only a row here: `readSetting(tx, name)`
 * (server/src/platform/settings.ts) reads it, and the Settings screen shows it.
 */
export const settings = {
  northeast_provinces: {
    group: 'parcels',
    kind: 'provinces',
    default: defaultNortheast,
    zh: '东北省份',
    en: 'North-east provinces',
    hint: {
      zh: '收件地在这些省份时，按东北折扣计费。',
      en: 'Parcels to these provinces are priced with the north-east discount.',
    },
  },
  max_weight: {
    group: 'parcels',
    kind: 'grams',
    default: 50_000,
    min: 1_000,
    max: 1_000_000,
    zh: '单件重量上限',
    en: 'Weight limit of a parcel',
    hint: { zh: '超过此重量的包裹不能下单。', en: 'Heavier parcels cannot be ordered.' },
  },
  reprint_limit: {
    group: 'parcels',
    kind: 'count',
    default: 10,
    min: 1,
    max: 1_000,
    zh: '两天内打印次数上限',
    en: 'Prints of a waybill in two days',
    hint: {
      zh: '同一运单在两天内最多打印的次数，含首次打印。',
      en: 'How often one waybill may be printed within two days, the first print included.',
    },
  },
  estimate_after_hours: {
    group: 'parcels',
    kind: 'hours',
    default: 72,
    min: 1,
    max: 720,
    zh: '无重量时的扣费时限',
    en: 'Charge without a weight after',
    hint: {
      zh: '揽收后超过此时长承运商仍未回传重量，按预估金额扣费。',
      en: 'If the carrier reports no weight for this long after pickup, the estimated amount is charged.',
    },
  },
  unmoved_hours: {
    group: 'parcels',
    kind: 'hours',
    default: 48,
    min: 6,
    max: 720,
    zh: '无更新提醒时限',
    en: 'No updates: notify after',
    hint: {
      zh: '运单超过此时长没有新轨迹，即列入异常看板并通知。',
      en: 'Parcels without tracking updates for this long are exceptions with a notice.',
    },
  },
  phone_searches_per_hour: {
    group: 'parcels',
    kind: 'count',
    default: 60,
    min: 0,
    max: 10_000,
    zh: '跨网点号码查询上限',
    en: 'Phone searches at other stations',
    hint: {
      zh: '每个账号每小时可按完整手机号查询或查看的其他网点不同号码数，每次记入操作日志。',
      en: 'Full phone numbers of other stations one account may search or reveal within an hour. Each is in the audit log.',
    },
  },
  given_alone_limit: {
    group: 'money',
    kind: 'fen',
    default: 50_000,
    min: 0,
    max: 10_000_000_000,
    moneyLimit: true,
    zh: '调账、退款、理赔：单人单日限额',
    en: 'Adjustments, refunds, payouts: per person and day',
    hint: {
      zh: '一人一天内对同一网点的调账、退款、理赔和运单冲正合计（不计正负）；由同一人开设的账号合并计算；超过时须另一人审批。',
      en: 'What one person may adjust, refund, pay out and reverse for one station in a day, regardless of sign; accounts set up by one person count together. Above it a second person approves.',
    },
  },
  top_up_limit: {
    group: 'money',
    kind: 'fen',
    default: 5_000_000,
    min: 0,
    max: 10_000_000_000,
    moneyLimit: true,
    zh: '充值：单笔限额',
    en: 'Top-up: single limit',
    hint: {
      zh: '单笔超过此金额须另一人审批。',
      en: 'A second person approves a single top-up above this amount.',
    },
  },
  top_up_day_limit: {
    group: 'money',
    kind: 'fen',
    default: 20_000_000,
    min: 0,
    max: 10_000_000_000,
    moneyLimit: true,
    zh: '充值：单人单日限额',
    en: 'Top-ups: per person and day',
    hint: {
      zh: '一人一天内对全部网点的充值合计；超过时须另一人审批。',
      en: 'What one person may top up in a day over all stations. Above it a second person approves.',
    },
  },
  low_balance: {
    group: 'money',
    kind: 'fen',
    default: 10_000,
    min: 0,
    max: 10_000_000_000,
    zh: '余额提醒金额',
    en: 'Low balance below',
    hint: {
      zh: '做余额校验的网点可用余额低于此金额时提醒；网点可以另设。',
      en: 'Stations whose balance is checked are warned of when less is available. A station may have its own.',
    },
  },
  payment_account: {
    group: 'money',
    kind: 'text',
    default: '',
    zh: '收款账户',
    en: 'Payment account',
    hint: {
      zh: '网点申请充值时看到的收款户名、银行和账号。修改后提醒所有管理员。',
      en: 'Payee, bank and account number that stations see when they request a top-up. All administrators are alerted to a change.',
    },
  },
  outage_calls: {
    group: 'carriers',
    kind: 'count',
    default: 10,
    min: 2,
    max: 100,
    zh: '故障判断的调用次数',
    en: 'Calls checked for an outage',
    hint: {
      zh: '按商家账号最近这么多次调用判断承运商是否故障。',
      en: 'Number of latest calls of a carrier account that decide whether the carrier is down.',
    },
  },
  outage_failures: {
    group: 'carriers',
    kind: 'count',
    default: 5,
    min: 1,
    max: 100,
    zh: '判为故障的失败次数',
    en: 'Failed calls for an outage',
    hint: {
      zh: '其中失败达到此次数时提示承运商故障；新订单照常提交并等待。',
      en: 'If this many of them fail, the carrier is shown as down; new orders can be placed and wait.',
    },
  },
  trace_rate: {
    group: 'carriers',
    kind: 'count',
    default: 5,
    min: 1,
    max: 100,
    zh: '每秒轨迹查询次数',
    en: 'Tracking queries per second',
    hint: {
      zh: '为确认推送，每个商家账号每秒最多向承运商查询这么多次轨迹。',
      en: 'Limit of tracking queries per second and carrier account when confirming pushes.',
    },
  },
  charge_weight_times: {
    group: 'carriers',
    kind: 'count',
    default: 3,
    min: 1,
    max: 100,
    moneyLimit: true,
    zh: '承运商重量：申报的倍数',
    en: 'Carrier weight: times the declared',
    hint: {
      zh: '承运商计重超过申报重量的此倍数，且超出下一项的重量时，不入账，待管理员核定。',
      en: 'A carrier weight above this many times the declared one, and above the excess below, is not posted until an administrator decides.',
    },
  },
  charge_weight_over: {
    group: 'carriers',
    kind: 'grams',
    default: 10_000,
    min: 0,
    max: 1_000_000,
    moneyLimit: true,
    zh: '承运商重量：超出申报',
    en: 'Carrier weight: excess over the declared',
    hint: {
      zh: '承运商计重比申报重量多出不超过此重量时，照常计费。',
      en: 'A carrier weight that exceeds the declared one by no more than this is charged as usual.',
    },
  },
  charge_price_times: {
    group: 'carriers',
    kind: 'count',
    default: 3,
    min: 1,
    max: 100,
    moneyLimit: true,
    zh: '应付运费：预估的倍数',
    en: 'Price: times the estimate',
    hint: {
      zh: '承运商数据使运费超过下单预估的此倍数时，不入账，待管理员核定。',
      en: 'Carrier data that raise the price above this many times the estimate are not posted until an administrator decides.',
    },
  },
  charge_surcharge_times: {
    group: 'carriers',
    kind: 'count',
    default: 3,
    min: 1,
    max: 100,
    moneyLimit: true,
    zh: '附加费：预估的倍数',
    en: 'Surcharges: times the estimate',
    hint: {
      zh: '附加费合计超过下单预估的此倍数时，不入账，待管理员核定。',
      en: 'Surcharges above this many times the estimated price are not posted until an administrator decides.',
    },
  },
  charge_cost_times: {
    group: 'carriers',
    kind: 'count',
    default: 3,
    min: 1,
    max: 100,
    moneyLimit: true,
    zh: '承运成本：运费的倍数',
    en: 'Carrier cost: times the price',
    hint: {
      zh: '承运成本超过折前运费的此倍数时，不入账，待管理员核定。',
      en: 'A carrier cost above this many times the list price is not posted until an administrator decides.',
    },
  },
  charge_least_amount: {
    group: 'carriers',
    kind: 'fen',
    default: 2_000,
    min: 0,
    max: 100_000,
    moneyLimit: true,
    zh: '免核定金额',
    en: 'Amounts never held',
    hint: {
      zh: '运费、附加费和承运成本不超过此金额时，不按倍数核定。',
      en: 'Prices, surcharges and costs up to this amount are posted whatever the multiples.',
    },
  },
  known_fee_codes: {
    group: 'carriers',
    kind: 'text',
    default: '',
    zh: '已知费用代码',
    en: 'Known fee codes',
    hint: {
      zh: '承运商其他费用的代码，每行一个；不在系统内置和此处的代码不入账，待管理员核定。',
      en: 'Codes of other carrier fees, one a line. A fee whose code is neither built in nor listed here is not posted until an administrator decides.',
    },
  },
  proof_time: {
    group: 'ledger',
    kind: 'time_of_day',
    default: '02:30',
    zh: '每日完整校验时间',
    en: 'Daily full ledger check at',
    hint: {
      zh: '每天从此时起校验全部账目（北京时间）。',
      en: 'The whole ledger is checked daily from this time (Beijing time).',
    },
  },
  backup_time: {
    group: 'backups',
    kind: 'time_of_day',
    default: '01:30',
    zh: '每日备份时间',
    en: 'Daily backup at',
    hint: {
      zh: '每天从此时起备份（北京时间），每周校验一次；须由运维设置备份目录。',
      en: 'A backup is made daily from this time (Beijing time) and verified weekly, if a backup folder is set.',
    },
  },
  backup_keep_days: {
    group: 'backups',
    kind: 'count',
    default: 30,
    min: 2,
    max: 3_650,
    zh: '备份保留天数',
    en: 'Backups kept for days',
    hint: {
      zh: '每日备份后删除更早的备份文件；最新的和最近验证过的始终保留。',
      en: 'Older files are removed after a daily backup, but never the newest or the last verified one.',
    },
  },
  ...retentionSettings,
  second_factor_for: {
    group: 'login',
    kind: 'choice',
    default: 'nobody',
    choices: {
      nobody: { zh: '无，由本人决定', en: 'Nobody: each person decides' },
      office: { zh: '超级管理员和管理员', en: 'Super admins and admins' },
      everybody: { zh: '所有账号', en: 'Everybody' },
    },
    zh: '必须使用两步验证的账号',
    en: 'Two-factor authentication required of',
    hint: {
      zh: '这些账号未设置两步验证前，除设置外不能进行任何操作，其 API 密钥也不能使用。',
      en: 'Until these accounts have set it up, they can do nothing else, and their API keys are refused.',
    },
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

/**
 * The type of a setting's value: `number`, `'HH:MM'` or another text, a choice, or a list of
 * division codes.
 */
export type SettingValue<N extends SettingName = SettingName> =
  (typeof settings)[N]['kind'] extends 'provinces'
    ? readonly string[]
    : (typeof settings)[N]['kind'] extends 'time_of_day' | 'text' | 'choice'
      ? string
      : number;

export type AnySettingValue = number | string | readonly string[];

/** The format of a time of day: `HH:MM`. */
export const timeOfDayPattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * True if a form's value is valid for the setting. Only the server returns the rule that a value
 * breaks (settings.schema.ts).
 */
export const isSettingValue = (
  setting: Setting,
  value: AnySettingValue | null,
): value is AnySettingValue => {
  if (setting.kind === 'provinces') return Array.isArray(value);
  if (setting.kind === 'choice')
    return typeof value === 'string' && Object.hasOwn(setting.choices, value);
  if (setting.kind === 'text')
    return typeof value === 'string' && value.trim().length <= settingTextLength;
  if (setting.kind === 'time_of_day')
    return typeof value === 'string' && timeOfDayPattern.test(value);
  return (
    Number.isInteger(value) && (value as number) >= setting.min && (value as number) <= setting.max
  );
};
