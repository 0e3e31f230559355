/** What a station's discount may be beside those around it (requirements §10.2.14). Spread into `errors`. */
export const discountErrors = {
  discount_better_than_parent: {
    status: 422,
    zh: '折扣不能低于上级“{name}”的 {zhe} 折（{percent}%）',
    en: 'The discount cannot be better than that of “{name}” above it: {percent}% of list',
  },
  discount_better_than_own: {
    status: 422,
    zh: '折扣不能低于您自己的 {zhe} 折（{percent}%）',
    en: 'The discount cannot be better than your own: {percent}% of list',
  },
  discount_worse_than_child: {
    status: 422,
    zh: '折扣不能高于下级“{name}”的 {zhe} 折（{percent}%）',
    en: '“{name}” below it pays {percent}% of list; this station cannot pay more',
  },
} as const;
