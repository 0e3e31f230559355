/**
 * The words of the page Personal data. They are here and not with the other texts, because those come
 * with the console, and only a super opens this page.
 */
export const personalWords = {
  intro: {
    zh: '按完整手机号查找网络中保存的个人信息，并导出为一个文件。每次查询和导出都记入操作日志，日志中号码隐藏。',
    en: 'Find what the network holds of a person by a full phone number, and export it as one file. Every search and export is recorded in the audit log, with the phone masked.',
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
    zh: '选择属于本人的姓名后导出；同一号码可能由多人使用。',
    en: 'Select the names of this person, then export. Several people may use one phone.',
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
} as const satisfies Record<string, { zh: string; en: string }>;
/** The words for what a person's file leaves out, said on the page and in the file. */
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
