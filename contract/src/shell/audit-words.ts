/**
 * The texts of the audit log: the action, what was changed, and the changed field. Screens and
 * exports use the same tables.
 */
import { wordOf } from '#base/word-of.ts';
import type { OfferCarriers } from '#network/offer-rule.ts';
import { offerRuleNames, otherProvinces } from '#network/offer-rule.ts';
import { discountText } from '#money/discount.ts';
import { formatYuan, percentText } from '#money/money.ts';
import { percentTypes } from '#network/project.ts';
import { providers } from '#network/provider.ts';
import { provinceName } from '#parcels/provinces.ts';
import { settings } from './settings.ts';
import { kgText } from '#base/weight.ts';

type Language = 'zh' | 'en';
interface Words {
  zh: string;
  en: string;
}

export const auditActions: Readonly<Record<string, Words>> = {
  create: { zh: '新建', en: 'Created' },
  edit: { zh: '修改', en: 'Edited' },
  enable: { zh: '启用', en: 'Enabled' },
  disable: { zh: '停用', en: 'Disabled' },
  remove: { zh: '移除', en: 'Removed' },
  default: { zh: '设为默认', en: 'Made default' },
  copy: { zh: '复制', en: 'Copied' },
  move: { zh: '变更上级', en: 'Changed parent' },
  undo: { zh: '撤销', en: 'Undid' },
  withdraw_publication: { zh: '撤销发布', en: 'Withdrew a publication' },
  begin_setup: { zh: '开始网点开通', en: 'Began station setup' },
  end_setup: { zh: '结束网点开通', en: 'Ended station setup' },
  sort: { zh: '调整顺序', en: 'Reordered' },
  login_failed: { zh: '登录失败', en: 'Login failed' },
  call_forbidden: { zh: '无权调用', en: 'Call refused' },
  row_not_found: { zh: '访问不存在或无权查看的记录', en: 'Record not found or not visible' },
  login: { zh: '登录', en: 'Logged in' },
  logout: { zh: '退出登录', en: 'Logged out' },
  change_password: { zh: '修改密码', en: 'Changed password' },
  reset_password: { zh: '重置密码', en: 'Reset password' },
  invite: { zh: '邀请', en: 'Invited' },
  accept_invitation: { zh: '接受邀请', en: 'Accepted an invitation' },
  mail_reset_link: { zh: '用邮件发送重设密码链接', en: 'Mailed a link for a forgotten password' },
  reset_by_mail: { zh: '通过邮件重设密码', en: 'Set a forgotten password by mail' },
  send_code: { zh: '发送验证码', en: 'Sent a code' },
  revoke_session: { zh: '强制下线设备', en: 'Logged out a device' },
  revoke_sessions: { zh: '强制下线全部设备', en: 'Logged out all devices' },
  create_key: { zh: '新建 API 密钥', en: 'Created an API key' },
  limit_key: { zh: '修改 API 密钥限额', en: 'Changed the limit of an API key' },
  revoke_key: { zh: '撤销 API 密钥', en: 'Revoked an API key' },
  start_second_factor: { zh: '开始设置两步验证', en: 'Started two-factor setup' },
  enable_second_factor: { zh: '开启两步验证', en: 'Turned on two-factor authentication' },
  disable_second_factor: { zh: '关闭两步验证', en: 'Turned off two-factor authentication' },
  reset_second_factor: { zh: '重置两步验证', en: 'Reset two-factor authentication' },
  renew_recovery_codes: { zh: '更换恢复码', en: 'Renewed recovery codes' },
  draft: { zh: '存草稿', en: 'Saved a draft' },
  order: { zh: '下单', en: 'Ordered' },
  retry: { zh: '重新下单', en: 'Ordered again' },
  cancel: { zh: '取消', en: 'Cancelled' },
  handled: { zh: '处理异常', en: 'Handled exception' },
  reweigh: { zh: '复重', en: 'Re-weighed' },
  accept_charge: { zh: '接受承运商收费', en: 'Accepted carrier charge' },
  dispute_charge: { zh: '对承运商收费提出异议', en: 'Disputed carrier charge' },
  ask_charge: { zh: '重新查询承运商收费', en: 'Asked for carrier charge again' },
  choose_waybill: { zh: '选择运单号', en: 'Chose waybill' },
  end_order: { zh: '确认承运商未接单', en: 'Decided: carrier has no order' },
  confirm_order: { zh: '确认承运商已接单', en: 'Decided: carrier has the order' },
  reveal: { zh: '查看完整号码', en: 'Revealed phones' },
  search_phone: { zh: '按完整号码查询', en: 'Searched by full phone number' },
  reveal_push_address: { zh: '查看推送地址', en: 'Showed push address' },
  replace_push_address: { zh: '更换推送地址', en: 'Replaced push address' },
  end_push_address: { zh: '作废旧推送地址', en: 'Ended previous push address' },
  print: { zh: '打印', en: 'Printed' },
  open_handover: { zh: '开始交接', en: 'Opened a hand-over' },
  close_handover: { zh: '关闭交接单', en: 'Closed a hand-over' },
  discard_handover: { zh: '放弃交接单', en: 'Discarded a hand-over' },
  take_back_scan: { zh: '撤回扫描', en: 'Took a scan back' },
  top_up: { zh: '充值', en: 'Topped up' },
  export: { zh: '导出', en: 'Exported' },
  prune: { zh: '按保留期限清理', en: 'Removed old rows' },
  find_person: { zh: '查找个人信息', en: 'Searched personal data' },
  export_person: { zh: '导出个人信息', en: 'Exported personal data' },
  preview_erasure: { zh: '预览删除个人信息', en: 'Previewed an erasure of personal data' },
  request_erasure: { zh: '申请删除个人信息', en: 'Requested an erasure of personal data' },
  approve_erasure: { zh: '批准删除个人信息', en: 'Approved an erasure of personal data' },
  cancel_erasure: { zh: '驳回或撤回删除个人信息', en: 'Declined an erasure of personal data' },
  blank_entries: { zh: '清空含个人信息的记录', en: 'Blanked entries with personal data' },
  erase_person: { zh: '删除个人信息', en: 'Erased personal data' },
  export_file: { zh: '生成导出文件', en: 'Made an export file' },
  download_file: { zh: '下载导出文件', en: 'Downloaded an export file' },
  publish: { zh: '发布', en: 'Published' },
  impact: { zh: '影响测算', en: 'Estimated impact' },
  test: { zh: '测试连接', en: 'Tested connection' },
  resume: { zh: '恢复调用', en: 'Resumed calls' },
  plan_tiers: { zh: '计划更改保价档位', en: 'Planned insurance tiers' },
  restore: { zh: '从备份恢复', en: 'Restored from a backup' },
  rotate_secret: { zh: '更换签名密钥', en: 'Replaced the signing secret' },
  replay: { zh: '重新投递', en: 'Sent deliveries again' },
  rotate_key: { zh: '更换密钥', en: 'Rotated the secret key' },
  retry_job: { zh: '重试后台任务', en: 'Retried a background job' },
  abandon_job: { zh: '放弃后台任务', en: 'Gave up a background job' },
  withdraw_plan: { zh: '撤回计划', en: 'Withdrew a plan' },
  apply_plan: { zh: '计划生效', en: 'Plan took effect' },
  import: { zh: '导入', en: 'Imported' },
  assign: { zh: '分配网点', en: 'Assigned stations' },
  assign_project: { zh: '分配方案', en: 'Assigned scheme' },
  unblock: { zh: '恢复收付', en: 'Resumed payments' },
  close: { zh: '处理完毕', en: 'Closed' },
  request_withdrawal: { zh: '申请提现', en: 'Requested a withdrawal' },
  request_top_up: { zh: '申请充值', en: 'Requested a top-up' },
  request_adjustment: { zh: '申请调账', en: 'Requested an adjustment' },
  request_refund: { zh: '申请退款', en: 'Requested a refund' },
  request_payout: { zh: '申请理赔', en: 'Requested a claim payout' },
  request_reversal: { zh: '申请冲正充值', en: 'Requested the reversal of a top-up' },
  adjust: { zh: '调账', en: 'Adjusted' },
  refund: { zh: '退款', en: 'Refunded' },
  payout: { zh: '理赔', en: 'Paid a claim' },
  approve: { zh: '批准', en: 'Approved' },
  request_raise: { zh: '申请提高限额', en: 'Requested a higher limit' },
  confirm_raise: { zh: '确认提高限额', en: 'Confirmed a higher limit' },
  cancel_raise: { zh: '撤回提高限额', en: 'Withdrew a higher limit' },
  apply_raise: { zh: '提高的限额生效', en: 'Higher limit took effect' },
  request_cut: { zh: '申请缩短保留期', en: 'Requested a shorter retention' },
  confirm_cut: { zh: '确认缩短保留期', en: 'Confirmed a shorter retention' },
  cancel_cut: { zh: '撤回缩短保留期', en: 'Withdrew a shorter retention' },
  apply_cut: { zh: '缩短的保留期生效', en: 'Shorter retention took effect' },
  approve_alone: { zh: '未经第二人审批执行', en: 'Executed without a second person' },
  approve_first: { zh: '首次审批', en: 'Approved first' },
  retract: { zh: '撤回申请', en: 'Request taken back' },
  decline: { zh: '驳回', en: 'Declined' },
  reverse: { zh: '冲正', en: 'Reversed' },
  confirm_statement: { zh: '确认月度对账单', en: 'Confirmed a statement' },
  upload: { zh: '上传承运商账单', en: 'Uploaded a carrier bill' },
  upload_again: { zh: '再次上传同一文件', en: 'Uploaded the same file again' },
  upload_sheet: { zh: '上传表格', en: 'Uploaded a sheet' },
  upload_sheet_again: { zh: '再次上传同一表格', en: 'Uploaded the same sheet again' },
  undo_edit: { zh: '撤销修改', en: 'Undid an edit' },
  redo_edit: { zh: '重做修改', en: 'Redid an edit' },
  edit_rows: { zh: '批量修改', en: 'Edited rows' },
  pause: { zh: '暂停', en: 'Paused' },
  map_columns: { zh: '匹配列', en: 'Matched columns' },
  set_tolerances: { zh: '设置容差', en: 'Set tolerances' },
  discard: { zh: '作废', en: 'Discarded' },
  pay_carrier: { zh: '登记付款', en: 'Recorded a payment' },
  accept_bill: { zh: '认可账单行', en: 'Accepted a bill line' },
  dispute_bill: { zh: '异议账单行', en: 'Disputed a bill line' },
  bulk_accept: { zh: '批量认可', en: 'Bulk accept' },
  bulk_dispute: { zh: '批量异议', en: 'Bulk dispute' },
  close_period: { zh: '结账', en: 'Closed a period' },
  explain_missing_bill: { zh: '说明无账单原因', en: 'Explained a missing bill' },
  remind_period: { zh: '提醒对账确认', en: 'Reminded of a period' },
  reopen_period: { zh: '反结账', en: 'Reopened a period' },
  bulk_cancel: { zh: '批量取消', en: 'Bulk cancel' },
  bulk_retry: { zh: '批量重新下单', en: 'Bulk retry' },
  bulk_order: { zh: '批量下单', en: 'Bulk order' },
  bulk_price: { zh: '批量定价', en: 'Bulk price' },
  bulk_enable: { zh: '批量启用', en: 'Bulk enable' },
  bulk_disable: { zh: '批量停用', en: 'Bulk disable' },
};

