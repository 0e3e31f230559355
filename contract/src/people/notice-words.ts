import type { Role } from '#base/roles.ts';
import { inboxKinds } from '#shell/inbox.ts';
import type { InboxKind } from '#shell/inbox.ts';
import type { ChannelError, ChannelKind, NoticeChannel, NoticePace } from './notice-channel.ts';

interface Words {
  zh: string;
  en: string;
}

/** The texts of the notification channels; they are loaded only with the profile. */
export const noticeWords = {
  title: { zh: '通知渠道', en: 'Notification channels' },
  intro: {
    zh: '将收件箱的通知同时发送到邮箱、群机器人或程序。正文不含收件人信息、密码和其他网点的金额。',
    en: 'Notifications of your inbox also go to a mailbox, the robot of a chat group or a program. They name no recipients, no passwords and no amounts of other stations.',
  },
  none: { zh: '暂无通知渠道', en: 'No notification channels' },
  mail_none: {
    zh: '系统未设置邮件服务器，暂不能使用邮件。',
    en: 'Mail is not set up in this installation.',
  },
  mail_failing: {
    zh: '邮件服务器暂时无法发送，恢复后自动补发。',
    en: 'The mail server takes no mail now. What waits is sent once it does.',
  },
  create: { zh: '新建渠道', en: 'New channel' },
  create_title: { zh: '新建通知渠道', en: 'New notification channel' },
  send_code: { zh: '发送验证码', en: 'Send code' },
  edit: { zh: '编辑', en: 'Edit' },
  edit_title: { zh: '编辑“{name}”', en: 'Edit “{name}”' },
  save: { zh: '保存', en: 'Save' },
  kind: { zh: '类型', en: 'Type' },
  name: { zh: '名称', en: 'Name' },
  language: { zh: '通知语言', en: 'Language of messages' },
  address_mail: { zh: '邮箱地址', en: 'Mail address' },
  address_robot: { zh: '机器人 Webhook 地址', en: 'Webhook address of the robot' },
  address_webhook: { zh: '接收地址', en: 'Address' },
  address_webhook_hint: {
    zh: '公网 https 地址，以 Standard Webhooks 签名',
    en: 'A public https address; signed as Standard Webhooks says',
  },
  secret: { zh: '加签密钥', en: 'Signing secret' },
  secret_hint: {
    zh: '在机器人安全设置中选择“加签”后填写',
    en: 'If the robot’s security settings ask for signatures',
  },
  kinds: { zh: '发送哪些通知', en: 'Notifications to send' },
  pace: { zh: '发送时间', en: 'When' },
  daily_hour: { zh: '每日发送时间', en: 'Hour of the day' },
  quiet: { zh: '免打扰时段', en: 'Quiet hours' },
  quiet_from: { zh: '免打扰开始', en: 'Quiet from' },
  quiet_to: { zh: '免打扰结束', en: 'Quiet until' },
  quiet_none: { zh: '不设置', en: 'None' },
  quiet_hint: {
    zh: '北京时间；期间的通知在结束后合并发送',
    en: 'Beijing time. What comes meanwhile is sent together afterwards.',
  },
  code_title: { zh: '输入验证码', en: 'Enter the code' },
  code_hint: {
    zh: '验证码已发送至 {hint}，30 分钟内有效。验证前不会发送任何通知。',
    en: 'A code was sent to {hint}. It is valid for 30 minutes, and no notification is sent before it is entered.',
  },
  code_failed: {
    zh: '验证码未能送达：{error}。请检查地址，移除后重新添加，或重新发送。',
    en: 'The code did not arrive: {error}. Check the address and add it again, or send another code.',
  },
  code: { zh: '验证码', en: 'Code' },
  resets: {
    zh: '忘记密码时，用此邮箱重设（需输入当前密码）',
    en: 'Set a forgotten password through this mailbox (needs your password)',
  },
  resets_gain: { zh: '用于重设密码', en: 'Use for password resets' },
  resets_hint: {
    zh: '验证码已发送至 {hint}，30 分钟内有效。验证后，忘记密码时可用此邮箱重设。',
    en: 'A code was sent to {hint}. It is valid for 30 minutes. Once it is entered, a forgotten password can be set through this mailbox.',
  },
  resets_done: { zh: '“{name}”可重设密码', en: '“{name}” can reset the password' },
  resets_on: { zh: '可重设密码', en: 'Can reset the password' },
  confirm: { zh: '验证', en: 'Confirm' },
  confirmed: { zh: '已开始向“{name}”发送通知', en: 'Notifications now go to “{name}”' },
  enter_code: { zh: '输入验证码', en: 'Enter code' },
  resend: { zh: '重新发送验证码', en: 'Send another code' },
  resent: { zh: '验证码已重新发送', en: 'Another code was sent' },
  enable: { zh: '重新启用', en: 'Enable again' },
  test: { zh: '发送测试', en: 'Send a test' },
  tested: { zh: '测试消息已送达', en: 'The test message arrived' },
  test_failed: { zh: '测试消息未送达：{error}', en: 'The test message did not arrive: {error}' },
  preview: { zh: '预览', en: 'Preview' },
  preview_title: { zh: '消息预览', en: 'Preview of a message' },
  preview_hint: {
    zh: '按当前收件箱生成，不会发送。',
    en: 'Made of your inbox as it is now; nothing is sent.',
  },
  close: { zh: '关闭', en: 'Close' },
  remove: { zh: '移除', en: 'Remove' },
  remove_title: { zh: '移除“{name}”？', en: 'Remove “{name}”?' },
  remove_hint: {
    zh: '地址一并删除，待发送的通知不再发送。',
    en: 'Its address is deleted and what waits is not sent.',
  },
  secret_title: { zh: '“{name}”的签名密钥', en: 'Signing secret of “{name}”' },
  secret_once: {
    zh: '仅显示一次。请保存后继续输入验证码。',
    en: 'Shown only once. Save it, then enter the code.',
  },
  copy: { zh: '复制密钥', en: 'Copy secret' },
  saved: { zh: '已保存', en: 'Saved' },
  unconfirmed: { zh: '待验证', en: 'Not confirmed' },
  live: { zh: '正常', en: 'Live' },
  failing: { zh: '发送失败', en: 'Failing' },
  disabled: { zh: '已停用', en: 'Disabled' },
  last_sent: { zh: '最近送达 {time}', en: 'Last arrived {time}' },
  last_failed: { zh: '{time} 发送失败：{error}', en: 'Failed {time}: {error}' },
  never_sent: { zh: '尚未发送', en: 'Nothing sent yet' },
  waiting: { zh: '{count} 条待发送', en: '{count} waiting' },
  of: { zh: '{action} {name}', en: '{action} {name}' },
} as const satisfies Record<string, Words>;
export type NoticeWord = keyof typeof noticeWords;

