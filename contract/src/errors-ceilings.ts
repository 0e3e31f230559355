/** What somebody may do up to a limit that others set (requirements §10.12). Spread into `errors`. */
export const ceilingErrors = {
  profit_above_limit: {
    status: 422,
    zh: '分润比例不能超过您的上限 {percent}%，需要更高请联系管理员',
    en: 'The profit share cannot exceed your limit of {percent}%; contact an administrator for more',
  },
  fixed_profit_above_limit: {
    status: 422,
    zh: '每单分润不能超过您的上限 ¥{limit_amount}，需要更高请联系管理员',
    en: 'The profit share per parcel cannot exceed your limit of ¥{limit_amount}; contact an administrator for more',
  },
  credentials_in_query: {
    status: 400,
    zh: '地址中不能包含密码、令牌或密钥，请放在请求头或请求体中',
    en: 'Passwords, tokens and secrets are not allowed in an address; send them in a header or the body',
  },
  must_change_stays: {
    status: 422,
    zh: '仅在本人修改密码后关闭，管理员不能关闭',
    en: 'Turns off once the person has changed the password; an administrator cannot turn it off',
  },
  export_not_allowed: { status: 403, zh: '您的账号不能导出，请联系您的管理员开启', en: 'Your account may not export; ask your manager to allow it' },
  export_not_yours: { status: 422, zh: '您的账号不能导出，也不能为他人开启', en: 'Your account may not export, so it cannot allow it to others' },
  name_unavailable: { status: 422, zh: '该名称不可用，请换一个', en: 'This name is not available; choose another' },
  password_is_station: { status: 422, zh: '密码不能是网点名称，请换一个', en: 'The password may not be the name of the station; choose another' },
} as const;
