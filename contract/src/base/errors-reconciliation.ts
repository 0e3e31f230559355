/** Errors of the month end: carrier bills and the months of the ledger. */
export const reconciliationErrors = {
  file_required: { status: 422, zh: '请选择文件', en: 'Choose a file' },
  file_type_unknown: {
    status: 422,
    zh: '仅支持 .xlsx 和 .csv 文件',
    en: 'Only .xlsx and .csv files can be read',
  },
  file_unreadable: {
    status: 422,
    zh: '文件无法读取：已损坏、已加密，或与扩展名不符',
    en: 'The file cannot be read: damaged, encrypted, or its type differs from its name',
  },
  file_empty: { status: 422, zh: '文件无数据行', en: 'The file has no lines' },
  file_too_long: {
    status: 422,
    zh: '文件超过 {limit} 行，请拆分后上传',
    en: 'The file has more than {limit|line|lines}; split it',
  },
  bill_columns_unknown: {
    status: 422,
    zh: '无法自动识别运单号、重量和金额列，请匹配列',
    en: 'Waybill, weight and amount were not recognized; match the columns',
  },
  bill_columns_doubtful: {
    status: 422,
    zh: '列 {columns} 都可能是所需的列，请指定',
    en: 'Each of the columns {columns} may be meant; choose one',
  },
  bill_status: {
    status: 409,
    zh: '账单当前状态不允许此操作',
    en: 'The bill’s state does not allow this',
  },
  bill_decided: {
    status: 409,
    zh: '已有账单行被处理，不能重新匹配列',
    en: 'Lines are already processed; the columns can no longer be matched',
  },
  bill_accepted: {
    status: 409,
    zh: '已有账单行被认可，不能作废',
    en: 'Lines are already accepted; the bill can no longer be discarded',
  },
  bill_row_decided: { status: 409, zh: '此行已处理', en: 'This line is already processed' },
  bill_row_unreadable: {
    status: 422,
    zh: '无法识别的行不能认可，请提出异议或更正文件',
    en: 'A line that cannot be read cannot be accepted; dispute it or correct the file',
  },
  payment_too_large: {
    status: 422,
    zh: '不能超过未付金额 ¥{left_amount}',
    en: 'Cannot exceed the ¥{left_amount} still owed',
  },
  // Errors about single lines of a carrier bill.
  bill_no_waybill: { status: 422, zh: '无运单号', en: 'No waybill' },
  bill_waybill_unreadable: {
    status: 422,
    zh: '运单号无法识别：{text}',
    en: 'Not a waybill: {text}',
  },
  bill_weight_unreadable: { status: 422, zh: '重量无法识别：{text}', en: 'Not a weight: {text}' },
  bill_amount_unreadable: { status: 422, zh: '金额无法识别：{text}', en: 'Not an amount: {text}' },
  bill_repeats: { status: 422, zh: '与第 {no} 行重复', en: 'Repeats line {no}' },
  bill_billed_before: {
    status: 422,
    zh: '已在 {period} 的账单 {reconciliation_id} 中结算',
    en: 'Already billed in bill {reconciliation_id} of {period}',
  },
  bill_code_unknown: {
    status: 422,
    zh: '商家编码 {customer_code} 不属于我方',
    en: 'Customer code {customer_code} is not one of ours',
  },
  bill_code_other: {
    status: 422,
    zh: '运单的商家编码是 {our_code}，账单为 {customer_code}',
    en: 'The parcel has customer code {our_code}, the bill {customer_code}',
  },
  bill_sum_of: {
    status: 422,
    zh: '与第 {no} 行同一运单，共 {count} 行，合计 ¥{total_amount}',
    en: 'Same parcel as line {no}: {count|line|lines}, ¥{total_amount} in total',
  },
  bill_found_later: {
    status: 422,
    zh: '已出现在账单 {reconciliation_id} 中',
    en: 'Appears in bill {reconciliation_id}',
  },
  bill_of_closed_month: {
    status: 409,
    zh: '{period} 已凭此账单结账，请先将 {period} 反结账再作废',
    en: '{period} was closed with this bill; reopen {period} before discarding it',
  },
  // Errors about months and accounting periods.
  period_not_ended: {
    status: 422,
    zh: '{period} 尚未结束，请在次月 1 日起结账',
    en: '{period} has not ended; close it from the first day of the next month',
  },
  period_before_first: {
    status: 422,
    zh: '{period} 早于首个记账月份 {first}，请选择 {first} 及以后的月份',
    en: '{period} is before {first}, the first month with postings; choose {first} or later',
  },
  period_nothing_posted: {
    status: 422,
    zh: '尚无记账，{period} 没有账目',
    en: 'Nothing has been posted yet; {period} has no postings',
  },
  period_earlier_open: {
    status: 409,
    zh: '{earlier} 未结账，请先结账 {earlier}',
    en: '{earlier} is open; close it before {period}',
  },
  period_bill_missing: {
    status: 409,
    zh: '{count} 个商家账号（如“{name}”）在 {period} 有揽收运单但无账单，请上传账单或填写原因',
    en: 'Carrier accounts with parcels picked up in {period} and no bill: {count}, such as “{name}”; upload the bill or enter a reason',
  },
  bill_period_outside: {
    status: 422,
    zh: '账期须在 {from} 至 {to} 之间',
    en: 'Choose a period from {from} to {to}',
  },
  period_closed: { status: 409, zh: '{period} 已结账', en: '{period} is closed' },
  period_confirmed: {
    status: 409,
    zh: '{period} 的网点均已确认，无需提醒',
    en: 'All stations have confirmed {period}; no reminder is needed',
  },
  period_unheard: {
    status: 409,
    zh: '未确认的网点（{names}）已停用或没有可确认的账号，请先启用网点或账号',
    en: 'Stations that have not confirmed ({names}) are disabled or have no account that can confirm; enable one first',
  },
  period_reminded: {
    status: 409,
    zh: '{period} 每天最多提醒一次，上次 {time}，请明日再试',
    en: '{period} can be reminded of once a day; last at {time}; try again tomorrow',
  },
  period_open: { status: 409, zh: '{period} 未结账', en: '{period} is not closed' },
  period_bills_unread: {
    status: 409,
    zh: '{period} 及以前有 {count} 份账单尚未比对完成',
    en: 'Bills of {period} or earlier not matched yet: {count}',
  },
  period_rows_open: {
    status: 409,
    zh: '{period} 及以前的账单还有 {count} 行待处理',
    en: 'Open bill lines of {period} or earlier: {count}',
  },
  period_unproved: {
    status: 409,
    zh: '账目校验发现 {count} 处问题，不能结账',
    en: 'The ledger check found {count|mismatch|mismatches}; the period cannot be closed',
  },
  period_check_running: {
    status: 409,
    zh: '账目正在完整校验（约 {percent}%），通过后才能结账，请稍后再试',
    en: 'The full ledger check is running (about {percent} %); close the period after it has passed',
  },
  period_unbalanced: {
    status: 409,
    zh: '试算不平衡，差额 ¥{total_amount}，不能结账',
    en: 'The trial balance is off by ¥{total_amount}; the period cannot be closed',
  },
  period_later_closed: {
    status: 409,
    zh: '之后的 {period} 已结账，请先将其反结账',
    en: 'The later {period} is closed; reopen it first',
  },
} as const;
