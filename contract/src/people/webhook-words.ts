import type {
  deliveryStatuses,
  Webhook,
  WebhookError,
  WebhookKind,
  webhookStatuses,
} from './webhook.ts';

/** The texts of the screen for webhooks; they are loaded only with this screen. */
export const webhookWords = {
  tabs: { zh: '集成', en: 'Integrations' },
  keys: { zh: 'API 密钥', en: 'API keys' },
  webhooks: { zh: 'Webhook', en: 'Webhooks' },
  hint: {
    zh: '事件发生后，系统以 Standard Webhooks 签名将其发送到您的地址；失败时 24 小时内重试。',
    en: 'What happens is sent to your address, signed as Standard Webhooks says, and tried again for 24 hours.',
  },
  searches: { zh: '名称、地址、用户名', en: 'Name, address, username' },
  create: { zh: '新建 Webhook', en: 'New webhook' },
  edit: { zh: '编辑', en: 'Edit' },
  edit_title: { zh: '编辑 Webhook', en: 'Edit webhook' },
  enable: { zh: '启用', en: 'Enable' },
  enable_title: { zh: '启用“{name}”', en: 'Enable “{name}”' },
  enable_hint: {
    zh: '停用前仍在等待的投递会重新发送。',
    en: 'Deliveries that waited when it was disabled are sent again.',
  },
  save: { zh: '保存', en: 'Save' },
  save_and_enable: { zh: '保存并启用', en: 'Save and enable' },
  stopped_by_manager: {
    zh: '此 Webhook 由管理账号停用，保存后仍为停用状态。',
    en: 'A managing account disabled this webhook. It stays disabled when you save.',
  },
  name: { zh: '名称', en: 'Name' },
  url: { zh: '接收地址', en: 'Address' },
  url_hint: { zh: '公网 https 地址', en: 'A public https address' },
  events: { zh: '事件', en: 'Events' },
  events_required: { zh: '至少选择一项', en: 'Choose at least one' },
  station: { zh: '网点', en: 'Station' },
  everything: { zh: '全部可见网点', en: 'All in scope' },
  below: { zh: '含下级网点', en: 'With the stations below' },
  status: { zh: '状态', en: 'Status' },
  waiting: { zh: '待投递', en: 'Waiting' },
  account: { zh: '账号', en: 'Account' },
  deliveries: { zh: '投递记录', en: 'Deliveries' },
  no_deliveries: { zh: '暂无投递', en: 'No deliveries' },
  test: { zh: '发送测试', en: 'Send a test' },
  tested: { zh: '测试事件已加入投递', en: 'The test event is on its way' },
  rotate: { zh: '更换签名密钥', en: 'Replace secret' },
  rotate_hint: {
    zh: '旧密钥在 24 小时内与新密钥同时有效。',
    en: 'The present secret signs too for 24 hours.',
  },
  disable: { zh: '停用', en: 'Disable' },
  remove: { zh: '移除', en: 'Remove' },
  remove_title: { zh: '移除“{name}”？', en: 'Remove “{name}”?' },
  remove_hint: {
    zh: '投递记录一并删除，不能恢复。',
    en: 'Its deliveries go with it. This cannot be undone.',
  },
  disable_title: { zh: '停用“{name}”？', en: 'Disable “{name}”?' },
  disable_hint: {
    zh: '停用期间的事件不会补发。',
    en: 'Events that happen meanwhile are not sent later.',
  },
  secret_title: { zh: '“{name}”的签名密钥', en: 'Signing secret of “{name}”' },
  secret_hint: {
    zh: '密钥仅显示这一次，请复制并妥善保存。',
    en: 'The secret is shown only now. Copy it and keep it safe.',
  },
  copy: { zh: '复制密钥', en: 'Copy secret' },
  saved: { zh: '已保存', en: 'Saved' },
  replay: { zh: '重新投递', en: 'Send again' },
  replay_failed: { zh: '重新投递失败的', en: 'Send failed ones again' },
  replayed: { zh: '已重新加入 {count} 条投递', en: '{count|delivery|deliveries} sent again' },
  dropped: {
    zh: '等待过多，{count} 个事件未保留。',
    en: '{count|event was|events were} not kept, because too many waited.',
  },
  failing: { zh: '失败，重试中', en: 'Failing, tried again' },
  created: { zh: '创建时间', en: 'Created' },
  attempts: { zh: '{count} 次', en: '{count|attempt|attempts}' },
  next: { zh: '下次 {time}', en: 'Next {time}' },
  request: { zh: '请求', en: 'Request' },
  response: { zh: '响应', en: 'Response' },
  earlier: { zh: '更早的 {count} 次投递', en: '{count|earlier attempt|earlier attempts}' },
} as const;
export type WebhookWord = keyof typeof webhookWords;

