import type { Setting } from './setting-kinds.ts';

/**
 * The number of days after which rows are removed; server/sql/retention.sql applies them to every
 * table.
 */
export const retentionSettings = {
  carrier_call_days: {
    group: 'retention',
    kind: 'count',
    default: 30,
    min: 7,
    max: 365,
    zh: '承运商调用记录保留天数',
    en: 'Carrier calls kept for days',
    hint: {
      zh: '每次调用的请求和响应，号码已隐藏；超过天数后删除。',
      en: 'Request and response of each call, phones masked; removed after these days.',
    },
  },
  carrier_push_days: {
    group: 'retention',
    kind: 'count',
    default: 180,
    min: 90,
    max: 3_650,
    evidence: true,
    zh: '承运商推送原文保留天数',
    en: 'Carrier pushes kept for days',
    hint: {
      zh: '已处理推送的原文；由其产生的轨迹随运单保留。',
      en: 'The original text of pushes that were read; tracking made of them stays with the parcel.',
    },
  },
  import_days: {
    group: 'retention',
    kind: 'count',
    default: 90,
    min: 30,
    max: 3_650,
    zh: '导入保留天数',
    en: 'Imports kept for days',
    hint: {
      zh: '最后修改后保留的天数，含上传的文件和各行；已下的运单不受影响。',
      en: 'Days after the last change, with the uploaded file and its rows; parcels stay.',
    },
  },
  export_file_days: {
    group: 'retention',
    kind: 'count',
    default: 7,
    min: 1,
    max: 90,
    zh: '导出文件保留天数',
    en: 'Export files kept for days',
    hint: {
      zh: '超过天数后不能再下载。',
      en: 'Files cannot be downloaded afterwards.',
    },
  },
  job_days: {
    group: 'retention',
    kind: 'count',
    default: 30,
    min: 7,
    max: 365,
    zh: '后台任务结果保留天数',
    en: 'Results of background jobs kept for days',
    hint: {
      zh: '批量操作和导出及其逐条结果。',
      en: 'Bulk actions and exports with the result of each row.',
    },
  },
  inbox_days: {
    group: 'retention',
    kind: 'count',
    default: 90,
    min: 30,
    max: 365,
    zh: '消息保留天数',
    en: 'Inbox kept for days',
    hint: {
      zh: '超过天数的消息被删除；已读的 30 天后删除。',
      en: 'Older entries are removed; read ones after 30 days.',
    },
  },
  closed_alert_days: {
    group: 'retention',
    kind: 'count',
    default: 365,
    min: 90,
    max: 3_650,
    evidence: true,
    zh: '已关闭告警保留天数',
    en: 'Closed alerts kept for days',
    hint: {
      zh: '从关闭时起计算；未关闭的始终保留。',
      en: 'Counted from closing; open alerts always stay.',
    },
  },
  erase_after_days: {
    group: 'retention',
    kind: 'count',
    default: 180,
    min: 30,
    max: 3_650,
    zh: '运单结束多少天后可删除个人信息',
    en: 'Days after which personal data of a parcel can be erased',
    hint: {
      zh: '从运单最后一次变化起计算，留出理赔时间；更近的运单使此人暂不能删除。',
      en: 'Counted from the last event of the parcel, so that claims can be made; a younger parcel keeps its person from being erased.',
    },
  },
  audit_days: {
    group: 'retention',
    kind: 'count',
    default: 3_650,
    min: 365,
    max: 36_500,
    evidence: true,
    zh: '操作日志保留天数',
    en: 'Audit log kept for days',
    hint: {
      zh: '更早的记录被删除，删除本身也记入日志。一年内的记录始终保留。',
      en: 'Older entries are removed, and the log says how many. The database keeps those of the last year.',
    },
  },
} as const satisfies Record<string, Setting>;
