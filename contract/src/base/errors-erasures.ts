/** Expected errors of erasing a person's data. */
export const erasureErrors = {
  erasure_blocked: {
    status: 409,
    zh: '有 {count} 单未完成或未满保留天数，暂不能删除此人；请先预览',
    en: '{count|parcel|parcels} not finished or too young; see the preview before erasing this person',
  },
  erasure_import_open: {
    status: 409,
    zh: '导入 {id} 未结束且含此人，请先完成或取消',
    en: 'Import {id} has this person and has not ended; complete or cancel it first',
  },
  erasure_changed: {
    status: 409,
    zh: '申请后此人的记录有变化，请驳回并重新申请',
    en: 'The records of this person changed since the request; decline it and request again',
  },
  erasure_not_waiting: {
    status: 409,
    zh: '此申请已处理',
    en: 'This request has been decided',
  },
  erasure_open: {
    status: 409,
    zh: '此人已有待处理的删除申请',
    en: 'An erasure of this person is already requested',
  },
  too_many_erasures: {
    status: 409,
    zh: '待处理的删除申请已达 {limit} 个，请先处理',
    en: '{limit|erasure waits|erasures wait} already; decide them first',
  },
  parcel_erased: {
    status: 409,
    zh: '此运单的个人信息已删除，不能修改、下单或打印',
    en: 'The personal data of this parcel was erased; it cannot be edited, ordered or printed',
  },
} as const;
