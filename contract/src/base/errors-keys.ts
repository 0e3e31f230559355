/** Errors about API keys. They are included in `errors` in errors.ts. */
export const keyErrors = {
  key_invalid: {
    status: 401,
    zh: 'API 密钥无效或已失效',
    en: 'The API key is wrong or has ended',
  },
  key_forbidden: {
    status: 403,
    zh: '此 API 密钥无权调用该接口（{scope}）',
    en: 'This API key may not make this call ({scope})',
  },
  key_address_refused: {
    status: 403,
    zh: '此 API 密钥不能从 {address} 使用',
    en: 'This API key may not be used from {address}',
  },
  too_many_keys: {
    status: 422,
    zh: '每个账号或管理账号最多 {limit} 个有效 API 密钥，请先撤销一个',
    en: 'An account or a manager can have {limit|live API key|live API keys}; revoke one first',
  },
  too_many_keys_made_today: {
    status: 429,
    zh: '每个账号或管理账号每天最多新建 {limit} 个 API 密钥',
    en: 'An account or a manager can have {limit|new API key|new API keys} a day',
  },
  key_limit_reached: {
    status: 422,
    zh: '此 API 密钥每天最多下单 ¥{limit_amount}，今天已下单 ¥{ordered_amount}，本单 ¥{post_amount} 会超出。请在限额内下单，或在“系统集成”中提高限额；每天零点重新计算。',
    en: 'This API key may order for ¥{limit_amount} a day and has ordered for ¥{ordered_amount} today; ¥{post_amount} more exceeds it. Have the limit raised under Integrations; the sum starts at zero each midnight.',
  },
  key_ended: {
    status: 409,
    zh: '此 API 密钥已到期或已撤销，限额不再起作用。请新建密钥。',
    en: 'This API key has expired or was revoked, so its limit has no effect. Create a new key.',
  },
  too_many_webhooks: {
    status: 422,
    zh: '每个账号最多 {each} 个 Webhook，每个网点最多 {station} 个',
    en: 'An account can have {each|webhook|webhooks}, a station {station}',
  },
  webhook_url_denied: {
    status: 422,
    zh: '须为公网的 https 地址，不能是 {host}',
    en: 'Must be a public https address, not {host}',
  },
  webhook_not_live: {
    status: 409,
    zh: 'Webhook 未启用',
    en: 'The webhook is not live',
  },
  webhook_stopped_by_manager: {
    status: 409,
    zh: '此 Webhook 由管理账号停用，请联系该账号启用',
    en: 'A managing account disabled this webhook; ask it to enable the webhook again',
  },
  too_many_channels: {
    status: 422,
    zh: '每个账号最多 {limit} 个通知渠道',
    en: 'An account can have {limit|notification channel|notification channels}',
  },
  too_many_channel_messages: {
    status: 429,
    zh: '今天发送的验证码和测试已达上限，请明天再试',
    en: 'The most codes and tests of a day were sent; try again tomorrow',
  },
  channel_code_wrong: {
    status: 422,
    zh: '验证码错误或已过期',
    en: 'The code is wrong or has expired',
  },
  channel_state: {
    status: 409,
    zh: '渠道当前状态不能进行此操作',
    en: 'Not possible in the present state of the channel',
  },
  mail_not_set_up: {
    status: 422,
    zh: '系统未设置邮件服务器，不能使用邮件',
    en: 'Mail is not set up in this installation',
  },
  channel_host_wrong: {
    status: 422,
    zh: '不是该平台机器人的 Webhook 地址',
    en: 'Not the webhook address of a robot of this platform',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
