/**
 * The texts of the insurance plans and the insurance calculator; they are loaded with their page,
 * not with the whole console.
 */
export const guaranteeWords = {
  frozen: {
    zh: '更改仅用于新运单；已下单的运单仍按原档位。',
    en: 'Changes apply to new orders at once; existing parcels keep their tiers.',
  },
  plan_do: { zh: '保存计划', en: 'Save plan' },
  plan_day: { zh: '生效日期', en: 'In force from' },
  plan_hint: {
    zh: '当日零点起，全部档位以此为准；生效前可撤回。',
    en: 'From midnight of that day these are all the tiers. The plan can be withdrawn until then.',
  },
  plan_tiers: { zh: '计划的档位', en: 'Planned tiers' },
  plan_money: { zh: '第 {no} 档 · 保价上限', en: 'Tier {no}: insured up to' },
  plan_remove: { zh: '移除第 {no} 档', en: 'Remove tier {no}' },
  plan_add: { zh: '添加档位', en: 'Add tier' },
  planned_for: { zh: '新档位将于 {day} 零点生效', en: 'The new tiers take effect on {day}' },
  withdraw: { zh: '撤回', en: 'Withdraw' },
  withdraw_title: { zh: '撤回 {day} 的计划？', en: 'Withdraw the plan for {day}?' },
  withdraw_hint: { zh: '现有档位保持不变。', en: 'The present tiers stay as they are.' },
  withdrawn: { zh: '计划已撤回', en: 'Plan withdrawn' },
  day: { zh: '查看日期', en: 'Show day' },
  waits: { zh: '{day} 零点起改为 {count} 档。', en: 'From {day} on: {count|tier|tiers}.' },
  waits_by: {
    zh: '{day} 零点起改为 {count} 档，由 {name} 计划。',
    en: 'From {day} on: {count|tier|tiers}, planned by {name}.',
  },
  tester: { zh: '保价试算', en: 'Insurance calculator' },
  value: { zh: '声明价值', en: 'Declared value' },
  least: { zh: '最低保价 {amount}', en: 'Minimum insured value {amount}' },
  no_least: { zh: '无最低保价', en: 'No minimum insured value' },
  no_merchant: { zh: '暂无启用的商家账号', en: 'No carrier account is enabled' },
} as const;

export type GuaranteeWord = keyof typeof guaranteeWords;
