/** Expected errors of erasing a person's data. */
export const erasureErrors = {
  erasure_blocked: {
    status: 409,
    zh: '{count} 单未完成或未满天数',
    en: '{count|parcel|parcels} not finished or too young',
  },
  erasure_import_open: {
    status: 409,
    zh: '导入 {id} 含此人，请先结束',
    en: 'Import {id} has this person; end it first',
  },
  erasure_changed: {
    status: 409,
    zh: '记录有变化，请重新申请',
    en: 'Records changed; request again',
  },
  erasure_open: {
    status: 409,
    zh: '已申请，或申请过多',
    en: 'Already requested, or too many wait',
  },
  parcel_erased: { status: 409, zh: '个人信息已删除', en: 'Personal data was erased' },
} as const;
