/**
 * The reasons why a parcel has no price (docs/pricing.md §7–§9). They are included in `errors` in
 * errors.ts.
 */
export const priceErrors = {
  no_origin: {
    status: 422,
    zh: '该运费模板不从{province}发货，请联系管理员',
    en: 'This freight template does not ship from {province}; contact an administrator',
  },
  not_served: {
    status: 422,
    zh: '不送达{province}，请换时效或收件地址',
    en: '{province} is not served; choose another delivery time or address',
  },
  over_weight: {
    status: 422,
    zh: '计费重量 {actual_weight} kg 超过上限 {limit_weight} kg，请拆分包裹',
    en: '{actual_weight} kg is above the limit of {limit_weight} kg; split the parcel',
  },
  above_top_tier: {
    status: 422,
    zh: '保价金额 ¥{value_amount} 超过最高档 ¥{top_amount}，请调低声明价值',
    en: 'An insured value of ¥{value_amount} is above the top tier of ¥{top_amount}; lower the declared value',
  },
  no_tiers: {
    status: 422,
    zh: '无启用的保价档位，无法保价 ¥{value_amount}',
    en: 'No insurance tier is enabled, so ¥{value_amount} cannot be insured',
  },
  cheapest_only: {
    status: 422,
    zh: '本网点固定使用最低价时效（{promise_id}，¥{post_amount}）',
    en: 'This station always uses the cheapest delivery time ({promise_id}, ¥{post_amount})',
  },
  promise_not_offered: {
    status: 422,
    zh: '运费方案不含时效 {promise_id}',
    en: 'The freight scheme does not offer delivery time {promise_id}',
  },
  carrier_changed: {
    status: 422,
    zh: '现按网点规则选用{provider}，与下单时显示的承运商不同，未下单；可再次下单',
    en: 'The station’s rule now chooses {provider}, another carrier than the one shown; not ordered; you can order again',
  },
  share_rates_too_high: {
    status: 422,
    zh: '各级分润比例合计 {percent}%，超过 100%',
    en: 'The profit shares of the parent stations add up to {percent}%, more than 100%',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
