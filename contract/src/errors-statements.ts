/** Errors of station statements and of agreeing to them; a part of errors.ts, under the same rules. */
export const statementErrors = {
  period_not_over: { status: 409, zh: '{period} 尚未结束，月底过后才能确认', en: '{period} is not over yet; it can be confirmed once it is' },
  closing_differs: {
    status: 409,
    zh: '期末余额现为 ¥{closing_amount}，与您看到的不同，请核对后再确认',
    en: 'The closing balance is ¥{closing_amount} now, not what you saw; look again before you confirm',
  },
  statement_confirmed: {
    status: 409,
    zh: '{period} 已按期末余额 ¥{closing_amount} 确认过',
    en: '{period} was confirmed already, with a closing balance of ¥{closing_amount}',
  },
  statement_too_long: { status: 422, zh: '对账单有 {count} 行，超过 {limit} 行', en: 'The statement has {count} lines, more than {limit}' },
  statement_interrupted: { status: 503, zh: '对账单生成中断，请重试', en: 'Making the statement was interrupted; try again' },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
