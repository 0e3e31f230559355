/** Errors of API keys; a part of errors.ts, under the same rules. */
export const keyErrors = {
  key_invalid: {
    status: 401,
    zh: 'API 密钥无效、已过期或已撤销，或其账号、网点已停用',
    en: 'The API key is wrong, expired or revoked, or its account or station is disabled',
  },
  key_address_refused: {
    status: 403,
    zh: '此 API 密钥不允许从地址 {address} 使用',
    en: 'This API key may not be used from address {address}',
  },
  key_scope_missing: {
    status: 403,
    zh: '此 API 密钥没有该接口所需的权限范围',
    en: 'This API key lacks the scope of this call',
  },
  key_closed: {
    status: 403,
    zh: '该接口不对 API 密钥开放，请登录后操作',
    en: 'This call is closed to API keys; log in instead',
  },
  key_throttled: {
    status: 429,
    zh: '此 API 密钥每分钟最多调用 {limit} 次，请 {seconds} 秒后再试',
    en: 'This API key may make {limit|call|calls} a minute; wait {seconds} s',
  },
  key_scope_unused: {
    status: 422,
    zh: '该账号的角色用不到其中的权限范围',
    en: 'A scope opens nothing to the role of this account',
  },
  key_address: {
    status: 422,
    zh: '请填写 IP 地址或 CIDR 网段，如 203.0.113.0/24',
    en: 'Enter an IP address or a network, such as 203.0.113.0/24',
  },
  key_expiry: {
    status: 422,
    zh: '到期时间须晚于现在，且不超过 {years} 年',
    en: 'The expiry must be in the future, at most {years|year|years} from now',
  },
  key_of_super: {
    status: 422,
    zh: '超级管理员账号不能有 API 密钥，请选择其他账号',
    en: 'A super account cannot have API keys; choose another account',
  },
  too_many_keys: {
    status: 422,
    zh: '每个账号最多有 {limit} 个有效 API 密钥，请先撤销不用的密钥',
    en: 'An account can have {limit|live API key|live API keys}; revoke one that is no longer used',
  },
  too_many_keys_made_today: {
    status: 429,
    zh: '您和您所开通的账号每天最多新建 {limit} 个 API 密钥，请明天再建',
    en: 'You and the accounts made under you can create {limit|API key|API keys} a day; continue tomorrow',
  },
  too_many_keys_made: {
    status: 422,
    zh: '您和您所开通的账号最多有 {limit} 个有效 API 密钥，请先撤销不用的密钥',
    en: 'You and the accounts made under you can have {limit|live API key|live API keys}; revoke some first',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