/** The possible actors of an audited change: the five roles, and the system itself. */
export const auditRoles: Readonly<Record<string, Words>> = {
  super: { zh: '超级管理员', en: 'Super admin' },
  admin: { zh: '管理员', en: 'Admin' },
  partner: { zh: '合伙人', en: 'Partner' },
  station: { zh: '站长', en: 'Station manager' },
  user: { zh: '店员', en: 'Clerk' },
  system: { zh: '系统', en: 'System' },
  stranger: { zh: '未登录', en: 'Not logged in' },
};

/** The kind of a field's value, which decides how the value is written. */
type Kind = 'money' | 'kg' | 'rate' | 'discount' | 'flag' | 'status';
type Field = readonly [zh: string, en: string, kind?: Kind];

/** The names of the audited tables; `fields` contains the fields that only this table has. */
export const auditSubjects: Readonly<
  Record<string, Words & { screen?: string; fields?: Readonly<Record<string, Field>> }>
> = {
  expresses: { zh: '运单', en: 'Parcel', screen: 'ExpressTable' },
  handovers: {
    zh: '交接单',
    en: 'Hand-over',
    screen: 'HandoverPage',
    fields: {
      packages: ['已交件数', 'Packages given'],
      missing: ['未交件数', 'Missing packages'],
      courier_name: ['快递员', 'Courier'],
      number: ['扫描内容', 'Scanned'],
      result: ['结果', 'Result'],
    },
  },
  cargos: { zh: '物品', en: 'Goods', screen: 'CargoTable' },
  promises: { zh: '时效', en: 'Delivery time', screen: 'PromiseTable' },
  guarantees: { zh: '保价', en: 'Insurance', screen: 'GuaranteeTable' },
  merchants: { zh: '商家账号', en: 'Carrier account', screen: 'MerchantTable' },
  vouchers: { zh: '运费模板', en: 'Freight template', screen: 'VoucherTable' },
  projects: { zh: '运费方案', en: 'Freight scheme', screen: 'ProjectTable' },
  stations: { zh: '网点', en: 'Station', screen: 'StationTable' },
  contacts: { zh: '联系人', en: 'Contact', screen: 'ContactTable' },
  accounts: { zh: '账号', en: 'Account', screen: 'AccountTable' },
  statements: { zh: '账单', en: 'Transaction', screen: 'StatementTable' },
  alerts: { zh: '告警', en: 'Alert' },
  carrier_pushes: { zh: '承运商推送', en: 'Carrier push' },
  reconciliations: { zh: '承运商账单', en: 'Carrier bill' },
  imports: { zh: '运单导入', en: 'Parcel import' },
  webhooks: {
    zh: 'Webhook',
    en: 'Webhook',
    fields: {
      url: ['地址', 'Address'],
      kinds: ['事件', 'Events'],
      watched_id: ['网点', 'Station'],
      with_below: ['含下级', 'Stations below', 'flag'],
      secret: ['签名密钥', 'Signing secret'],
      deliveries: ['投递数', 'Deliveries'],
    },
  },
  notice_channels: {
    zh: '通知渠道',
    en: 'Channel',
    fields: {
      language: ['语言', 'Language'],
      kinds: ['通知', 'Notifications'],
      pace: ['发送时间', 'Sent'],
      daily_hour: ['每日时间', 'Daily hour'],
      quiet_from: ['免打扰开始', 'Quiet from'],
      quiet_to: ['免打扰结束', 'Quiet until'],
      resets_password: ['可重设密码', 'Resets the password'],
    },
  },
  bill_rows: { zh: '承运商账单行', en: 'Carrier bill lines' },
  periods: { zh: '账期', en: 'Period' },
  month_statements: { zh: '月度对账单', en: 'Monthly statements' },
  saved_views: { zh: '视图', en: 'View' },
  settings: { zh: '系统设置', en: 'Network setting' },
  audit: { zh: '操作日志', en: 'Audit log' },
  personal_data: {
    zh: '个人信息',
    en: 'Personal data',
    fields: {
      versions: ['运单版本', 'Versions of parcels'],
      messages: ['轨迹', 'Tracking messages'],
      edits: ['修改', 'Changes of parcels'],
      bill_lines: ['账单行', 'Bill lines'],
      carrier_calls: ['承运商调用', 'Carrier calls'],
      import_rows: ['导入行', 'Import rows'],
      audit: ['操作日志', 'Audit log entries'],
      export_files: ['导出文件', 'Export files'],
      pushes: ['承运商推送', 'Carrier pushes'],
      views: ['视图', 'Views'],
    },
  },
  secret_keys: { zh: '密钥', en: 'Secret key', fields: { fingerprint: ['指纹', 'Fingerprint'] } },
  background_jobs: {
    zh: '后台任务',
    en: 'Background job',
    screen: 'Health',
    fields: { task: ['任务', 'Task'], about: ['对象', 'About'], error: ['错误', 'Error'] },
  },
};

