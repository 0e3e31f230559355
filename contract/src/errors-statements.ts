/** Errors of station statements and of agreeing to them; a part of errors.ts, under the same rules. */
export const statementErrors = {
  period_not_over: { status: 409, zh: '{period} 尚未结束，结束后才能确认', en: '{period} is not over yet; it can be confirmed afterwards' },
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
  statement_too_long: { status: 422, zh: '对账单有 {count} 笔，超过 {limit} 笔', en: 'The statement has {count|transaction|transactions}, more than {limit}' },
  statement_interrupted: { status: 503, zh: '对账单生成中断，请重试', en: 'Statement creation was interrupted; try again' },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
