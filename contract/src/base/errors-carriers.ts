/**
 * Errors about carriers' messages and about confirming these messages. They are included in
 * `errors` in errors.ts.
 */
export const carrierErrors = {
  carrier_silent: {
    status: 503,
    zh: '{provider}暂无响应',
    en: '{provider} does not answer',
  },
  carrier_calls_paused: {
    status: 503,
    zh: '{provider}的账号已暂停调用，订单将等待恢复',
    en: 'Calls to {provider} are paused; orders wait until they are resumed',
  },
  pickup_window_gone: {
    status: 422,
    zh: '承运商不提供所选上门时间，或该时间已不可约，请重选，或改为尽快上门',
    en: 'The carrier does not offer this pickup time, or no longer; choose another, or as soon as possible',
  },
  no_pickup_windows: {
    status: 422,
    zh: '该承运商不支持预约上门时间，请改为尽快上门',
    en: 'This carrier takes no pickup times; choose as soon as possible',
  },
  push_unconfirmed: {
    status: 422,
    zh: '运单 {delivery_id} 的推送状态 {state_code} 在 24 小时内未得到承运商轨迹确认，请联系承运商核对',
    en: 'Parcel {delivery_id}: pushed state {state_code} was not confirmed by the carrier’s own tracking within 24 hours; check with the carrier',
  },
  message_early: {
    status: 422,
    zh: '订单 {order_id} 收到早于下单时间的消息（{time}），已保存但未采用，请核对',
    en: 'Order {order_id}: a carrier message is dated before the order was sent ({time}); it is stored and not applied; check it',
  },
  message_future: {
    status: 422,
    zh: '订单 {order_id} 收到日期在未来的消息（{time}），已保存但未采用，请核对',
    en: 'Order {order_id}: a carrier message is dated in the future ({time}); it is stored and not applied; check it',
  },
  message_waybill: {
    status: 422,
    zh: '订单 {order_id} 收到其他运单 {delivery_id} 的消息，已保存但未采用，请核对',
    en: 'Order {order_id}: a carrier message names another waybill, {delivery_id}; it is stored and not applied; check it',
  },
  carrier_order_lost: {
    status: 422,
    zh: '承运商有订单 {order_id}（运单 {delivery_id}），系统中没有此订单，可能在恢复备份或切换时丢失，请向承运商核对',
    en: 'The carrier has order {order_id} ({delivery_id}), and it is not here: it may have been lost by a restore or failover. Check with the carrier',
  },
  order_unreachable: {
    status: 422,
    zh: '订单 {order_id} 已有运单 {delivery_id}，但承运商不送达：{text}，面单不可打印，请取消订单',
    en: 'Order {order_id} has waybill {delivery_id}, but the carrier does not serve it: {text}. Its label cannot be printed; cancel it',
  },
  order_of_earlier_attempt: {
    status: 422,
    zh: '承运商早已存有订单 {order_id}（{delivery_id}），内容可能是修改前的，请向承运商核对，不符则取消',
    en: 'The carrier had order {order_id} ({delivery_id}) before, maybe with its earlier content. Compare it with the carrier, and cancel it if it differs',
  },
  carrier_lost_parcel: {
    status: 422,
    zh: '承运商报告运单 {delivery_id} 遗失，请联系承运商确认并理赔',
    en: 'The carrier reports parcel {delivery_id} as lost; confirm it with the carrier and claim its value',
  },
  return_of_another: {
    status: 422,
    zh: '订单 {order_id} 的退回运单号 {delivery_id} 已属于订单 {other_id}，未采用，请联系承运商核对',
    en: 'Order {order_id}: the waybill named for its return, {delivery_id}, belongs to order {other_id}; it is not applied; check with the carrier',
  },
  messages_cut: {
    status: 422,
    zh: '订单 {order_id} 的承运商消息超过 {max} 条，多出的 {count} 条未保存，请联系承运商核对',
    en: 'Order {order_id}: the carrier’s messages exceed the limit of {max}; not stored: {count}. Check with the carrier',
  },
  charge_doubtful: {
    status: 422,
    zh: '订单 {order_id}（{delivery_id}）的承运商收费超出限额，未入账，请在运单中接受、提出异议或重新查询',
    en: 'Order {order_id} ({delivery_id}): the carrier’s charge is beyond the limits and not posted; accept it, dispute it or ask again in the parcel',
  },
  charge_weight: {
    status: 422,
    zh: '承运商计重 {actual_weight} kg，申报 {before_weight} kg，上限 {limit_weight} kg',
    en: 'Carrier weight {actual_weight} kg, declared {before_weight} kg, limit {limit_weight} kg',
  },
  charge_volume: {
    status: 422,
    zh: '承运商体积折重 {actual_weight} kg，申报 {before_weight} kg，上限 {limit_weight} kg',
    en: 'Volumetric weight {actual_weight} kg, declared {before_weight} kg, limit {limit_weight} kg',
  },
  charge_cal_weight: {
    status: 422,
    zh: '承运商计费重 {actual_weight} kg，申报 {before_weight} kg，上限 {limit_weight} kg',
    en: 'Weight billed by the carrier {actual_weight} kg, declared {before_weight} kg, limit {limit_weight} kg',
  },
  charge_price: {
    status: 422,
    zh: '折前运费 ¥{actual_amount}，预估 ¥{before_amount}，上限 ¥{limit_amount}',
    en: 'List price ¥{actual_amount}, estimated ¥{before_amount}, limit ¥{limit_amount}',
  },
  charge_surcharge: {
    status: 422,
    zh: '附加费 ¥{actual_amount}，预估运费 ¥{before_amount}，上限 ¥{limit_amount}',
    en: 'Surcharges ¥{actual_amount}, estimated price ¥{before_amount}, limit ¥{limit_amount}',
  },
  charge_cost: {
    status: 422,
    zh: '承运成本 ¥{actual_amount}，折前运费 ¥{before_amount}，上限 ¥{limit_amount}',
    en: 'Carrier cost ¥{actual_amount}, list price ¥{before_amount}, limit ¥{limit_amount}',
  },
  charge_fee_unknown: {
    status: 422,
    zh: '未知费用 {name}：¥{actual_amount}',
    en: 'Unknown fee {name}: ¥{actual_amount}',
  },
  charge_service: {
    status: 422,
    zh: '未下单的服务 {name}：¥{actual_amount}',
    en: 'Service not ordered, {name}: ¥{actual_amount}',
  },
  charge_unreadable: { status: 422, zh: '无法读取：{text}', en: 'Cannot be read: {text}' },
  charge_undecided: {
    status: 409,
    zh: '承运商收费待管理员核定，不能标记为已处理',
    en: 'The carrier’s charge awaits an administrator’s decision; it cannot be marked as handled',
  },
  charge_decided: {
    status: 409,
    zh: '此费用已核定，或承运商已更新数据，请刷新后查看',
    en: 'This charge is decided, or the carrier has reported other figures; reload to see them',
  },
  charge_not_readable: {
    status: 409,
    zh: '承运商返回的费用无法读取，不能接受，请提出异议或重新查询',
    en: 'The carrier’s figures cannot be read and cannot be accepted; dispute them or ask again',
  },
  charge_too_large: {
    status: 409,
    zh: '超出可入账范围（¥{limit_amount}，{limit_weight} kg），不能接受，请提出异议或重新查询',
    en: 'More than can be posted (¥{limit_amount}, {limit_weight} kg); dispute it or ask again',
  },
  waybill_conflict: {
    status: 409,
    zh: '承运商为订单 {order_id} 返回两个运单号：{first} 和 {second}，请管理员选择其一',
    en: 'The carrier gave order {order_id} two waybills, {first} and {second}; an administrator must choose one',
  },
  waybill_left: {
    status: 409,
    zh: '订单 {order_id} 弃用的运单 {delivery_id} 未能在承运商处取消，请联系承运商。{text}',
    en: 'Order {order_id}: the waybill not chosen, {delivery_id}, is not cancelled at the carrier; contact the carrier. {text}',
  },
  carrier_account_down: {
    status: 503,
    zh: '商家账号“{name}”自 {time} 起多次调用失败，订单照常提交并等待，恢复后自动发送',
    en: 'Carrier account “{name}” has failed repeatedly since {time}; orders can still be placed and are sent automatically once it responds',
  },
  carrier_down: {
    status: 503,
    zh: '承运商自 {time} 起无响应，订单已排队，恢复后自动发送，不会重复下单',
    en: 'The carrier has not responded since {time}; the order is queued and sent automatically, once only',
  },
  bill_contradicted: {
    status: 422,
    zh: '认可账单后，承运商另报：重量 {actual_weight} kg，费用 ¥{post_amount}；价格和成本不变',
    en: 'After the bill was accepted the carrier reports {actual_weight} kg and ¥{post_amount}; price and cost stay as billed',
  },
  bill_contradicted_weight: {
    status: 422,
    zh: '认可账单后，承运商另报重量 {actual_weight} kg；价格和成本不变',
    en: 'After the bill was accepted the carrier reports {actual_weight} kg; price and cost stay as billed',
  },
  bill_contradicted_fee: {
    status: 422,
    zh: '认可账单后，承运商另报费用 ¥{post_amount}；价格和成本不变',
    en: 'After the bill was accepted the carrier reports ¥{post_amount}; price and cost stay as billed',
  },
  bill_contradicted_other: {
    status: 422,
    zh: '认可账单后，承运商另报体积或附加费；价格和成本不变',
    en: 'After the bill was accepted the carrier reports another volume or surcharge; price and cost stay as billed',
  },
  waybill_undecided: {
    status: 409,
    zh: '承运商返回了两个运单号，请管理员选择后再打印',
    en: 'The carrier gave two waybills; an administrator must choose one before printing',
  },
  waybill_not_open: {
    status: 409,
    zh: '该运单无待选择的运单号',
    en: 'This parcel has no waybill to choose',
  },
  waybill_not_claimed: {
    status: 422,
    zh: '请从承运商返回的运单号中选择：{waybills}',
    en: 'Choose one of the carrier’s waybills: {waybills}',
  },
  waybill_of_another: {
    status: 409,
    zh: '运单号 {delivery_id} 已属于其他订单，请联系承运商核对',
    en: 'Waybill {delivery_id} belongs to another order; check with the carrier',
  },
  outcome_not_open: {
    status: 409,
    zh: '该订单无待确认的下单结果，请刷新后查看',
    en: 'This order has no outcome to decide; reload to see it',
  },
  outcome_call_running: {
    status: 409,
    zh: '系统正在向承运商重发该订单，请几秒后再试',
    en: 'The order is being repeated at the carrier right now; try again in a few seconds',
  },
  outcome_account_paused: {
    status: 409,
    zh: '商家账号已暂停，无法向承运商核实，请先恢复账号',
    en: 'The carrier account is paused, so the carrier cannot be asked; resume it first',
  },
  outcome_no_answer: {
    status: 503,
    zh: '承运商未返回结果；订单和冻结金额不变，请稍后再试；满 24 小时后可凭承运商书面凭据确认',
    en: 'The carrier does not answer; order and held amount stay. Try again later; after 24 h its written confirmation counts',
  },
  outcome_waybill_named: {
    status: 409,
    zh: '曾有运单号 {delivery_id} 指向该订单，承运商未返回其结果，不能按未接单处理；请等待，或填写该号确认已接单',
    en: 'Waybill {delivery_id} was named for this order and the carrier does not answer about it; wait for the answer, or enter that number to confirm it',
  },
  outcome_written_early: {
    status: 409,
    zh: '订单首次发出满 {hours} 小时后，才能凭承运商书面凭据确认',
    en: 'A written confirmation counts from {hours} h after the order was first sent; wait until then',
  },
  order_ended_in_writing: {
    status: 409,
    zh: '{account} 凭承运商书面凭据（{reference}）确认未接订单 {order_id}，已解冻金额，请核对凭据',
    en: '{account} released order {order_id} on a written confirmation of the carrier ({reference}); check that confirmation',
  },
  order_stored_in_writing: {
    status: 409,
    zh: '{account} 凭承运商书面凭据（{reference}）确认订单 {order_id} 的运单号为 {delivery_id}，请核对凭据',
    en: '{account} settled order {order_id} as {delivery_id} on a written confirmation of the carrier ({reference}); check that confirmation',
  },
  outcome_is_stored: {
    status: 409,
    zh: '承运商已有订单 {order_id}，运单号 {delivery_id}，不能按未接单处理，请查看运单',
    en: 'The carrier has order {order_id} as {delivery_id}, so it is not released; see the parcel',
  },
  outcome_waybill_ours: {
    status: 409,
    zh: '承运商有该订单的运单 {delivery_id}，不能按未接单处理，请按此运单号确认',
    en: 'The carrier has waybill {delivery_id} of this order, so it is not released; decide that it is stored under it',
  },
  waybill_not_known: {
    status: 409,
    zh: '承运商没有运单 {delivery_id}：{text}，请核对运单号',
    en: 'The carrier does not know waybill {delivery_id}: {text}. Check the number',
  },
  waybill_of_other_order: {
    status: 409,
    zh: '承运商的运单 {delivery_id} 属于订单 {other_id}，不是 {order_id}，请核对运单号',
    en: 'At the carrier waybill {delivery_id} belongs to order {other_id}, not {order_id}. Check the number',
  },
  waybill_order_unnamed: {
    status: 409,
    zh: '承运商未返回运单 {delivery_id} 的订单号，请与承运商核对后勾选确认',
    en: 'The carrier names no order for waybill {delivery_id}; compare it with the carrier and confirm that you did',
  },
  waybill_on_its_way: {
    status: 409,
    zh: '包裹已按运单号 {delivery_id} {state}，只能保留该运单号',
    en: 'The parcel is in transit as {delivery_id}; only that waybill can be kept',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