const fields: Readonly<Record<string, Field>> = {
  name: ['名称', 'Name'],
  title: ['名称', 'Title'],
  type: ['类型', 'Type'],
  provider: ['承运商', 'Carrier'],
  entries: ['分录数', 'Entries'],
  file_name: ['文件', 'File'],
  mapping: ['匹配列', 'Columns'],
  weight_unit: ['重量单位', 'Weight unit'],
  weight_tolerance: ['重量容差', 'Weight tolerance', 'kg'],
  amount_tolerance: ['金额容差', 'Amount tolerance', 'money'],
  delivery_id: ['运单号', 'Waybill'],
  bucket: ['分类', 'Kind'],
  effect_amount: ['网点差额', 'Station difference', 'money'],
  priority: ['优先级', 'Priority'],
  sort: ['顺序', 'Order'],
  status: ['状态', 'Status', 'status'],
  banned: ['禁寄', 'Banned', 'flag'],
  banned_reason: ['禁寄原因', 'Reason for the ban'],
  promise_id: ['产品代码', 'Product code'],
  promise_name: ['时效名称', 'Delivery time'],
  promise_name_en: ['英文名称', 'English name'],
  cutoff_time: ['截单时间', 'Cut-off'],
  money: ['金额', 'Amount', 'money'],
  price: ['保价费', 'Insurance fee', 'money'],
  guarantee: ['最低保价', 'Minimum insured value', 'money'],
  customer_code: ['商家编码', 'Customer code'],
  base_url: ['接口地址', 'API address'],
  is_default: ['默认', 'Default', 'flag'],
  access_token: ['AccessToken', 'AccessToken'],
  app_key: ['AppKey', 'AppKey'],
  app_secret: ['AppSecret', 'AppSecret'],
  push_secret: ['推送密钥', 'Push secret'],
  province: ['省份', 'Province'],
  city: ['城市', 'City'],
  county: ['区县', 'County'],
  address: ['地址', 'Address'],
  phone: ['电话', 'Phone'],
  sender_name: ['寄件人', 'Sender'],
  sender_phone: ['寄件电话', 'Sender phone'],
  sender_province: ['寄件省份', 'From province'],
  sender_city: ['寄件城市', 'From city'],
  sender_county: ['寄件区县', 'From county'],
  sender_address: ['寄件地址', 'Sender address'],
  receive_name: ['收件人', 'Recipient'],
  receive_phone: ['收件电话', 'Recipient phone'],
  receive_province: ['收件省份', 'To province'],
  receive_city: ['收件城市', 'To city'],
  receive_county: ['收件区县', 'To county'],
  receive_address: ['收件地址', 'Recipient address'],
  goods: ['物品', 'Goods'],
  goods_type: ['物品类型', 'Goods type'],
  remark: ['备注', 'Note'],
  description: ['说明', 'Description'],
  package_count: ['件数', 'Pieces'],
  weight: ['重量', 'Weight', 'kg'],
  re_weight: ['网点复重', 'Station re-weigh', 'kg'],
  guarantee_value_amount: ['声明价值', 'Declared value', 'money'],
  pickup_from: ['上门时间起', 'Pickup from'],
  pickup_until: ['上门时间止', 'Pickup until'],
  thr_order_id: ['第三方单号', 'Third-party number'],
  discount: ['折扣', 'Discount', 'discount'],
  northeast_discount: ['东北折扣', 'North-east discount', 'discount'],
  fixed_freeze: ['预留金额', 'Reserve', 'money'],
  low_balance: ['余额提醒金额', 'Low balance below', 'money'],
  daily_limit: ['每日下单限额', 'Daily order limit', 'money'],
  credit_limit: ['信用额度', 'Credit limit', 'money'],
  allow_print: ['打印面单', 'Printing', 'flag'],
  allow_select: ['自选时效', 'Free choice of delivery time', 'flag'],
  offer_rule: ['时效规则', 'Rule for delivery times'],
  offer_carriers: ['首选承运商', 'Preferred carriers'],
  offer_fallback: ['首选不可用时换承运商', 'Another carrier while one is down', 'flag'],
  has_amount: ['余额校验', 'Balance check', 'flag'],
  enable_profit: ['给上级分润', 'Share with parent', 'flag'],
  profit: ['分润比例', 'Profit share rate', 'rate'],
  profit_limit: ['分润比例上限', 'Limit of profit share rate', 'rate'],
  fixed_profit_limit: ['每单分润上限', 'Limit of profit share per parcel', 'money'],
  fixed_profit: ['每单分润', 'Profit share per parcel', 'money'],
  percent_type: ['分润方式', 'Profit sharing'],
  parent_id: ['上级网点', 'Parent station'],
  project_id: ['运费方案', 'Freight scheme'],
  station_id: ['网点', 'Station'],
  voucher_ids: ['运费模板', 'Freight templates'],
  username: ['用户名', 'Username'],
  nickname: ['姓名', 'Name'],
  role: ['角色', 'Role'],
  avatar: ['头像', 'Picture'],
  location: ['所在地', 'Location'],
  identity: ['身份', 'Identity'],
  program_id: ['程序编号', 'Program no.'],
  password: ['密码', 'Password'],
  must_change: ['须修改密码', 'Must change password', 'flag'],
  may_export: ['可导出', 'May export', 'flag'],
  second_factor: ['两步验证', 'Two-factor authentication', 'flag'],
  sessions: ['登录设备', 'Devices'],
  key: ['API 密钥', 'API key'],
  live_keys: ['有效 API 密钥数', 'Live API keys'],
  backup: ['备份时间', 'Backup of'],
  key_id: ['密钥编号', 'Key no.'],
  hint: ['密钥开头', 'Key begins'],
  scopes: ['权限范围', 'Scopes'],
  addresses: ['允许的地址', 'Allowed addresses'],
  expires_at: ['到期时间', 'Expires'],
  tries: ['次数', 'Times'],
  call: ['请求', 'Request'],
  search: ['筛选', 'Search'],
  columns: ['列', 'Columns'],
  shared_with: ['共享给', 'Shared with'],
  row: ['行', 'Row'],
  action: ['操作', 'Action'],
  field: ['字段', 'Field'],
  rows: ['行数', 'Rows'],
  days: ['天数', 'Days'],
  created_count: ['新建', 'Created'],
  changed_count: ['修改', 'Changed'],
  format: ['格式', 'Format'],
  period: ['账期', 'Period'],
  closing: ['期末余额', 'Closing balance', 'money'],
  filters: ['筛选', 'Filters'],
  job_id: ['任务', 'Job'],
  undone: ['撤销的操作', 'Undone entry'],
  amount: ['金额', 'Amount', 'money'],
  kind: ['种类', 'Kind'],
  code: ['代码', 'Code'],
  reason: ['原因', 'Reason'],
  session: ['登录设备', 'Device'],
  stations: ['网点', 'Stations'],
  copied_from: ['复制自', 'Copied from'],
  parcels: ['运单数', 'Parcels'],
  contacts: ['联系人数', 'Contacts'],
  no: ['版本号', 'Version'],
  tiers: ['保价档位', 'Insurance tiers'],
  valid_from: ['生效时间', 'Valid from'],
  simulated: ['模拟', 'Simulated', 'flag'],
  warehouse_code: ['仓库编码', 'Warehouse code'],
  token_expires_at: ['令牌到期', 'Token expires'],
  prefetch_numbers: ['预取运单号', 'Prefetches waybills', 'flag'],
  paused_at: ['暂停时间', 'Paused at'],
  down_since: ['故障起始时间', 'Down since'],
  paused_reason: ['暂停原因', 'Reason for pausing'],
  cells: ['变更的单元格', 'Cells changed'],
  ok: ['成功', 'Succeeded'],
  ms: ['用时（毫秒）', 'Milliseconds'],
  divisor: ['体积系数', 'Volumetric divisor'],
  minimum: ['最低收费', 'Minimum charge', 'money'],
  not_served: ['不送达', 'Not served', 'flag'],
};

