import { accountErrors } from './errors-accounts.ts';
import { moneyErrors } from './errors-money.ts';
import { carrierErrors } from './errors-carriers.ts';
import { statementErrors } from './errors-statements.ts';
import { evidenceErrors } from './errors-evidence.ts';
import { reconciliationErrors } from './errors-reconciliation.ts';
import { backgroundErrors } from './errors-background.ts';
import { ceilingErrors } from './errors-ceilings.ts';
import { discountErrors } from './errors-discounts.ts';
import { searchErrors } from './errors-search.ts';
import type { Params } from './envelope.ts';
import { yuanText } from './money.ts';
import { kgText } from './weight.ts';

interface ErrorEntry {
  status: number;
  zh: string;
  en: string;
}

/**
 * Every expected error: code → HTTP status and the words in both languages (requirements §8).
 * `{name}` is filled from the parameters; a parameter ending in `_amount` is fen and shown as yuan, one ending in `_weight` is grams and shown as kg.
 */
export const errors = {
  // requests
  bad_request: { status: 400, zh: '请求格式有误', en: 'The request is malformed' },
  invalid_input: { status: 422, zh: '有 {count} 处填写有误，请检查标出的字段', en: '{count} fields need attention; see the marked ones' },
  not_found: { status: 404, zh: '没有找到，或不在您的范围内', en: 'Not found, or outside your scope' },
  forbidden: { status: 403, zh: '您的角色不能执行此操作', en: 'Your role may not do this' },
  version_conflict: { status: 409, zh: '这条记录已被他人修改，请核对后再保存', en: 'Someone else changed this record; compare before you save' },
  idempotency_key_required: { status: 400, zh: '缺少 Idempotency-Key 请求头', en: 'The Idempotency-Key header is missing' },
  idempotency_key_reused: { status: 422, zh: '同一个 Idempotency-Key 已用于另一项内容', en: 'This Idempotency-Key was used with other content' },
  idempotency_in_progress: { status: 409, zh: '同一请求正在处理，请稍后再试', en: 'The same request is being handled; try again shortly' },
  too_large: { status: 413, zh: '内容过大', en: 'The content is too large' },
  too_many_requests: { status: 429, zh: '请求过于频繁，请 {seconds} 秒后再试', en: 'Too many requests; try again in {seconds} s' },
  unavailable: { status: 503, zh: '服务暂时不可用，请稍后再试', en: 'The service is unavailable for a moment; try again' },
  internal: { status: 500, zh: '系统出错，请凭请求编号联系管理员', en: 'Something failed on our side; quote the request id to an administrator' },

  ...accountErrors,
  ...carrierErrors,
  ...statementErrors,
  ...moneyErrors,
  ...reconciliationErrors,
  ...backgroundErrors,
  ...ceilingErrors,
  ...discountErrors,
  ...searchErrors,
  ...evidenceErrors,

  // prices (docs/pricing.md §7–§9)
  no_origin: { status: 422, zh: '该运费模板不从{province}发货', en: 'This freight template does not ship from {province}' },
  not_served: { status: 422, zh: '该运费模板不送达{province}（{receive_code}）', en: 'This freight template does not serve {province} ({receive_code})' },
  over_weight: { status: 422, zh: '计费重量 {actual_weight} kg 超过上限 {limit_weight} kg', en: '{actual_weight} kg is above the limit of {limit_weight} kg' },
  above_top_tier: {
    status: 422,
    zh: '保价金额 {value_amount} 元超过最高档 {top_amount} 元',
    en: 'An insured value of ¥{value_amount} is above the top tier of ¥{top_amount}',
  },
  no_tiers: { status: 422, zh: '没有启用的保价档位，无法保价 {value_amount} 元', en: 'No insurance tier is enabled, so ¥{value_amount} cannot be insured' },
  cheapest_only: {
    status: 422,
    zh: '本网点固定使用最低价时效（{promise_id}，{post_amount} 元）',
    en: 'This station always uses the cheapest delivery time ({promise_id}, ¥{post_amount})',
  },
  promise_not_offered: { status: 422, zh: '运费方案不含时效 {promise_id}', en: 'The freight scheme does not offer delivery time {promise_id}' },
  share_rates_too_high: {
    status: 422,
    zh: '上级链的分润比例合计 {percent}%，超过 100%',
    en: 'The profit rates along the chain add up to {percent}%, more than 100%',
  },

  // carriers: what keeps a parcel from being handed over, and calls that gave no answer
  carrier_unsupported: { status: 422, zh: '暂不支持承运商 {provider}', en: 'Carrier {provider} is not supported yet' },
  carrier_phone: {
    status: 422,
    zh: '承运商只接受 11 位手机号（可带分机）、带区号的固定电话或 400/800 号码',
    en: 'The carrier takes an 11-digit mobile number (an extension may follow), a landline with area code or a 400/800 number',
  },
  carrier_extension: {
    status: 422,
    zh: '姓名和地址都放不下分机号 {extension}，请缩短其一',
    en: 'Neither the name nor the address has room for extension {extension}; shorten one of them',
  },
  carrier_rare_characters: {
    status: 422,
    zh: '承运商不接受姓名中的生僻字、表情或特殊符号：{characters}，请用同音字或文字代替',
    en: 'The carrier does not take rare characters, emoji or symbols in names: {characters}; write them another way',
  },
  carrier_forbidden_characters: { status: 422, zh: '承运商不接受这些字符：{characters}', en: 'The carrier does not take these characters: {characters}' },
  carrier_too_long: { status: 422, zh: '承运商最多接受 {max} 个字，现有 {count} 个', en: 'The carrier takes at most {max} characters; there are {count}' },
  carrier_over_weight: { status: 422, zh: '承运商最多接受 {limit_weight} kg', en: 'The carrier takes at most {limit_weight} kg' },
  carrier_over_insured: { status: 422, zh: '承运商最高保价 {limit_amount} 元', en: 'The carrier insures at most ¥{limit_amount}' },
  carrier_goods_type: {
    status: 422,
    zh: '时效 {promise_id} 需要温层，物品类型 {goods_type} 没有对应的温层',
    en: 'Delivery time {promise_id} needs a temperature layer, and goods type {goods_type} has none',
  },
  carrier_cannot_modify: {
    status: 422,
    zh: '承运商下单后不能修改此项，请取消后重新下单',
    en: 'The carrier cannot change this after ordering; cancel and order again',
  },
  carrier_prefetch_count: { status: 422, zh: '一次最多预取 {max} 个运单号', en: 'At most {max} waybill numbers can be fetched at once' },
  carrier_url: { status: 422, zh: '承运商地址无效，须为 https 网址', en: 'The address of the carrier is not valid; it must be an https URL' },
  carrier_url_denied: {
    status: 422,
    zh: '不允许连接 {host}：内网地址或未加密的地址须列入 WAYSTATION_OUTBOUND_ALLOW',
    en: 'Connecting to {host} is not allowed: a private or unencrypted address must be named in WAYSTATION_OUTBOUND_ALLOW',
  },
  carrier_unreachable: { status: 502, zh: '连不上承运商（{detail}）', en: 'The carrier cannot be reached ({detail})' },
  carrier_timeout: { status: 504, zh: '承运商 {seconds} 秒内没有答复', en: 'The carrier did not answer within {seconds} s' },
  carrier_connection_lost: { status: 502, zh: '与承运商的连接中断（{detail}）', en: 'The connection to the carrier broke ({detail})' },
  carrier_http_status: { status: 502, zh: '承运商答复 HTTP {http_status}', en: 'The carrier answered HTTP {http_status}' },
  carrier_unreadable: { status: 502, zh: '承运商的答复无法识别', en: 'The answer of the carrier cannot be read' },
  carrier_answer_too_large: { status: 502, zh: '承运商的答复过大', en: 'The answer of the carrier is too large' },
  carrier_system_error: { status: 502, zh: '承运商系统故障：{text}', en: 'The system of the carrier failed: {text}' },
  carrier_code_unknown: {
    status: 422,
    zh: '承运商发来未登记的状态码 {category} / {state}，运单状态未变',
    en: 'The carrier sent a status code that is not listed ({category} / {state}); the state of the parcel is unchanged',
  },
  carrier_push_unreadable: { status: 400, zh: '推送内容无法识别', en: 'The push cannot be read' },

  // money (docs/ledger.md)
  station_blocked: {
    status: 409,
    zh: '网点账目核对未通过，暂停收付，请联系管理员',
    en: 'The books of this station do not prove; it takes no money until an administrator has looked',
  },
  ledger_stopped: {
    status: 409,
    zh: '总账不平，全部收付已暂停，请联系管理员',
    en: 'The ledger does not balance; all money is stopped until an administrator has looked',
  },
  parcel_not_charged: { status: 409, zh: '该运单尚未扣费', en: 'This parcel has not been charged' },
  parcel_reversed: { status: 409, zh: '该运单的扣费已冲正', en: 'The charges of this parcel have been reversed' },
  refund_too_large: {
    status: 422,
    zh: '退款不能超过该运单已扣的 ¥{left_amount}',
    en: 'A refund cannot be more than the ¥{left_amount} left of what was charged',
  },
  available_too_low: { status: 422, zh: '可用余额不足，还差 ¥{missing_amount}', en: 'What is available falls short by ¥{missing_amount}' },
  not_reversible: { status: 422, zh: '只有运单的扣费和充值可以冲正', en: 'Only the charges of a parcel and top-ups can be reversed' },
  statement_not_pending: { status: 409, zh: '该申请已处理', en: 'This request has been decided already' },
  second_person_required: { status: 403, zh: '须由另一人审批，不能处理自己的申请', en: 'A second person must decide; nobody decides their own request' },

  // labels: what keeps one off the paper, and what is worth knowing of one that is on it
  label_waybill_missing: { status: 422, zh: '还没有运单号，不能打印', en: 'There is no waybill number yet, so nothing to print' },
  label_waybill_invalid: { status: 422, zh: '运单号 {delivery_id} 无法印成条码', en: 'Waybill number {delivery_id} cannot be printed as a barcode' },
  label_pieces_invalid: { status: 422, zh: '件数须为 1–{max}', en: 'The number of pieces must be 1 to {max}' },
  label_not_sorted: { status: 422, zh: '承运商尚未给出分拣信息，请稍后再打印', en: 'The carrier has not given the sorting data yet; print later' },
  label_failed: { status: 422, zh: '面单无法生成，请联系管理员', en: 'This label cannot be made; ask an administrator' },
  labels_too_many: { status: 413, zh: '一次最多打印 {max} 张，现有 {pages} 张', en: 'At most {max} labels can be printed at once; these are {pages}' },
  labels_interrupted: { status: 503, zh: '面单生成中断，请重试', en: 'Making the labels was interrupted; try again' },
  label_characters_missing: {
    status: 422,
    zh: '这些字符没有字形，已印成方框：{characters}',
    en: 'There is no glyph for {characters}; a box is printed instead',
  },
  label_text_shortened: { status: 422, zh: '“{text}”太长，面单上没有印全', en: '“{text}” is too long to be printed whole' },
  label_qr_left_out: { status: 422, zh: '承运商给的二维码内容无法印出，已略去', en: 'The QR content given by the carrier cannot be printed and was left out' },

  // fields
  required: { status: 422, zh: '必填', en: 'Required' },
  too_short: { status: 422, zh: '太短', en: 'Too short' },
  too_long: { status: 422, zh: '太长', en: 'Too long' },
  too_small: { status: 422, zh: '数值太小', en: 'Too small' },
  too_big: { status: 422, zh: '数值太大', en: 'Too large' },
  integer: { status: 422, zh: '须为整数', en: 'Must be a whole number' },
  invalid: { status: 422, zh: '格式不正确', en: 'Not valid' },
  phone_invalid: {
    status: 422,
    zh: '不是有效的电话：请填 11 位手机号、带区号的固定电话或 400/800 号码，分机写作 -1234',
    en: 'Not a phone: an 11-digit mobile number, a landline with area code or a 400/800 number; an extension as -1234',
  },
  province_code: { status: 422, zh: '不是省级行政区划代码', en: 'Not the division code of a province' },
  area_code: { status: 422, zh: '不是省级或市级行政区划代码', en: 'Not the division code of a province or city' },
  taken: { status: 422, zh: '已被占用，请换一个', en: 'Taken already; choose another' },
  not_ascending: { status: 422, zh: '须大于前一档', en: 'Must be more than the one before' },
  step_not_dividing: { status: 422, zh: '续重单位须整除本档区间', en: 'The step must divide its bracket evenly' },

  // divisions: a province, city or county that does not fit
  division_province_required: { status: 422, zh: '请填写省、市、区县', en: 'Province, city and county are missing' },
  division_province_unknown: { status: 422, zh: '没有名为“{name}”的省份', en: 'There is no province “{name}”' },
  division_city_required: { status: 422, zh: '请填写{place}的城市', en: 'The city in {place} is missing' },
  division_city_unknown: { status: 422, zh: '没有名为“{name}”的城市', en: 'There is no city “{name}”' },
  division_city_elsewhere: { status: 422, zh: '“{name}”不在{place}，而在 {candidates}', en: '“{name}” is not in {place} but in {candidates}' },
  division_city_ambiguous: { status: 422, zh: '“{name}”可能在 {candidates}，请选择', en: '“{name}” may be in {candidates}; choose one' },
  division_county_required: { status: 422, zh: '请填写{place}的区县', en: 'The county in {place} is missing' },
  division_county_unknown: { status: 422, zh: '没有名为“{name}”的区县', en: 'There is no county “{name}”' },
  division_county_elsewhere: { status: 422, zh: '“{name}”不在{place}，而在 {candidates}', en: '“{name}” is not in {place} but in {candidates}' },
  division_county_ambiguous: { status: 422, zh: '“{name}”可能在 {candidates}，请选择', en: '“{name}” may be in {candidates}; choose one' },

  // what the office sets up
  last_cargo: { status: 422, zh: '这是该承运商最后一个可用的物品，不能停用', en: 'These are the last goods enabled with this carrier and cannot be disabled' },

  // lists: views, exports, many rows at once
  view_share_forbidden: { status: 422, zh: '只有超级管理员和管理员可以共享视图', en: 'Only super and admin may share a view' },
  views_too_many: { status: 422, zh: '每个列表最多保存 {limit} 个视图', en: 'At most {limit} views of one list can be saved' },
  view_too_large: { status: 422, zh: '视图内容过大', en: 'The view is too large' },
  list_not_exportable: { status: 422, zh: '该列表不能导出', en: 'This list cannot be exported' },
  column_unknown: { status: 422, zh: '该列表没有列 {column}', en: 'The list has no column {column}' },
  export_too_large: {
    status: 422,
    zh: '一次最多导出 {limit} 行，现有 {count} 行，请缩小筛选范围',
    en: 'At most {limit} rows can be exported at once and these are {count}; narrow the filters',
  },
  file_removed: { status: 404, zh: '文件已删除，请重新导出', en: 'The file has been removed; export again' },
  job_not_finished: { status: 409, zh: '任务还在进行，请稍后再试', en: 'The job is still running; try again when it has ended' },
  nothing_to_retry: { status: 422, zh: '没有失败的行', en: 'No row has failed' },
  selection_changed: {
    status: 422,
    zh: '符合筛选的记录已由 {expected} 条变为 {found} 条，请核对后再执行',
    en: 'The filter matched {expected} rows and now matches {found}; look again before you go on',
  },
  selection_too_large: { status: 422, zh: '一次最多处理 {limit} 条，现有 {count} 条', en: 'At most {limit} rows at once; these are {count}' },
  selection_empty: { status: 422, zh: '没有可处理的记录', en: 'There is nothing to act on' },

  // goods, delivery times, insurance, address books and freight schemes
  cargo_banned: { status: 422, zh: '“{goods}”禁止寄递：{text}', en: '“{goods}” may not be shipped: {text}' },
  banned_reason_required: { status: 422, zh: '请说明禁寄原因', en: 'Say why it may not be shipped' },
  tier_cheaper_than_below: {
    status: 422,
    zh: '保费不能低于较低一档（保价 ¥{neighbour_amount}，保费 ¥{price_amount}）',
    en: 'The fee may not be below that of the tier beneath (up to ¥{neighbour_amount} for ¥{price_amount})',
  },
  tier_dearer_than_above: {
    status: 422,
    zh: '保费不能高于较高一档（保价 ¥{neighbour_amount}，保费 ¥{price_amount}）',
    en: 'The fee may not be above that of the next tier (up to ¥{neighbour_amount} for ¥{price_amount})',
  },
  voucher_not_usable: { status: 422, zh: '模板“{name}”已停用或尚未发布', en: 'Template “{name}” is disabled or has not been published' },
  promise_twice: { status: 422, zh: '时效 {promise_id} 出现了两次', en: 'Delivery time {promise_id} stands there twice' },
  project_in_use: { status: 422, zh: '还有 {count} 个网点在用，请先为它们换方案', en: '{count} stations still use it; give them another scheme first' },
  project_disabled: { status: 422, zh: '方案“{name}”已停用，不能分配', en: 'Scheme “{name}” is disabled and cannot be assigned' },

  // carrier accounts and freight templates
  carrier_field_required: { status: 422, zh: '{provider} 的账号必须填写', en: 'An account with {provider} needs this' },
  merchant_is_default: {
    status: 422,
    zh: '这是默认商家账号，请先把另一个账号设为默认',
    en: 'This is the default carrier account; make another one the default first',
  },
  merchant_in_use: {
    status: 422,
    zh: '还有 {count} 个网点指定使用它，请先为它们换商家编码',
    en: '{count} stations name it; give them another customer code first',
  },
  merchant_not_enabled: { status: 422, zh: '已停用的账号不能设为默认', en: 'A disabled account cannot be the default' },
  customer_code_fixed: {
    status: 422,
    zh: '已有运单使用这个商家编码，不能再改；请另建账号',
    en: 'Parcels have used this customer code, so it stays; create another account instead',
  },
  merchant_token_ends: {
    status: 422,
    zh: '商家账号“{name}”的访问令牌 {date} 到期，请换新',
    en: 'The access token of carrier account “{name}” ends on {date}; replace it',
  },
  merchant_secret_again: {
    status: 422,
    zh: '接口地址换了主机，请重新填写密钥',
    en: 'The address is another host: enter the secret again',
  },
  merchant_test_signature: {
    status: 422,
    zh: '签名不被接受，请核对 AppKey 和 AppSecret（承运商：{text}）',
    en: 'The signature was not accepted; check AppKey and AppSecret (the carrier: {text})',
  },
  merchant_test_token: {
    status: 422,
    zh: '应用或访问令牌无效，请核对 AppKey 和 AccessToken，或换新令牌（承运商：{text}）',
    en: 'The application or its access token is not valid; check AppKey and AccessToken, or replace the token (the carrier: {text})',
  },
  merchant_test_throttled: { status: 422, zh: '承运商正在限流，请稍后再测（{text}）', en: 'The carrier is throttling; test again later ({text})' },
  merchant_test_gateway: { status: 422, zh: '承运商网关拒绝了调用（{code}：{text}）', en: 'The gateway of the carrier turned the call away ({code}: {text})' },
  merchant_test_refused: {
    status: 422,
    zh: '已连通，但承运商不接受：{text}（{code}），请核对商家编码',
    en: 'Connected, but the carrier says no: {text} ({code}); check the customer code',
  },
  promise_unknown: { status: 422, zh: '该承运商没有编号为 {promise_id} 的时效', en: 'This carrier has no delivery time {promise_id}' },
  voucher_promise_fixed: {
    status: 422,
    zh: '已发布或已用于运费方案的模板不能换时效；请复制为新模板',
    en: 'A template that was published or stands in a scheme keeps its delivery time; copy it instead',
  },
  voucher_in_use: {
    status: 422,
    zh: '{count} 个运费方案正在使用它，请先在方案中更换',
    en: '{count} freight schemes offer it; put another template into them first',
  },
  voucher_not_ready: { status: 422, zh: '还有 {count} 处错误，改正后才能发布', en: '{count} errors keep it from being published' },
  voucher_empty: { status: 422, zh: '模板还没有价格', en: 'The template has no prices yet' },
  voucher_unchanged: {
    status: 422,
    zh: '草稿与最新版本（第 {no} 版）相同，无需发布',
    en: 'The draft is the same as version {no}; there is nothing to publish',
  },
  valid_from_past: { status: 422, zh: '生效日期不能早于今天', en: 'It cannot be in force before today' },
  impact_running: { status: 409, zh: '上一次测算还没有完成', en: 'The last reckoning is not finished yet' },
  // stations
  field_not_yours: { status: 422, zh: '您的角色不能修改此项', en: 'Your role may not change this' },
  parent_circular: { status: 422, zh: '上级不能是网点自己或它的下级', en: 'A station cannot be below itself' },
  network_too_deep: { status: 422, zh: '网点最多 {levels} 级', en: 'Stations can be at most {levels} levels deep' },
  merchant_unknown: {
    status: 422,
    zh: '没有客户编码为“{customer_code}”的可用商家账号',
    en: 'No enabled carrier account has the customer code “{customer_code}”',
  },

  // parcels
  balance_too_low: {
    status: 422,
    zh: '余额不足，还差 ¥{missing_amount}。充值后自动下单',
    en: 'The balance is too low by ¥{missing_amount}. It is ordered by itself after a top-up',
  },
  edit_pending: { status: 409, zh: '上一次修改还在等承运商答复，请稍后再试', en: 'The last change still waits for the carrier; try again shortly' },
  edit_refused: { status: 422, zh: '承运商不接受此修改：{text}', en: 'The carrier does not take this change: {text}' },
  edit_unclear: {
    status: 422,
    zh: '订单 {order_id} 的修改重发时被拒：{text}，冻结金额保留，请人工核对',
    en: 'A change of order {order_id} was refused when repeated: {text}; its hold stays until someone has looked',
  },
  cannot_cancel: { status: 422, zh: '“{state}”的运单不能取消', en: 'A parcel in state “{state}” cannot be cancelled' },
  already_intercepting: { status: 422, zh: '承运商正在拦截，请等待结果', en: 'The carrier is already intercepting it; wait for the result' },
  cancel_failed: { status: 422, zh: '承运商未能取消', en: 'The carrier could not cancel it' },
  intercept_failed: { status: 422, zh: '承运商未能拦截', en: 'The carrier could not intercept it' },
  state_forbids: { status: 422, zh: '“{state}”的运单不能执行此操作', en: 'This cannot be done to a parcel in state “{state}”' },
  price_changed: {
    status: 422,
    zh: '价格已由 ¥{expected_amount} 变为 ¥{post_amount}，请核对后再下单',
    en: 'The price changed from ¥{expected_amount} to ¥{post_amount}; look again before you order',
  },
  no_scheme: { status: 422, zh: '该网点没有可用的运费方案，请联系管理员', en: 'This station has no freight scheme to order with; ask an administrator' },
  no_merchant: { status: 422, zh: '没有可用的商家账号（{provider}），请联系管理员', en: 'No carrier account is enabled ({provider}); ask an administrator' },
  goods_not_offered: { status: 422, zh: '没有名为“{goods}”的可用物品', en: 'There are no goods named “{goods}” to choose' },
  reweigh_reason_required: {
    status: 422,
    zh: '由 {before_weight} kg 改为 {after_weight} kg，变化超过 30%，请填写原因',
    en: 'From {before_weight} kg to {after_weight} kg is more than 30%; say why',
  },
  phone_masked: { status: 422, zh: '号码含有 *，请先查看完整号码', en: 'The number holds *; reveal it first' },
  not_printable: { status: 422, zh: '“{state}”的运单没有可打印的面单', en: 'A parcel in state “{state}” has no label to print' },
  sorting_pending: { status: 422, zh: '承运商正在人工分拣，稍后可打印', en: 'The carrier is sorting it by hand; print it a little later' },
  print_not_allowed: { status: 422, zh: '该网点未开通打印，请联系管理员', en: 'Printing is off for this station. Contact an administrator' },
  merchant_paused: { status: 422, zh: '商家账号已暂停：{text}', en: 'The carrier account is paused: {text}' },
  order_repeat_refused: {
    status: 422,
    zh: '订单 {order_id} 重发时被拒：{text}，冻结金额保留，请人工核对',
    en: 'Order {order_id} was refused when repeated: {text}; its hold stays until someone has looked',
  },
  order_stored_without_number: { status: 422, zh: '承运商已有订单 {order_id} 但未给出运单号', en: 'The carrier has order {order_id} but named no waybill' },
  waybill_taken: {
    status: 422,
    zh: '承运商给订单 {order_id} 的运单号 {delivery_id} 已属于订单 {other_id}，请联系承运商',
    en: 'The carrier gave order {order_id} waybill {delivery_id}, which order {other_id} has already; talk to the carrier',
  },
  carrier_knows_unordered: {
    status: 422,
    zh: '承运商推送了未下单成功的订单 {order_id}（{delivery_id}），请人工核对',
    en: 'The carrier reports order {order_id} ({delivery_id}), which was not placed; someone must look',
  },
  moved_after_cancel: { status: 422, zh: '运单 {delivery_id} 取消后又被承运：{state}', en: 'Parcel {delivery_id} moved after it was cancelled: {state}' },
  cannot_price: {
    status: 422,
    zh: '订单 {order_id} 按新重量无法计价，请人工处理',
    en: 'Order {order_id} cannot be priced at its new weight; someone must decide',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;
export type Language = 'zh' | 'en';

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);

const shown = (name: string, value: string | number): string => {
  if (typeof value !== 'number') return value;
  if (name.endsWith('_amount')) return yuanText(value);
  if (name.endsWith('_weight')) return kgText(value);
  return String(value);
};

/** `template` with its `{name}` filled; an unknown name stays as written, so that a missing parameter is seen. */
export const fill = (template: string, params: Params = {}): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? shown(name, params[name]!) : whole));

/** The words for an error code; an unknown code is shown as itself. */
export const errorText = (code: string, params: Params | undefined, language: Language): string =>
  isErrorCode(code) ? fill(errors[code][language], params) : code;
