/** Errors of API keys; a part of errors.ts, under the same rules. */
export const keyErrors = {
  key_invalid: {
    status: 401,
    zh: 'API 密钥无效、已到期、已撤销或已停用',
    en: 'The API key is wrong, ended or disabled',
  },
  key_forbidden: {
    status: 403,
    zh: '此 API 密钥无权调用该接口',
    en: 'This API key has no scope for this call',
  },
  key_address_refused: {
    status: 403,
    zh: '此 API 密钥不能从 {address} 使用',
    en: 'This API key may not be used from {address}',
  },
  too_many_keys: {
    status: 422,
    zh: '每个账号最多有 {limit} 个有效 API 密钥，请先撤销不用的',
    en: 'An account can have {limit|live API key|live API keys}; revoke one first',
  },
  too_many_keys_made_today: {
    status: 429,
    zh: '您和您所开通的账号每天最多新建 {limit} 个 API 密钥，请明天再建',
    en: 'You and the accounts made under you can create {limit|API key|API keys} a day; continue tomorrow',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