const settingKinds: Readonly<Record<string, Kind>> = { fen: 'money', grams: 'kg' };
const settingFields = Object.fromEntries(
  Object.entries(settings).map(([name, { zh, en, kind }]): [string, Field] => {
    const shown = settingKinds[kind];
    return [`settings.${name}`, shown ? [zh, en, shown] : [zh, en]];
  }),
);

/** Fields that mean something different in one table than elsewhere. */
const special: Readonly<Record<string, Field>> = {
  'vouchers.weight': ['价格', 'Prices'],
  ...settingFields,
  'stations.money': ['余额', 'Balance', 'money'],
  'guarantees.money': ['保价上限', 'Insured up to', 'money'],
};

/**
 * Matches a cell of a price grid, such as `440000 brackets.0.price`: the region and the field; a
 * bracket is written by its number.
 */
const cellPattern = /^(?:.* )?(\d{6}) ([a-z_]+)(?:\.(\d+))?(?:\.([a-z_]+))?$/;
const cells: Readonly<Record<string, Field>> = {
  'first.max_g': ['首重', 'first weight', 'kg'],
  'first.price': ['首重价格', 'first price', 'money'],
  'brackets.up_to_g': ['上限', 'up to', 'kg'],
  'brackets.step_g': ['续重单位', 'step', 'kg'],
  'brackets.price': ['续重价格', 'price per step', 'money'],
  minimum: ['最低收费', 'minimum', 'money'],
  not_served: ['不送达', 'Not served', 'flag'],
  name: ['分区名称', 'zone'],
};