export const webhookStatusWords = {
  live: { zh: '启用', en: 'Live' },
  stopped: { zh: '账号已停用或变更', en: 'Account disabled or changed' },
  disabled: { zh: '已停用', en: 'Disabled' },
} as const satisfies Record<(typeof webhookStatuses)[number], object>;

export const webhookStopWords = {
  person: { zh: '已停用', en: 'Disabled' },
  manager: { zh: '管理账号已停用', en: 'Disabled by a manager' },
  failures: { zh: '连续失败已停用', en: 'Disabled: it failed' },
  gone: { zh: '地址失效已停用', en: 'Disabled: it is gone' },
  access: { zh: '账号变更已停用', en: 'Disabled: account reset' },
} as const satisfies Record<NonNullable<Webhook['stopped_by']>, object>;

export const deliveryStatusWords = {
  pending: { zh: '待投递', en: 'Waiting' },
  delivered: { zh: '已送达', en: 'Delivered' },
  failed: { zh: '失败', en: 'Failed' },
  skipped: { zh: '无权查看，未发送', en: 'Not sent: not in scope' },
} as const satisfies Record<(typeof deliveryStatuses)[number], object>;

export const webhookErrorWords = {
  status: { zh: '响应不是 2xx', en: 'The response is not 2xx' },
  gone: { zh: '地址已失效（410）', en: 'The address is gone (410)' },
  timeout: { zh: '10 秒内无响应', en: 'No response within 10 s' },
  unreachable: { zh: '无法连接', en: 'Unreachable' },
  connection_lost: { zh: '连接中断', en: 'The connection broke' },
  too_large: { zh: '响应过大', en: 'The response is too large' },
  denied: { zh: '域名不存在，或不允许连接', en: 'No such host, or it may not be called' },
  internal: { zh: '系统内部错误', en: 'Could not be built here' },
  paused: {
    zh: '账号或网点停用超过 24 小时',
    en: 'The account or its station was disabled for a day',
  },
} as const satisfies Record<WebhookError, object>;

export const webhookKindWords = {
  'parcel.ordered': { zh: '已下单', en: 'Ordered' },
  'parcel.refused': { zh: '下单被拒', en: 'Refused by the carrier' },
  'parcel.on_hold': { zh: '余额不足待下单', en: 'On hold' },
  'parcel.moved': { zh: '运输中', en: 'In transit' },
  'parcel.signed': { zh: '已签收', en: 'Signed' },
  'parcel.exception': { zh: '异常', en: 'Exception' },
  'parcel.returning': { zh: '退回中', en: 'Returning' },
  'parcel.returned': { zh: '已退回', en: 'Returned' },
  'parcel.cancelled': { zh: '已取消', en: 'Cancelled' },
  'parcel.reweighed': { zh: '重量差额', en: 'Weighed with a difference' },
  'parcel.repriced': { zh: '运费变更', en: 'Repriced' },
  'parcel.printed': { zh: '已打印', en: 'Printed' },
  'statement.posted': { zh: '账单入账', en: 'Transaction posted' },
  'balance.low': { zh: '余额不足提醒', en: 'Low balance' },
  'request.decided': { zh: '申请已审批', en: 'Request decided' },
  'month.closed': { zh: '月度结账', en: 'Month closed' },
  'import.finished': { zh: '导入完成', en: 'Import finished' },
} as const satisfies Record<WebhookKind, { zh: string; en: string }>;
