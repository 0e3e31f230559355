/** Month end: bills of carriers and the months of the books. */
export const reconciliationErrors = {
  file_required: { status: 422, zh: '请选择文件', en: 'Choose a file' },
  file_type_unknown: { status: 422, zh: '只支持 .xlsx 和 .csv 文件', en: 'Only .xlsx and .csv files can be read' },
  file_unreadable: {
    status: 422,
    zh: '文件无法读取：可能已损坏、已加密，或不是它名称所示的类型',
    en: 'The file cannot be read: damaged, encrypted, or not what its name says',
  },
  file_empty: { status: 422, zh: '文件中没有数据行', en: 'The file has no lines' },
  file_too_long: { status: 422, zh: '文件超过 {limit} 行', en: 'The file has more than {limit} lines' },
  bill_columns_unknown: {
    status: 422,
    zh: '无法自动识别运单号、重量和金额列，请对应列',
    en: 'Waybill, weight and amount were not recognised; say which column is which',
  },
  bill_status: { status: 409, zh: '这份账单当前的状态不允许此操作', en: 'The bill is not in a state for this' },
  bill_decided: { status: 409, zh: '已有账单行被处理，不能重新对列', en: 'Lines were decided already; the columns can no longer change' },
  bill_accepted: { status: 409, zh: '已有账单行被认账，不能作废', en: 'Lines were accepted already; the bill can no longer be discarded' },
  bill_row_decided: { status: 409, zh: '这一行已处理', en: 'This line was decided already' },
  bill_row_unreadable: {
    status: 422,
    zh: '无法识别的行不能认账，请提出异议或更正文件',
    en: 'A line that cannot be read cannot be accepted; dispute it or correct the file',
  },
  payment_too_large: { status: 422, zh: '超过应付余额 {left_amount} 元', en: 'More than the ¥{left_amount} still owed' },
  // lines of a bill
  bill_no_waybill: { status: 422, zh: '没有运单号', en: 'No waybill number' },
  bill_waybill_unreadable: { status: 422, zh: '运单号无法识别：{text}', en: 'Not a waybill number: {text}' },
  bill_weight_unreadable: { status: 422, zh: '重量无法识别：{text}', en: 'Not a weight: {text}' },
  bill_amount_unreadable: { status: 422, zh: '金额无法识别：{text}', en: 'Not an amount: {text}' },
  bill_repeats: { status: 422, zh: '与第 {no} 行重复', en: 'Repeats line {no}' },
  bill_billed_before: { status: 422, zh: '已在 {period} 的账单 {reconciliation_id} 中结算', en: 'Billed before, in bill {reconciliation_id} of {period}' },
  bill_code_unknown: { status: 422, zh: '客户编码 {customer_code} 不是我方的', en: 'Customer code {customer_code} is none of ours' },
  bill_code_other: {
    status: 422,
    zh: '运单的客户编码是 {our_code}，账单为 {customer_code}',
    en: 'The parcel has customer code {our_code}, the bill {customer_code}',
  },
  bill_sum_of: {
    status: 422,
    zh: '与第 {no} 行同一运单，共 {count} 行合计 {total_amount} 元',
    en: 'One parcel with line {no}: {count} lines, ¥{total_amount} in all',
  },
  bill_found_later: { status: 422, zh: '已出现在账单 {reconciliation_id} 中', en: 'Stands in bill {reconciliation_id}' },
  // months
  period_not_begun: { status: 422, zh: '{period} 尚未开始', en: '{period} has not begun' },
  period_closed: { status: 409, zh: '{period} 已结账', en: '{period} is closed' },
  period_open: { status: 409, zh: '{period} 未结账', en: '{period} is not closed' },
  period_bills_unread: { status: 409, zh: '{period} 有 {count} 份账单尚未比对完成', en: '{count} bills of {period} are not matched yet' },
  period_rows_open: { status: 409, zh: '{period} 的账单还有 {count} 行未处理', en: '{count} lines of the bills of {period} are undecided' },
  period_unproved: { status: 409, zh: '账本核验发现 {count} 处问题，不能结账', en: 'The proof found {count} breaks; the month cannot be closed' },
  period_unbalanced: {
    status: 409,
    zh: '试算不平，差额 {total_amount} 元，不能结账',
    en: 'The trial balance is off by ¥{total_amount}; the month cannot be closed',
  },
  period_later_closed: { status: 409, zh: '之后的 {period} 已结账，请先重开它', en: '{period} after it is closed; open that first' },
} as const;