const cellOf = (
  name: string,
): { area: string; field: Field; bracket: string | undefined } | null => {
  const [, area, part, bracket, rest] = cellPattern.exec(name) ?? [];
  const field = cells[rest === undefined ? (part ?? '') : `${part}.${rest}`];
  return area === undefined || field === undefined ? null : { area, field, bracket };
};

const wordsOf = (subject: string, name: string): Field | undefined =>
  special[`${subject}.${name}`] ?? auditSubjects[subject]?.fields?.[name] ?? fields[name];

const fieldOf = (subject: string, name: string): Field | undefined =>
  wordsOf(subject, name) ?? cellOf(name)?.field;

/** The label of a field; a field that has no label keeps its name. */
export const auditField = (subject: string, name: string, language: Language): string => {
  const at = language === 'zh' ? 0 : 1;
  const known = wordsOf(subject, name);
  if (known) return known[at];
  const cell = cellOf(name);
  if (!cell) return name;
  const bracket =
    cell.bracket === undefined
      ? ''
      : language === 'zh'
        ? `第 ${Number(cell.bracket) + 1} 段`
        : `bracket ${Number(cell.bracket) + 1} `;
  return `${provinceName(cell.area, language)} ${bracket}${cell.field[at]}`;
};

const flagWords = {
  flag: { zh: ['否', '是'], en: ['No', 'Yes'] },
  status: { zh: ['停用', '启用'], en: ['Disabled', 'Enabled'] },
} as const;

