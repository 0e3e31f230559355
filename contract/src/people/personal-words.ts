/**
 * The texts of the page “Personal data”. They are in a separate file because only a super opens
 * this page, and all other texts are loaded with the console.
 */
export const personalWords = {
  intro: {
    zh: '按完整手机号查找网络中保存的个人信息，导出为一个文件或申请删除。每次查询、导出和删除都记入操作日志，日志中号码隐藏。',
    en: 'Find what the network holds of a person by a full phone number, export it as one file, or have it erased. Every search, export and erasure is recorded in the audit log, with the phone masked.',
  },
  phone: {
    zh: '手机号',
    en: 'Phone',
  },
  reason: {
    zh: '申请人或用途',
    en: 'Requester or purpose',
  },
  reason_hint: {
    zh: '请填工单号，不要写姓名。',
    en: 'Give a case number, no names.',
  },
  name: {
    zh: '姓名',
    en: 'Name',
  },
  name_hint: {
    zh: '选填。号码记录过多时，只查找此姓名。',
    en: 'Optional. Searches this name alone where the phone has too many records.',
  },
  find: {
    zh: '查找',
    en: 'Find',
  },
  none: {
    zh: '未找到此号码的记录',
    en: 'Nothing has this phone',
  },
  found: {
    zh: '此号码的姓名',
    en: 'Names with this phone',
  },
  found_hint: {
    zh: '选择属于本人的姓名后导出或删除；同一号码可能由多人使用。',
    en: 'Select the names of this person, then export or erase. Several people may use one phone.',
  },
  more: {
    zh: '另有 {count} 个更早的姓名未列出',
    en: '{count|older name|older names} not listed',
  },
  sent: {
    zh: '寄件 {count} 单',
    en: '{count|parcel|parcels} sent',
  },
  received: {
    zh: '收件 {count} 单',
    en: '{count|parcel|parcels} received',
  },
  contacts: {
    zh: '联系人 {count} 条',
    en: '{count|contact|contacts}',
  },
  stations: {
    zh: '网点寄件人 {count} 个',
    en: 'sender of {count|station|stations}',
  },
  accounts: {
    zh: '账号 {count} 个',
    en: '{count|account|accounts}',
  },
  open: {
    zh: '未完成 {count} 单',
    en: '{count|parcel|parcels} not finished',
  },
  newest: {
    zh: '最近 {at}',
    en: 'Latest {at}',
  },
  export: {
    zh: '导出所选',
    en: 'Export selected',
  },
  export_of: {
    zh: '导出 {count} 个姓名',
    en: 'Export {count|name|names}',
  },
  choose: {
    zh: '请选择姓名',
    en: 'Select a name',
  },
  making: {
    zh: '正在生成文件…',
    en: 'Making the file…',
  },
  exported: {
    zh: '已导出 {name}',
    en: 'Exported {name}',
  },
  later: {
    zh: '文件仍在生成，24 小时内可在后台任务中下载',
    en: 'The file is still being made; download it from the background jobs within 24 hours',
  },
  not_included: {
    zh: '文件不含',
    en: 'The file leaves out',
  },
  not_backups: {
    zh: '备份：仍含这些数据，直到备份过期删除。',
    en: 'Backups: they have this data until they expire.',
  },
  not_pushes: {
    zh: '承运商推送原文：不按人检索，按保留天数删除；由其产生的轨迹已包含。',
    en: 'Carrier pushes as received: not searched by person, removed after their retention; the tracking made of them is included.',
  },
  not_sheets: {
    zh: '上传的表格原件和未下单的行：随导入按保留天数删除；已下单的行已包含。',
    en: 'Uploaded sheets and rows that were not ordered: removed with their import after its retention; ordered rows are included.',
  },
  not_former: {
    zh: '曾用此号码、后来改为其他号码的运单和联系人：请用其他号码或单号另行查找。',
    en: 'Parcels and contacts whose phone was edited away from this one: find them by the other phone or the number.',
  },
  not_notes: {
    zh: '交接单的备注和快递员姓名，以及其他记录的备注：不按人检索。',
    en: 'Hand-over notes and courier names, and notes of other records: not searched by person.',
  },
  not_logins: {
    zh: '账号的登录设备和操作日志：在账号和操作日志页查看。',
    en: 'Sessions and log entries of an account: they are in Accounts and the Audit log.',
  },
  not_ledger: {
    zh: '账目：只含金额，不含个人信息。',
    en: 'The ledger: it has amounts and no personal data.',
  },
  erased_before: {
    zh: '此号码和姓名的信息已于 {at} 删除',
    en: 'The data of this phone and name was erased {at}',
  },
  erase: {
    zh: '删除个人信息…',
    en: 'Erase…',
  },
  erase_title: {
    zh: '删除个人信息',
    en: 'Erase personal data',
  },
  erase_hint: {
    zh: '由另一位管理员批准后执行，执行后不能恢复。',
    en: 'A second administrator approves it. Once it has run, it cannot be undone.',
  },
  erase_others: {
    zh: '所涉运单的轨迹、面单和承运商调用，另一方也不再可见；所有人的导出文件都会删除，可重新导出。',
    en: 'Parcels lose tracking, labels and carrier calls for the other side too. All export files of everybody are removed; they can be exported again.',
  },
  erase_names: {
    zh: '将删除的姓名：{names}',
    en: 'Names to be erased: {names}',
  },
  erase_counts: {
    zh: '将删除',
    en: 'To be erased',
  },
  erase_also: {
    zh: '执行时另查找：未下单的导入行、承运商推送、视图和消息',
    en: 'Searched as it runs: import rows without a parcel, carrier pushes, views and inboxes',
  },
  erase_blocked: {
    zh: '以下运单使此人暂不能删除',
    en: 'These parcels keep the person from being erased for now',
  },
  blocked_open: {
    zh: '未完成',
    en: 'not finished',
  },
  blocked_until: {
    zh: '{at} 起可删除',
    en: 'can be erased from {at}',
  },
  blocked_more: {
    zh: '另有 {count} 单',
    en: '{count|more parcel|more parcels}',
  },
  not_erased: {
    zh: '保留的内容',
    en: 'What stays',
  },
  stays_ledger: {
    zh: '金额、重量、省市区、运单状态和账目：不含个人信息。',
    en: 'Amounts, weights, divisions, states and the ledger: they have no personal data.',
  },
  stays_numbers: {
    zh: '运单号、订单号和商家订单号。',
    en: 'Waybills, order numbers and shops’ order numbers.',
  },
  stays_bills: {
    zh: '承运商账单的原文件及待处理、有异议的账单行：作为付款凭证保留。',
    en: 'Carrier bills as uploaded, and their open or disputed lines: vouchers of what was paid.',
  },
  stays_people: {
    zh: '网点寄件人和账号：在网点和账号页修改。',
    en: 'Senders of stations and accounts: change them in Stations and Accounts.',
  },
  stays_notes: {
    zh: '交接备注、补打原因、改过的旧号码、视图和文件名称中的姓名：不按人检索。',
    en: 'Hand-over notes, reasons for reprints, phones that were edited away, and names within titles of views and files: not searched by person.',
  },
  stays_backups: {
    zh: '备份：仍含这些数据，直到备份过期删除。',
    en: 'Backups: they have this data until they expire.',
  },
  stays_carrier: {
    zh: '承运商自己保存的信息：须向承运商申请删除。',
    en: 'The carrier’s own copy: ask the carrier to erase it.',
  },
  erase_request: {
    zh: '申请删除',
    en: 'Request erasure',
  },
  erase_requested: {
    zh: '已申请，等待另一位管理员批准',
    en: 'Requested; a second administrator has to approve',
  },
  erasures: {
    zh: '删除申请',
    en: 'Erasures',
  },
  erasures_none: {
    zh: '暂无删除申请',
    en: 'No erasures',
  },
  asked_by: {
    zh: '{name} 于 {at} 申请',
    en: 'Requested by {name}, {at}',
  },
  decided_by: {
    zh: '{name} 于 {at} 处理',
    en: 'Decided by {name}, {at}',
  },
  status_waiting: {
    zh: '待批准',
    en: 'Waiting',
  },
  status_running: {
    zh: '执行中',
    en: 'Running',
  },
  status_done: {
    zh: '已删除',
    en: 'Erased',
  },
  status_cancelled: {
    zh: '未执行',
    en: 'Not carried out',
  },
  approve: {
    zh: '批准并删除',
    en: 'Approve and erase',
  },
  approve_title: {
    zh: '批准删除个人信息',
    en: 'Approve the erasure',
  },
  approve_hint: {
    zh: '您是第二批准人，请核对姓名和用途。批准后立即执行，不能恢复。',
    en: 'You are the second person. Check names and purpose. It runs at once and cannot be undone.',
  },
  approved: {
    zh: '已批准，正在删除',
    en: 'Approved; erasing',
  },
  withdraw: {
    zh: '撤回',
    en: 'Withdraw',
  },
  decline: {
    zh: '驳回',
    en: 'Decline',
  },
  cancelled: {
    zh: '申请已关闭',
    en: 'Request closed',
  },
  password: {
    zh: '您的密码',
    en: 'Your password',
  },
  otp: {
    zh: '两步验证码或恢复码',
    en: 'Two-factor code or recovery code',
  },
  place_parcels: {
    zh: '运单 {count} 单',
    en: '{count|parcel|parcels}',
  },
  place_versions: {
    zh: '运单版本 {count} 个',
    en: '{count|parcel version|parcel versions}',
  },
  place_messages: {
    zh: '轨迹 {count} 条',
    en: '{count|tracking message|tracking messages}',
  },
  place_edits: {
    zh: '修改 {count} 次',
    en: '{count|parcel change|parcel changes}',
  },
  place_bill_lines: {
    zh: '账单行 {count} 行',
    en: '{count|bill line|bill lines}',
  },
  place_carrier_calls: {
    zh: '承运商调用 {count} 次',
    en: '{count|carrier call|carrier calls}',
  },
  place_contacts: {
    zh: '联系人 {count} 条',
    en: '{count|contact|contacts}',
  },
  place_import_rows: {
    zh: '导入行 {count} 行，含文件',
    en: '{count|import row|import rows}, with their files',
  },
  place_audit: {
    zh: '操作日志 {count} 条',
    en: '{count|audit log entry|audit log entries}',
  },
  place_export_files: {
    zh: '全部导出文件 {count} 个',
    en: 'all {count|export file|export files}',
  },
  place_pushes: {
    zh: '承运商推送 {count} 条',
    en: '{count|carrier push|carrier pushes}',
  },
  place_views: {
    zh: '视图 {count} 个',
    en: '{count|view|views}',
  },
  place_skipped: {
    zh: '跳过 {count} 单（批准后有变动，单号见操作日志）',
    en: '{count|parcel|parcels} skipped: changed after the approval; the audit log has the numbers',
  },
} as const satisfies Record<string, { zh: string; en: string }>;
/**
 * The keys of the texts that say which records a person's file omits; they are shown on the page
 * and in the file.
 */
export const notIncluded = [
  'not_backups',
  'not_pushes',
  'not_sheets',
  'not_former',
  'not_notes',
  'not_logins',
  'not_ledger',
] as const;
export type PersonalWord = keyof typeof personalWords;
