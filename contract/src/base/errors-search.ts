/** Errors when a list is searched. They are included in `errors` in errors.ts. */
export const searchErrors = {
  search_too_long: {
    status: 422,
    zh: '搜索内容最多 {limit} 个字符，或 {numbers} 个单号，请缩短后重试',
    en: 'A search can have at most {limit|character|characters}, or {numbers|number|numbers}; shorten it and try again',
  },
  too_many_numbers: {
    status: 422,
    zh: '一次最多查询 {limit} 个单号，现有 {count} 个，请分批查询',
    en: 'At most {limit|number|numbers} at once; you entered {count}. Search in parts',
  },
  too_many_words: {
    status: 422,
    zh: '一次最多查询 {limit} 个词，请减少后重试',
    en: 'At most {limit|word|words} at once; use fewer',
  },
  days_required: {
    status: 422,
    zh: '按此筛选或排序时，时间范围最多 {days} 天，请设置起止日期',
    en: 'This filter or order needs a range of at most {days|day|days}; set the dates',
  },
  page_too_far: {
    status: 422,
    zh: '按页码最多查看前 {limit} 条，请从前面的页继续翻页、按时间筛选或反向排序',
    en: 'Page numbers reach the first {limit|row|rows}; turn pages from an earlier one, choose dates, or reverse the order',
  },
  search_too_slow: {
    status: 503,
    zh: '查询时间过长，已停止。请缩小范围（如时间、网点）后重试。',
    en: 'The query took too long and was stopped. Narrow it, for example by days or station, and try again',
  },
  person_not_found: {
    status: 422,
    zh: '此号码没有所选姓名的记录，请重新查找',
    en: 'This phone has nothing under the selected names; find it again',
  },
  person_too_many: {
    status: 422,
    zh: '此号码的运单或联系人超过 {limit} 个，请补充分机号或姓名',
    en: 'This phone is on more than {limit|parcel or contact|parcels or contacts}; add its extension or a name',
  },
  search_cancelled: { status: 409, zh: '查询已取消', en: 'The query was cancelled' },
  too_many_searches: {
    status: 429,
    zh: '每个账号同时最多 {limit} 个查询，请等待当前查询完成后重试',
    en: 'An account can run at most {limit|query|queries} at a time; wait for the current ones and try again',
  },
  too_many_counts: {
    status: 429,
    zh: '每个账号同时最多计算 {limit} 个，请等待当前计算完成后重试',
    en: 'An account can calculate at most {limit|list|lists} at a time; wait for the current ones and try again',
  },
  too_many_reveals: {
    status: 429,
    zh: '每小时最多查询或查看其他网点的 {limit} 个号码，请 {minutes} 分钟后重试',
    en: 'At most {limit|phone number|phone numbers} of other stations can be searched or revealed an hour; try again in {minutes} min',
  },
  too_many_phone_searches: {
    status: 429,
    zh: '每小时最多按完整手机号查询其他网点 {limit} 次，请 {minutes} 分钟后重试，或改用运单号查询',
    en: 'At most {limit|search|searches} an hour for full phone numbers of other stations; try again in {minutes} min, or search by waybill',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