export const channelKindWords = {
  mail: { zh: '邮件', en: 'Mail' },
  wecom: { zh: '企业微信群机器人', en: 'WeCom group robot' },
  dingtalk: { zh: '钉钉群机器人', en: 'DingTalk group robot' },
  feishu: { zh: '飞书群机器人', en: 'Feishu group robot' },
  webhook: { zh: '通用 Webhook', en: 'Generic webhook' },
} as const satisfies Record<ChannelKind, Words>;

export const noticePaceWords = {
  now: { zh: '立即', en: 'At once' },
  hourly: { zh: '每小时汇总', en: 'Together each hour' },
  daily: { zh: '每天汇总', en: 'Together each day' },
} as const satisfies Record<NoticePace, Words>;

export const channelErrorWords = {
  server: { zh: '邮件服务器不可用', en: 'the mail server takes no mail' },
  refused: { zh: '对方拒绝', en: 'refused' },
  status: { zh: '对方返回 HTTP {detail}', en: 'HTTP {detail}' },
  timeout: { zh: '超时', en: 'timed out' },
  unreachable: { zh: '无法连接', en: 'not reachable' },
  connection_lost: { zh: '连接中断', en: 'connection lost' },
  too_large: { zh: '响应过大', en: 'the answer is too large' },
  denied: { zh: '地址不允许访问', en: 'address not allowed' },
  internal: { zh: '系统错误', en: 'internal error' },
} as const satisfies Record<ChannelError, Words>;

export const channelStopWords = {
  failures: { zh: '连续失败已停用', en: 'Disabled after failures' },
  refused: { zh: '被拒绝，已停用', en: 'Disabled: refused' },
  access: { zh: '密码或权限变更后停用', en: 'Disabled after a change of access' },
} as const satisfies Record<NonNullable<NoticeChannel['stopped_by']>, Words>;

export const inboxKindWords = {
  on_hold: { zh: '运单暂挂', en: 'Parcels awaiting funds' },
  missed: { zh: '未按时揽收', en: 'Missed pickups' },
  left_behind: { zh: '有件未交', en: 'Packages left behind' },
  refused: { zh: '下单失败', en: 'Failed orders' },
  exception: { zh: '派送异常', en: 'Delivery exceptions' },
  returning: { zh: '退回', en: 'Returns' },
  unreachable: { zh: '未联系上收件人', en: 'Recipients not reached' },
  unmoved: { zh: '长时间无更新', en: 'No tracking updates' },
  cancel_failed: { zh: '取消或拦截失败', en: 'Failed cancels' },
  low_balance: { zh: '余额不足', en: 'Low balances' },
  month_closed: { zh: '账期结账', en: 'Closed periods' },
  month_reminder: { zh: '对账提醒', en: 'Reminders to confirm' },
  request: { zh: '待处理申请', en: 'Requests to decide' },
  decided: { zh: '申请结果', en: 'Decisions on requests' },
  job: { zh: '任务与导出', en: 'Jobs and exports' },
  setup: { zh: '网点开通', en: 'Station setup' },
  import: { zh: '运单导入', en: 'Imports' },
  webhook: { zh: 'Webhook 异常', en: 'Webhook problems' },
  channel: { zh: '通知渠道异常', en: 'Channel problems' },
} as const satisfies Record<InboxKind, Words>;

const notForClerks: readonly InboxKind[] = [
  'low_balance',
  'month_closed',
  'month_reminder',
  'request',
  'decided',
  'setup',
  'webhook',
];

/** The kinds of notifications that an account with this role can get. */
export const inboxKindsOf = (role: Role): readonly InboxKind[] =>
  inboxKinds.filter((kind) =>
    role === 'user'
      ? !notForClerks.includes(kind)
      : role === 'station' || role === 'partner'
        ? kind !== 'request' && (role === 'partner' || kind !== 'setup')
        : !['low_balance', 'month_closed', 'month_reminder'].includes(kind),
  );