/**
 * The fields whose values are codes, and the text for each code. If only one table has such a
 * field, the key contains the table's name.
 */
const coded: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  percent_type: percentTypes,
  provider: providers,
  offer_rule: offerRuleNames,
  role: auditRoles,
  'notice_channels.status': {
    unconfirmed: { zh: '待验证', en: 'Not confirmed' },
    live: { zh: '正常', en: 'Live' },
    disabled: { zh: '停用', en: 'Disabled' },
    removed: { zh: '移除', en: 'Removed' },
  },
  'settings.second_factor_for': settings.second_factor_for.choices,
};

const shanghai = 8 * 3_600_000;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Writes a stored time as `2026-03-02 10:00` in Asia/Shanghai; any other text is returned
 * unchanged.
 */
const instantText = (name: string, text: string): string => {
  const isInstant = /_(at|from|until|since)$/.test(name) && instantPattern.test(text);
  const at = isInstant ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at)
    ? text
    : new Date(at + shanghai).toISOString().slice(0, 16).replace('T', ' ');
};

/**
 * Writes a value as text: amounts in yuan, weights in kilograms, rates in per cent, times in
 * Asia/Shanghai, flags as yes or no, codes by their names, and a dash if it is not set.
 */
export const auditValue = (
  subject: string,
  name: string,
  value: unknown,
  language: Language,
): string => {
  if (value === null || value === undefined || value === '') return '—';
  const kind = fieldOf(subject, name)?.[2];
  if (kind !== undefined && typeof value === 'number') {
    if (kind === 'money') return `¥${formatYuan(value)}`;
    if (kind === 'kg') return `${kgText(value, 1)} kg`;
    if (kind === 'rate') return `${percentText(value)}%`;
    if (kind === 'discount') return discountText(value, language);
    return flagWords[kind][language][value === 1 ? 1 : 0];
  }
  const words = (coded[`${subject}.${name}`] ?? coded[name])?.[String(value)];
  if (words) return words[language];
  if (name.endsWith('_ids') && Array.isArray(value))
    return value.map((id) => `#${String(id)}`).join(language === 'zh' ? '、' : ', ');
  if (subject === 'settings' && Array.isArray(value))
    return value
      .map((code) => provinceName(String(code), language))
      .join(language === 'zh' ? '、' : ', ');
  if (name === 'offer_carriers')
    return Object.entries(value as OfferCarriers)
      .map(
        ([code, provider]) =>
          `${code === otherProvinces ? '*' : provinceName(code, language)} ${wordOf(providers, provider, language)}`,
      )
      .join(', ');
  return typeof value === 'object'
    ? JSON.stringify(value)
    : instantText(name, String(value as string | number | boolean));
};

type Changes = Readonly<Record<string, readonly [unknown, unknown]>>;

/** True if the audit log hides the field's values and only records that the field changed. */
export const isHidden = ([before, after]: readonly [unknown, unknown]): boolean =>
  before === null && after === null;

/** All changes of a row in one line. */
export const auditLine = (subject: string, changes: Changes, language: Language): string =>
  Object.entries(changes)
    .map(([name, change]) => {
      const field = auditField(subject, name, language);
      if (isHidden(change)) return field;
      const [before, after] = change.map((value) => auditValue(subject, name, value, language));
      return before === '—' ? `${field} ${after}` : `${field} ${before} → ${after}`;
    })
    .join(language === 'zh' ? '；' : '; ');
