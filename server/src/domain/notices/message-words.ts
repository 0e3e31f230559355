import type { Params } from '@waystation/contract/base/envelope.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { fill } from '@waystation/contract/base/fill.ts';

/** The texts of notifications, in Chinese and English. */
const messageWords = {
  gone: { zh: '记录已不可查看', en: 'Record no longer visible' },
  on_hold: { zh: '{number} 余额不足，已暂挂', en: '{number} awaits funds' },
  on_hold_many: {
    zh: '{count} 单余额不足，已暂挂',
    en: 'Awaiting funds: {count|parcel|parcels}',
  },
  refused: { zh: '{number} 下单失败', en: '{number} could not be ordered' },
  refused_many: { zh: '{count} 单下单失败', en: 'Not ordered: {count|parcel|parcels}' },
  exception: { zh: '{number} 派送异常', en: '{number} has a delivery exception' },
  exception_many: {
    zh: '{count} 单派送异常',
    en: 'With a delivery exception: {count|parcel|parcels}',
  },
  returning: { zh: '{number} 正在退回', en: '{number} is being returned' },
  returning_many: { zh: '{count} 单正在退回', en: 'Being returned: {count|parcel|parcels}' },
  unreachable: {
    zh: '{number} 未联系上收件人',
    en: 'The recipient of {number} could not be reached',
  },
  unreachable_many: {
    zh: '{count} 单未联系上收件人',
    en: 'Not reached: {count|recipient|recipients}',
  },
  unmoved: { zh: '{number} 长时间无更新', en: '{number} has no tracking updates' },
  unmoved_many: {
    zh: '{count} 单长时间无更新',
    en: 'Without tracking updates: {count|parcel|parcels}',
  },
  missed: { zh: '{number} 未按时上门揽收', en: '{number} was not picked up in time' },
  missed_many: {
    zh: '{count} 单未按时上门揽收',
    en: 'Not picked up in time: {count|parcel|parcels}',
  },
  left_behind: {
    zh: '{number} 有件未交给快递员',
    en: 'A package of {number} was left behind',
  },
  left_behind_many: {
    zh: '{count} 单有件未交给快递员',
    en: 'With packages left behind: {count|parcel|parcels}',
  },
  cancel_failed: {
    zh: '{number} 未能取消或拦截',
    en: '{number} was not cancelled or intercepted',
  },
  cancel_failed_many: {
    zh: '{count} 单未能取消或拦截',
    en: 'Not cancelled or intercepted: {count|parcel|parcels}',
  },
  low_days: {
    zh: '余额预计还可用 {count} 天',
    en: 'The balance lasts about {count|more day|more days}',
  },
  low_today: { zh: '余额预计不足 1 天', en: 'The balance lasts less than a day' },
  low_limit: { zh: '余额低于提醒金额', en: 'The balance is below its limit' },
  spent: { zh: '余额已用完', en: 'The balance is used up' },
  with_available: { zh: '{text}，可用 {amount}', en: '{text}; available {amount}' },
  month_closed: {
    zh: '{month} 已结账，请核对并确认对账单',
    en: '{month} is closed; check and confirm its statement',
  },
  month_reminder: {
    zh: '提醒：{month} 对账单待确认',
    en: 'Reminder: confirm the statement of {month}',
  },
  month_confirmed: { zh: '{month} 对账单已确认', en: 'Statement of {month} confirmed' },
  request: { zh: '{count} 条申请待处理', en: 'Waiting: {count|request|requests}' },
  approved: { zh: '{type}申请已通过', en: 'Request approved: {type}' },
  declined: { zh: '{type}申请未通过', en: 'Request declined: {type}' },
  with_amount: { zh: '{text}（{amount}）', en: '{text} ({amount})' },
  setup: { zh: '网点开通已完成 {done}/{steps}', en: 'Station setup: {done} of {steps} done' },
  setup_any: { zh: '网点开通', en: 'Station setup' },
  import_done: { zh: '{file} 下单已完成', en: '{file} is ordered' },
  import_paused: { zh: '{file} 下单已暂停', en: '{file} is paused' },
  import_failed: { zh: '{file} 未能读取', en: '{file} could not be read' },
  job_done: { zh: '{list} · {action}已完成', en: '{list} · {action}' },
  job_failed: { zh: '{list} · {action}未完成', en: '{list} · {action} (not completed)' },
  webhook_disabled: {
    zh: 'Webhook“{name}”已停用：接收地址连续失败',
    en: 'Webhook “{name}” is disabled: its endpoint fails',
  },
  webhook_gone: {
    zh: 'Webhook“{name}”已停用：接收地址失效',
    en: 'Webhook “{name}” is disabled: its address is gone',
  },
  webhook_manager: {
    zh: 'Webhook“{name}”已由管理账号停用',
    en: 'A managing account disabled the webhook “{name}”',
  },
  webhook_removed: {
    zh: 'Webhook“{name}”已由管理账号移除',
    en: 'A managing account removed the webhook “{name}”',
  },
  webhook_access: {
    zh: 'Webhook“{name}”已停用：账号密码已重设',
    en: 'Webhook “{name}” is disabled: the account was reset',
  },
  webhook_full: {
    zh: 'Webhook“{name}”丢失事件：等待投递过多',
    en: 'Webhook “{name}” misses events: too many wait',
  },
  channel_failing: {
    zh: '通知渠道“{name}”发送失败',
    en: 'The notification channel “{name}” fails',
  },
  channel_disabled: {
    zh: '通知渠道“{name}”已停用',
    en: 'The notification channel “{name}” is disabled',
  },
  at_station: { zh: '{text}（{station}）', en: '{text} ({station})' },
  subject: {
    zh: 'Waystation：{count} 条通知',
    en: 'Waystation: {count|notification|notifications}',
  },
  subject_one: { zh: 'Waystation：{text}', en: 'Waystation: {text}' },
  more: {
    zh: '还有 {count} 条，请在控制台查看',
    en: 'See the console for {count|more notification|more notifications}',
  },
  open: { zh: '打开控制台', en: 'Open the console' },
  footer: {
    zh: '您在“个人资料 → 通知渠道”中选择了接收这些通知，可随时修改或移除。',
    en: 'You chose to receive this under Profile → Notification channels, where you can change or remove it.',
  },
  code_subject: { zh: 'Waystation 验证码 {code}', en: 'Waystation code {code}' },
  code_text: {
    zh: '验证码：{code}，30 分钟内有效。在控制台“个人资料 → 通知渠道”输入后，通知将发送到此处。如非本人操作，请忽略。',
    en: 'Code: {code}, valid for 30 minutes. Notifications are sent here once it is entered in the console under Profile → Notification channels. If you did not ask for it, ignore this message.',
  },
  reset_subject: { zh: 'Waystation：重设密码', en: 'Waystation: set a new password' },
  reset_text: {
    zh: '有人为账号 {username} 申请重设密码。请在 30 分钟内打开链接设置新密码，仅可使用一次，请勿转发。如非本人操作，请忽略，密码不会改变。',
    en: 'A new password was asked for the account {username}. Open the link within 30 minutes to set one; it works once, do not forward it. If you did not ask for it, ignore this mail; the password stays as it is.',
  },
  changed_subject: { zh: 'Waystation：密码已更改', en: 'Waystation: your password was changed' },
  changed_text: {
    zh: '账号 {username} 的密码已于 {time}（北京时间）通过邮件重设，已登录的设备和 API 密钥均已失效。如非本人操作，请立即联系管理员。',
    en: 'The password of the account {username} was set by mail at {time} (Beijing time). Its devices are logged out and its API keys have ended. If this was not you, contact your manager at once.',
  },
  test_subject: { zh: 'Waystation 测试消息', en: 'Waystation test message' },
  test_text: {
    zh: '这是通知渠道“{name}”的测试消息。',
    en: 'This is a test message of the notification channel “{name}”.',
  },
} as const;
export type MessageWord = keyof typeof messageWords;
export type SayMessage = (word: MessageWord, params?: Params) => string;

export const messageSay =
  (language: Language): SayMessage =>
  (word, params) =>
    fill(messageWords[word][language], params);
