/**
 * Errors about station statements and their confirmation. They are included in `errors` in
 * errors.ts.
 */
export const statementErrors = {
  period_not_over: {
    status: 409,
    zh: '{period} 尚未结束，结束后才能确认',
    en: '{period} is not over yet; it can be confirmed afterwards',
  },
  closing_differs: {
    status: 409,
    zh: '期末余额现为 ¥{closing_amount}，与您看到的不同，请核对后再确认',
    en: 'The closing balance is now ¥{closing_amount}, not the one shown; review before you confirm',
  },
  statement_confirmed: {
    status: 409,
    zh: '{period} 已按期末余额 ¥{closing_amount} 确认',
    en: '{period} is already confirmed with a closing balance of ¥{closing_amount}',
  },
  statement_too_long: {
    status: 422,
    zh: '对账单有 {count} 笔，超过 {limit} 笔',
    en: 'The statement has {count|transaction|transactions}, more than {limit}',
  },
  statements_too_many: {
    status: 422,
    zh: '{stations} 个网点、{lines} 笔超过一次 {limit} 个、{most} 笔，请分网点下载',
    en: '{stations} stations and {lines} transactions exceed {limit} and {most}; choose a station',
  },
  statements_one_too_long: {
    status: 422,
    zh: '“{name}” {period} 有 {count} 笔，超过单份对账单的 {limit} 笔，请导出该网点的账单明细，其他网点分别下载',
    en: '“{name}” has {count|transaction|transactions} in {period}, more than {limit} in one statement; export its transactions, and choose other stations here',
  },
  statements_none: {
    status: 409,
    zh: '{period} 没有网点有账单，请选择其他月份或网点',
    en: 'No station has transactions in {period}; choose another month or station',
  },
  statements_not_ended: {
    status: 409,
    zh: '{period} 尚未结束，请选择已结束的月份',
    en: '{period} is not over yet; choose an earlier month',
  },
  statement_interrupted: {
    status: 503,
    zh: '对账单生成中断，请重试',
    en: 'Statement creation was interrupted; try again',
  },
  withdrawal_by_station: {
    status: 409,
    zh: '网点启用中，请由网点自行申请提现；停用后才能由总部退还余额',
    en: 'The station is enabled and requests withdrawals itself; administrators pay out disabled stations only',
  },
  parcel_reversal_pending: {
    status: 409,
    zh: '此运单的冲正正在等待审批',
    en: 'A reversal of this parcel is awaiting approval',
  },
  parcel_reversal_changed: {
    status: 409,
    zh: '申请后运单费用有变动，现应冲正 ¥{reversed_amount}，请驳回后重新申请',
    en: 'The parcel’s charges changed after the request; ¥{reversed_amount} would be reversed now. Decline the request and make a new one',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
