/**
 * Errors and alerts about the limits for moving money. They are included in `errors` in errors.ts.
 */
export const moneyErrors = {
  payout_not_picked_up: {
    status: 422,
    zh: '运单未揽收，不能理赔；未发出的运单请取消',
    en: 'The parcel was not picked up, so no claim can be paid out; cancel it if it was not sent',
  },
  payout_too_large: {
    status: 422,
    zh: '该运单累计理赔不能超过 ¥{limit_amount}（保价金额；未保价为应付的三倍），还可理赔 ¥{left_amount}',
    en: 'Payouts of this parcel are limited to ¥{limit_amount} (its insured value, or three times the amount due); ¥{left_amount} is left',
  },
  top_up_spent: {
    status: 422,
    zh: '充值已被使用，余额还差 ¥{missing_amount}，不能冲正；请改用调账',
    en: 'The top-up is spent: the balance is short by ¥{missing_amount}. Use an adjustment instead',
  },
  top_up_reversed: { status: 409, zh: '该充值已冲正', en: 'This top-up is already reversed' },
  top_up_reversal_pending: {
    status: 409,
    zh: '该充值的冲正申请待审批，请处理该申请',
    en: 'A reversal of this top-up is awaiting approval; process that request',
  },
  too_many_top_up_requests: {
    status: 409,
    zh: '已有 {limit} 个充值申请待审批，请等待处理或撤回其中的申请',
    en: '{limit} of your top-up requests are pending; wait for a decision or take one back',
  },
  second_person_tied: {
    status: 403,
    zh: '申请账号与您的账号在近 {days} 天内由同一人设置，请由其他管理员审批',
    en: 'Within {days|day|days} one person set up the requesting account and yours; ask another one',
  },
  second_person_wait: {
    status: 409,
    zh: '暂无其他管理员可审批，已通知全部管理员；{time} 后可执行',
    en: 'No other administrator can approve. All were notified; it can be executed after {time}',
  },
  raise_not_waiting: {
    status: 409,
    zh: '该调整已生效或已撤回',
    en: 'This change has taken effect or was withdrawn',
  },
  alert_own: {
    status: 403,
    zh: '此告警涉及您本人的操作，请由其他管理员关闭',
    en: 'This alert is about your own action; another administrator has to close it',
  },
  alert_tied: {
    status: 403,
    zh: '此告警涉及的账号与您的账号在近 {days} 天内由同一人设置，请由其他管理员关闭',
    en: 'Within {days|day|days} one person set up your account and the one this alert is about; another administrator has to close it',
  },

  // The texts of alerts.
  payment_account_changed: {
    status: 409,
    zh: '{account} 修改了收款账户，请核对系统设置中的户名和账号',
    en: '{account} changed the payment account; check payee and account number in Network settings',
  },
  fee_codes_added: {
    status: 409,
    zh: '{account} 在已知费用代码中新增 {count} 个：{codes}（全部见操作日志）；今后不经核定即入账，请核对',
    en: '{account} added {count|known fee code|known fee codes}: {codes} (the audit log has all of them). They are now posted without a decision; check them',
  },
  limit_raise_waits: {
    status: 409,
    zh: '“{name_zh}”将由 ¥{before_amount} 提高到 ¥{after_amount}，{time} 生效；另一人可立即确认，或撤回',
    en: '{name_en} will be raised from ¥{before_amount} to ¥{after_amount} at {time}; a second person can confirm it now or withdraw it',
  },
  weight_limit_raise_waits: {
    status: 409,
    zh: '“{name_zh}”将由 {before_weight} kg 提高到 {after_weight} kg，{time} 生效；另一人可立即确认，或撤回',
    en: '{name_en} will be raised from {before_weight} kg to {after_weight} kg at {time}; a second person can confirm it now or withdraw it',
  },
  count_limit_raise_waits: {
    status: 409,
    zh: '“{name_zh}”将由 {before} 提高到 {after}，{time} 生效；另一人可立即确认，或撤回',
    en: '{name_en} will be raised from {before} to {after} at {time}; a second person can confirm it now or withdraw it',
  },
  shorter_retention_waits: {
    status: 409,
    zh: '“{name_zh}”将由 {before} 天缩短到 {after} 天，{time} 生效，更早的记录被永久删除；另一人可立即确认，或撤回',
    en: '{name_en}: {before|day|days} will be cut to {after|day|days} at {time}, and older records deleted for good; a second person can confirm it now or withdraw it',
  },
  request_without_approver: {
    status: 409,
    zh: '{station} 的申请 ¥{request_amount} 暂无可审批的管理员，{time} 后可由申请人或任一管理员执行；如有异议请驳回',
    en: 'A request of ¥{request_amount} for {station} has no approver. After {time} it can be executed without one; decline it if it is wrong',
  },
  request_executed_alone: {
    status: 409,
    zh: '{account} 未经第二人审批执行了 {station} 的申请 ¥{request_amount}，请核对',
    en: '{account} executed a request of ¥{request_amount} for {station} without a second person; please review',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
