/**
 * Errors for limits that another person set for a user (requirements §10.12). They are included in
 * `errors`.
 */
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
  export_not_allowed: {
    status: 403,
    zh: '您的账号不能导出，请联系您的管理员开启',
    en: 'Your account may not export; ask your manager to allow it',
  },
  export_not_yours: {
    status: 422,
    zh: '您的账号不能导出，也不能为他人开启',
    en: 'Your account may not export, so it cannot allow it to others',
  },
  name_unavailable: {
    status: 422,
    zh: '该名称不可用，请换一个',
    en: 'This name is not available; choose another',
  },
  password_is_station: {
    status: 422,
    zh: '密码不能是网点名称，请换一个',
    en: 'The password may not be the name of the station; choose another',
  },
  too_many_accounts_made_today: {
    status: 429,
    zh: '您和您所开通的账号每天最多新建 {limit} 个账号，请明天再建，或联系管理员',
    en: 'You and the accounts made under you can create {limit|account|accounts} a day; continue tomorrow, or contact an administrator',
  },
  too_many_accounts_made: {
    status: 422,
    zh: '您和您所开通的账号累计最多新建 {limit} 个账号，需要更多请联系管理员',
    en: 'You and the accounts made under you can create {limit|account|accounts} in total; contact an administrator for more',
  },
  too_many_stations_made_today: {
    status: 429,
    zh: '您和您所开通的账号每天最多新建 {limit} 个网点，请明天再建，或联系管理员',
    en: 'You and the accounts made under you can create {limit|station|stations} a day; continue tomorrow, or contact an administrator',
  },
  too_many_stations_made: {
    status: 422,
    zh: '您和您所开通的账号累计最多新建 {limit} 个网点，需要更多请联系管理员',
    en: 'You and the accounts made under you can create {limit|station|stations} in total; contact an administrator for more',
  },
  too_many_streams_of_manager: {
    status: 429,
    zh: '同一管理者开通的账号实时连接最多 {limit} 个；页面改为定时刷新',
    en: 'Accounts under one manager have at most {limit|live connection|live connections}; the page refreshes at intervals',
  },
  too_many_jobs: {
    status: 429,
    zh: '每个账号最多有 {limit} 个未完成的批量操作和导出，请等待完成后重试',
    en: 'An account can have {limit|unfinished bulk action or export|unfinished bulk actions and exports}; wait for one to finish',
  },
  too_many_views: {
    status: 422,
    zh: '每个账号最多保存 {limit} 个视图，请先删除不用的视图',
    en: 'An account can have {limit|saved view|saved views}; remove one that is no longer used',
  },
  too_many_preferences: {
    status: 422,
    zh: '每个账号最多保存 {limit} 项设置',
    en: 'An account can have {limit|setting|settings}',
  },
  list_unknown: {
    status: 422,
    zh: '没有名为“{list}”的列表',
    en: 'There is no list named “{list}”',
  },
} as const;
