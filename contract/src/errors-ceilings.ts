/** What somebody may do up to a limit that others set (requirements §10.12). Spread into `errors`. */
export const ceilingErrors = {
  profit_above_limit: {
    status: 422,
    zh: '分润比例不能超过您的上限 {percent}%，需要更高请联系管理员',
    en: 'The profit share cannot exceed your limit of {percent}%; contact an administrator for more',
  },
  fixed_profit_above_limit: {
    status: 422,
    zh: '每单分润不能超过您的上限 ¥{limit_amount}，需要更高请联系管理员',
    en: 'The profit share per parcel cannot exceed your limit of ¥{limit_amount}; contact an administrator for more',
  },
} as const;
