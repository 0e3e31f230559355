import type { KeyScope } from '#base/key-scopes.ts';

/**
 * The texts of the screen for API keys. They are in a separate file because it is loaded with this
 * screen; all other texts are loaded with the console.
 */
export const keyWords = {
  hint: {
    zh: 'API 密钥供程序代表账号调用接口：下单、查单、打印面单。密钥仅显示一次，撤销后立即失效。',
    en: 'Programs call the API with a key, in the name of its account: they order, track and print labels. A key is shown once; a revoked one fails at once.',
  },
  searches: { zh: '名称、用户名、姓名', en: 'Name, username, person' },
  create: { zh: '新建密钥', en: 'New key' },
  name: { zh: '名称', en: 'Name' },
  name_hint: { zh: '如：网店系统', en: 'Such as: shop system' },
  account: { zh: '账号', en: 'Account' },
  account_hint: {
    zh: '密钥以该账号的角色、数据范围和限额调用接口。',
    en: 'The key has the role, data scope and limits of this account.',
  },
  account_placeholder: { zh: '输入用户名或姓名', en: 'Username or name' },
  hint_column: { zh: '密钥', en: 'Key' },
  scopes: { zh: '权限范围', en: 'Scopes' },
  scopes_required: { zh: '至少选择一项', en: 'Choose at least one' },
  addresses: { zh: '允许的地址', en: 'Allowed addresses' },
  addresses_hint: {
    zh: '每行一个 IP 地址或网段，如 203.0.113.0/24；留空则不限。',
    en: 'One IP address or network a line, such as 203.0.113.0/24. Empty: any address.',
  },
  address_wrong: { zh: '第 {line} 行：{text}', en: 'Line {line}: {text}' },
  addresses_many: { zh: '最多 {most} 个地址', en: 'At most {most|address|addresses}' },
  any_address: { zh: '不限', en: 'Any' },
  daily_limit: { zh: '每日下单限额', en: 'Daily order limit' },
  daily_limit_hint: {
    zh: '密钥每天（北京时间）最多下单的金额，取消的订单也计入。留空则不限。',
    en: 'For how much the key may order a day (China time), cancelled orders included. Empty: no limit.',
  },
  no_limit: { zh: '不限', en: 'None' },
  ordered_today: { zh: '今日已下单', en: 'Ordered today' },
  ordered_of: { zh: '{ordered} / {limit}', en: '{ordered} of {limit}' },
  limit: { zh: '修改限额', en: 'Change limit' },
  limit_title: { zh: '密钥“{name}”的每日下单限额', en: 'Daily order limit of the key “{name}”' },
  save: { zh: '保存', en: 'Save' },
  limited: { zh: '已修改密钥“{name}”的限额', en: 'Limit of the key “{name}” changed' },
  expires: { zh: '到期时间', en: 'Expires' },
  never: { zh: '永不', en: 'Never' },
  days: { zh: '{count} 天后', en: 'In {count|day|days}' },
  last_used: { zh: '最近使用', en: 'Last used' },
  not_used: { zh: '未使用', en: 'Not used' },
  made_by: { zh: '创建人', en: 'Created by' },
  made_above: { zh: '上级账号', en: 'An account above' },
  status: { zh: '状态', en: 'Status' },
  revoke: { zh: '撤销', en: 'Revoke' },
  revoke_title: { zh: '撤销密钥“{name}”？', en: 'Revoke the key “{name}”?' },
  revoke_hint: {
    zh: '使用此密钥的程序将立即无法调用接口。撤销后不能恢复。',
    en: 'Programs that use this key fail from their next call on. This cannot be undone.',
  },
  revoked: { zh: '已撤销密钥“{name}”', en: 'Key “{name}” revoked' },
  made_title: { zh: '密钥“{name}”已创建', en: 'Key “{name}” created' },
  made_hint: {
    zh: '密钥仅显示这一次，请复制并妥善保存。如遗失，请撤销后新建。',
    en: 'The key is shown only now. Copy it and keep it safe; if it is lost, revoke it and create another.',
  },
  copy: { zh: '复制密钥', en: 'Copy key' },
  saved: { zh: '已保存', en: 'Saved' },
} as const;
export type KeyWord = keyof typeof keyWords;

export const keyScopeWords = {
  parcels: { zh: '查询运单', en: 'Read parcels' },
  order: { zh: '下单与询价', en: 'Quote and order' },
  cancel: { zh: '取消运单', en: 'Cancel parcels' },
  labels: { zh: '打印面单', en: 'Print labels' },
  statements: { zh: '查询账单', en: 'Read transactions' },
  stations: { zh: '查询网点', en: 'Read stations' },
  webhooks: { zh: '查看与重发 Webhook', en: 'Read and resend webhooks' },
} as const satisfies Record<KeyScope, { zh: string; en: string }>;

export const keyStatusWords = {
  live: { zh: '有效', en: 'Live' },
  stopped: { zh: '账号已停用或变更', en: 'Account disabled or changed' },
  expired: { zh: '已过期', en: 'Expired' },
  revoked: { zh: '已撤销', en: 'Revoked' },
} as const;
