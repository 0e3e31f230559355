/**
 * Errors about a station's discount in comparison with those of its parent and children
 * (requirements §10.2.14). They are included in `errors`.
 */
export const discountErrors = {
  discount_better_than_parent: {
    status: 422,
    zh: '折扣不能低于上级“{name}”的 {percent}%',
    en: 'The discount cannot be below that of “{name}” above it: {percent}% of list',
  },
  discount_better_than_own: {
    status: 422,
    zh: '折扣不能低于本站的 {percent}%',
    en: 'The discount cannot be below your own: {percent}% of list',
  },
  discount_worse_than_child: {
    status: 422,
    zh: '折扣不能高于下级“{name}”的 {percent}%',
    en: 'The discount cannot be above that of “{name}” below it: {percent}% of list',
  },
} as const;
