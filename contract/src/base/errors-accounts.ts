/** Errors about logging in, accounts and passwords. They are included in `errors` in errors.ts. */
export const accountErrors = {
  // Errors of the login.
  not_logged_in: {
    status: 401,
    zh: '登录已失效，请重新登录',
    en: 'Your session has ended; log in again',
  },
  login_failed: { status: 400, zh: '用户名或密码错误', en: 'Wrong username or password' },
  login_failed_or_away: {
    status: 400,
    zh: '用户名或密码错误，或账号所在的系统暂时无法连接，请稍后重试',
    en: 'Wrong username or password, or the installation of this account is unavailable; try again later',
  },
  account_elsewhere: {
    status: 409,
    zh: '该账号在另一个系统，请到 {url} 登录',
    en: 'This account belongs to another installation; log in at {url}',
  },
  account_disabled: {
    status: 403,
    zh: '账号已停用，请联系管理员',
    en: 'This account is disabled; contact an administrator',
  },
  station_disabled: {
    status: 403,
    zh: '网点已停用，请联系管理员',
    en: 'This station is disabled; contact an administrator',
  },
  username_required: { status: 422, zh: '用户名不能为空', en: 'Username cannot be empty' },
  password_required: { status: 422, zh: '密码不能为空', en: 'Password cannot be empty' },
  second_factor_required: { status: 400, zh: '请输入验证码', en: 'Enter the verification code' },
  login_throttled: {
    status: 429,
    zh: '尝试次数过多，请 {seconds} 秒后再试',
    en: 'Too many attempts; wait {seconds} s',
  },

  second_factor_wrong: {
    status: 400,
    zh: '验证码不正确或已用过，请输入新的验证码',
    en: 'The code is wrong or was already used; enter a new one',
  },
  password_change_required: { status: 403, zh: '请先修改密码', en: 'Change your password first' },
  second_factor_setup_required: {
    status: 403,
    zh: '此账号须使用两步验证：请登录网页并先完成设置',
    en: 'This account must use two-factor authentication: log in on the web and set it up first',
  },

  // Errors about accounts and passwords.
  username_letters: {
    status: 422,
    zh: '仅可使用字母、数字和 . _ @ -',
    en: 'Only letters, digits and . _ @ -',
  },
  avatar: {
    status: 422,
    zh: '头像须为 PNG、JPEG 或 WebP 小图',
    en: 'The picture must be a small PNG, JPEG or WebP',
  },
  station_not_taken: { status: 422, zh: '该角色无需选择网点', en: 'This role needs no station' },
  role_not_yours: { status: 422, zh: '无权授予此角色', en: 'You may not assign this role' },
  password_too_short: {
    status: 422,
    zh: '至少 {min} 个字符',
    en: 'At least {min|character|characters}',
  },
  password_too_long: {
    status: 422,
    zh: '最多 {max} 个字符',
    en: 'At most {max|character|characters}',
  },
  password_is_username: {
    status: 422,
    zh: '密码不能与用户名相同',
    en: 'The password cannot be the username',
  },
  password_common: {
    status: 422,
    zh: '密码过于常见，请更换',
    en: 'This password is too common; choose another',
  },
  password_current: {
    status: 422,
    zh: '新密码不能与当前密码相同',
    en: 'The new password must differ from the current one',
  },
  password_wrong: { status: 422, zh: '密码不正确', en: 'The password is wrong' },
  // Errors of invitation links.
  invitation_invalid: {
    status: 400,
    zh: '链接无效：已使用过或已被新链接取代。已设密码请直接登录，否则请联系管理员重新发送。',
    en: 'This link was used already or replaced by a newer one. Log in if you have set a password; otherwise ask your manager for a new link',
  },
  invitation_ended: {
    status: 400,
    zh: '链接已失效，请联系管理员重新发送',
    en: 'This link has expired; ask your manager for a new one',
  },
  invitation_of_disabled: {
    status: 409,
    zh: '账号已停用，请先启用再发送邀请链接',
    en: 'The account is disabled; enable it before you issue an invitation link',
  },
  invitation_with_password: {
    status: 422,
    zh: '使用邀请链接时，密码由本人设置，不能在此填写',
    en: 'With an invitation link the person sets the password; send none here',
  },
  // Errors of resetting a forgotten password.
  reset_invalid: {
    status: 400,
    zh: '链接无效：已使用过或已被新链接取代。已设密码请直接登录，否则请重新申请。',
    en: 'This link was used already or replaced by a newer one. Log in if you have set a password; otherwise ask for a new link',
  },
  reset_ended: {
    status: 400,
    zh: '链接已失效，请重新申请',
    en: 'This link has expired; ask for a new one',
  },
  mail_address: { status: 422, zh: '邮箱地址有误', en: 'This is not a mail address' },
  mail_off: {
    status: 422,
    zh: '系统未配置邮件，请复制链接转交',
    en: 'This installation sends no mail; copy the link and pass it on',
  },
  too_many_invitation_mails: {
    status: 429,
    zh: '每小时最多用邮件发送 {limit} 个邀请链接，请复制链接转交，或稍后再发送',
    en: 'At most {limit|invitation link|invitation links} can be mailed an hour; copy the link instead, or try again later',
  },
  otp_required: { status: 422, zh: '请输入验证码', en: 'Enter the verification code' },
  second_factor_on: {
    status: 422,
    zh: '两步验证已开启',
    en: 'Two-factor authentication is already on',
  },
  second_factor_off: {
    status: 422,
    zh: '两步验证未开启，或设置已过期，请重新开始',
    en: 'Two-factor authentication is off or setup expired; start again',
  },
  second_factor_stays: {
    status: 422,
    zh: '此账号须使用两步验证，不能关闭',
    en: 'This account must use two-factor authentication; it cannot be turned off',
  },
  second_factor_own_first: {
    status: 422,
    zh: '请先在“我的资料”为自己开启两步验证，再要求他人使用',
    en: 'Turn on two-factor authentication in your own profile before you require it',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
