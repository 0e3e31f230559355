import { accountErrors } from './errors-accounts.ts';
import { keyErrors } from './errors-keys.ts';
import { moneyErrors } from './errors-money.ts';
import { carrierErrors } from './errors-carriers.ts';
import { statementErrors } from './errors-statements.ts';
import { importErrors } from './errors-imports.ts';
import { evidenceErrors } from './errors-evidence.ts';
import { labelErrors } from './errors-labels.ts';
import { handoverErrors } from './errors-handovers.ts';
import { reconciliationErrors } from './errors-reconciliation.ts';
import { backgroundErrors } from './errors-background.ts';
import { ceilingErrors } from './errors-ceilings.ts';
import { fillError } from './fill-error.ts';
import { divisionErrors } from './errors-divisions.ts';
import { discountErrors } from './errors-discounts.ts';
import { priceErrors } from './errors-prices.ts';
import { cargoSheetErrors } from './errors-cargo-sheets.ts';
import { priceSheetErrors } from './errors-price-sheets.ts';
import { searchErrors } from './errors-search.ts';
import { undoErrors } from './errors-undo.ts';
import { erasureErrors } from './errors-erasures.ts';
import type { Language } from './fill-error.ts';
import type { Params } from './envelope.ts';

interface ErrorEntry {
  status: number;
  zh: string;
  en: string;
}

/**
 * Every expected error: its code, HTTP status and text in both languages (requirements §8).
 * `{name}` is replaced by the parameter `name`, and `{count|line|lines}` by the count with the
 * right English form of the noun. A parameter whose name ends in `_amount` is fen and shown as
 * yuan; one ending in `_weight` is grams and shown as kg.
 */
export const errors = {
  // Errors about a request as a whole.
  bad_request: { status: 400, zh: '请求格式有误', en: 'The request is malformed' },
  invalid_input: {
    status: 422,
    zh: '有 {count} 处填写有误，请检查标出的字段',
    en: 'Fields to correct: {count}; see the marked ones',
  },
  not_found: { status: 404, zh: '记录不存在，或无权查看', en: 'Not found, or you may not view it' },
  forbidden: { status: 403, zh: '当前角色无权执行此操作', en: 'Your role may not do this' },
  version_conflict: {
    status: 409,
    zh: '记录已被他人修改，请核对后再保存',
    en: 'Someone else changed this record; compare before you save',
  },
  idempotency_key_required: {
    status: 400,
    zh: '缺少 Idempotency-Key 请求头',
    en: 'The Idempotency-Key header is missing',
  },
  idempotency_key_reused: {
    status: 422,
    zh: '同一个 Idempotency-Key 已用于另一项内容',
    en: 'This Idempotency-Key was used with other content',
  },
  idempotency_in_progress: {
    status: 409,
    zh: '同一请求正在处理，请稍后再试',
    en: 'The same request is being processed; try again shortly',
  },
  too_large: {
    status: 413,
    zh: '内容过大，请减少内容后重试',
    en: 'The content is too large; reduce it and try again',
  },
  too_many_requests: {
    status: 429,
    zh: '请求过于频繁，请 {seconds} 秒后再试',
    en: 'Too many requests; try again in {seconds} s',
  },
  too_many_streams: {
    status: 429,
    zh: '实时连接过多，最多 {limit} 个；页面会改为定时刷新',
    en: 'Too many live connections; at most {limit}. The page refreshes at intervals instead',
  },
  unavailable: {
    status: 503,
    zh: '服务暂时不可用，请稍后再试',
    en: 'The service is temporarily unavailable; try again',
  },
  overloaded: {
    status: 503,
    zh: '服务繁忙，请几秒后重试',
    en: 'The service is busy; try again in a few seconds',
  },
  internal: {
    status: 500,
    zh: '系统出错，请凭请求编号联系管理员',
    en: 'Internal error; contact an administrator with the request ID',
  },

  ...accountErrors,
  ...keyErrors,
  ...carrierErrors,
  ...statementErrors,
  ...moneyErrors,
  ...reconciliationErrors,
  ...backgroundErrors,
  ...ceilingErrors,
  ...discountErrors,
  ...searchErrors,
  ...importErrors,
  ...evidenceErrors,
  ...labelErrors,
  ...handoverErrors,
  ...divisionErrors,
  ...priceErrors,
  ...cargoSheetErrors,
  ...priceSheetErrors,
  ...undoErrors,
  ...erasureErrors,

  // Errors about carriers: why an order is not possible, and calls that got no answer.
  carrier_unsupported: {
    status: 422,
    zh: '暂不支持承运商 {provider}',
    en: 'Carrier {provider} is not supported yet',
  },
  carrier_phone: {
    status: 422,
    zh: '承运商仅接受 11 位手机号（可带分机）、带区号的固定电话或 400/800 号码',
    en: 'The carrier accepts an 11-digit mobile number (with extension), a landline with area code or a 400/800 number',
  },
  carrier_extension: {
    status: 422,
    zh: '姓名和地址均无法容纳分机号 {extension}，请缩短其一',
    en: 'Neither the name nor the address has room for extension {extension}; shorten one of them',
  },
  carrier_rare_characters: {
    status: 422,
    zh: '承运商不接受姓名中的生僻字、表情或特殊符号：{characters}，请用同音字或文字代替',
    en: 'The carrier does not accept rare characters, emoji or symbols in names: {characters}; write them another way',
  },
  carrier_forbidden_characters: {
    status: 422,
    zh: '承运商不接受以下字符：{characters}，请替换或删除',
    en: 'The carrier does not accept these characters: {characters}; replace or remove them',
  },
  carrier_too_long: {
    status: 422,
    zh: '承运商最多接受 {max} 字，现有 {count} 字',
    en: 'The carrier accepts at most {max|character|characters}; there are {count}',
  },
  carrier_over_weight: {
    status: 422,
    zh: '承运商最多接受 {limit_weight} kg',
    en: 'The carrier accepts at most {limit_weight} kg',
  },
  carrier_under_weight: {
    status: 422,
    zh: '承运商要求多件运单的总重量超过 {limit_weight} kg',
    en: 'The carrier takes several packages above {limit_weight} kg in all only',
  },
  carrier_over_insured: {
    status: 422,
    zh: '承运商最高保价 ¥{limit_amount}',
    en: 'The carrier insures at most ¥{limit_amount}',
  },
  carrier_goods_type: {
    status: 422,
    zh: '时效 {promise_id} 需要温层，物品类型 {goods_type} 无对应温层',
    en: 'Delivery time {promise_id} needs a temperature layer, and goods type {goods_type} has none',
  },
  carrier_cannot_modify: {
    status: 422,
    zh: '承运商下单后不能修改此项，请取消后重新下单',
    en: 'The carrier cannot change this after ordering; cancel and order again',
  },
  carrier_prefetch_count: {
    status: 422,
    zh: '一次最多预取 {max} 个运单号',
    en: 'No more than {max|waybill|waybills} at once',
  },
  carrier_url: {
    status: 422,
    zh: '承运商地址无效，须为 https 网址',
    en: 'The carrier address is invalid; it must be an https URL',
  },
  carrier_url_denied: {
    status: 422,
    zh: '不允许连接 {host}：内网地址或未加密的地址须列入 WAYSTATION_OUTBOUND_ALLOW',
    en: 'Connecting to {host} is not allowed: private or unencrypted addresses must be listed in WAYSTATION_OUTBOUND_ALLOW',
  },
  carrier_unreachable: {
    status: 502,
    zh: '无法连接承运商（{detail}）',
    en: 'The carrier cannot be reached ({detail})',
  },
  carrier_timeout: {
    status: 504,
    zh: '承运商 {seconds} 秒内无响应',
    en: 'The carrier did not respond within {seconds} s',
  },
  carrier_connection_lost: {
    status: 502,
    zh: '与承运商的连接中断（{detail}）',
    en: 'The connection to the carrier broke ({detail})',
  },
  carrier_http_status: {
    status: 502,
    zh: '承运商返回 HTTP {http_status}',
    en: 'The carrier responded with HTTP {http_status}',
  },
  carrier_unreadable: {
    status: 502,
    zh: '承运商的返回结果无法识别',
    en: 'The carrier’s response cannot be read',
  },
  carrier_answer_too_large: {
    status: 502,
    zh: '承运商的返回结果过大',
    en: 'The carrier’s response is too large',
  },
  carrier_contradicts: {
    status: 502,
    zh: '承运商返回失败，同时给出运单号，结果未知：{text}',
    en: 'The carrier’s response says failure and names a waybill, so the outcome is unknown: {text}',
  },
  carrier_system_error: {
    status: 502,
    zh: '承运商系统故障：{text}',
    en: 'The carrier’s system failed: {text}',
  },
  carrier_code_unknown: {
    status: 422,
    zh: '承运商返回未登记的状态码 {category} / {state}，运单状态未变',
    en: 'The carrier sent an unknown status code ({category} / {state}); the state of the parcel is unchanged',
  },
  carrier_push_unreadable: { status: 400, zh: '推送内容无法识别', en: 'The push cannot be read' },

  // Errors about money (docs/ledger.md).
  station_blocked: {
    status: 409,
    zh: '网点账目校验未通过，已暂停收付，请联系管理员',
    en: 'The ledger check of this station failed. Payments are suspended; contact an administrator',
  },
  ledger_stopped: {
    status: 409,
    zh: '总账不平，全部收付已暂停，请联系管理员',
    en: 'The ledger does not balance. All payments are suspended; contact an administrator',
  },
  parcel_not_charged: { status: 409, zh: '该运单尚未扣费', en: 'This parcel has not been charged' },
  parcel_reversed: {
    status: 409,
    zh: '该运单的扣费已冲正',
    en: 'The charges of this parcel are already reversed',
  },
  refund_too_large: {
    status: 422,
    zh: '退款不能超过该运单已扣的 ¥{left_amount}',
    en: 'A refund cannot exceed the ¥{left_amount} charged',
  },
  available_too_low: {
    status: 422,
    zh: '可用余额不足，还差 ¥{missing_amount}',
    en: 'Available balance short by ¥{missing_amount}',
  },
  not_reversible: {
    status: 422,
    zh: '仅运单扣费和充值可以冲正',
    en: 'Only parcel charges and top-ups can be reversed',
  },
  statement_not_pending: {
    status: 409,
    zh: '该申请已处理',
    en: 'This request is already processed',
  },
  second_person_required: {
    status: 403,
    zh: '须由另一人审批，不能处理自己的申请',
    en: 'A second person must approve; you cannot process your own request',
  },

  // Errors about the value of a field.
  required: { status: 422, zh: '必填', en: 'Required' },
  too_short: { status: 422, zh: '长度不足', en: 'Too short' },
  too_long: { status: 422, zh: '长度过长', en: 'Too long' },
  too_small: { status: 422, zh: '数值太小', en: 'Too small' },
  too_big: { status: 422, zh: '数值太大', en: 'Too large' },
  integer: { status: 422, zh: '请填整数', en: 'Enter a whole number' },
  invalid: { status: 422, zh: '格式不正确', en: 'Invalid format' },
  phone_invalid: {
    status: 422,
    zh: '电话格式不正确：请填 11 位手机号、带区号的固定电话或 400/800 号码，分机写作 -1234',
    en: 'Enter an 11-digit mobile number, a landline with area code or a 400/800 number; an extension as -1234',
  },
  province_code: { status: 422, zh: '不是省级行政区划代码', en: 'Not a province code' },
  area_code: { status: 422, zh: '不是省级或市级行政区划代码', en: 'Not a province or city code' },
  taken: { status: 422, zh: '已被占用，请换一个', en: 'Already in use; choose another' },
  not_ascending: {
    status: 422,
    zh: '须大于前一重量段',
    en: 'Must be more than the previous bracket',
  },
  step_not_dividing: {
    status: 422,
    zh: '续重单位须整除本重量段',
    en: 'The step must divide its bracket evenly',
  },

  // Errors when administrators change the network's basic data.
  last_cargo: {
    status: 422,
    zh: '这是该承运商最后一个可用的物品，不能停用',
    en: 'These are the last goods enabled with this carrier and cannot be disabled',
  },

  // Errors about lists: saved views, exports and bulk actions.
  view_share_forbidden: {
    status: 422,
    zh: '仅超级管理员和管理员可以共享视图',
    en: 'Only super admins and admins can share a view',
  },
  views_too_many: {
    status: 422,
    zh: '每个列表最多保存 {limit} 个视图',
    en: 'No list can have more than {limit|saved view|saved views}',
  },
  view_too_large: {
    status: 422,
    zh: '视图内容超过 {limit} KB',
    en: 'The view is larger than {limit} KB',
  },
  list_not_exportable: { status: 422, zh: '该列表不能导出', en: 'This list cannot be exported' },
  column_unknown: { status: 422, zh: '该列表无列 {column}', en: 'The list has no column {column}' },
  export_too_large: {
    status: 422,
    zh: '一次最多导出 {limit} 行，请缩小筛选范围',
    en: 'An export can have at most {limit|row|rows}; narrow the filters',
  },
  file_removed: {
    status: 404,
    zh: '文件已删除，请重新导出',
    en: 'The file has been removed; export again',
  },
  job_not_finished: {
    status: 409,
    zh: '任务正在进行，请稍后再试',
    en: 'The job is still running; try again later',
  },
  nothing_to_retry: { status: 422, zh: '无失败的行', en: 'No rows failed' },
  selection_changed: {
    status: 422,
    zh: '符合筛选的记录已由 {expected} 条变为 {found} 条，请核对后再执行',
    en: 'The filter matched {expected|row|rows} and now matches {found}; review before you continue',
  },
  selection_too_large: {
    status: 422,
    zh: '一次最多处理 {limit} 条，请缩小筛选范围',
    en: 'At most {limit|row|rows} at once; narrow the filters',
  },
  already_enabled: { status: 409, zh: '已启用，无需更改', en: 'Already enabled' },
  already_priced: {
    status: 409,
    zh: '方案和折扣已是如此，无需更改',
    en: 'Has this scheme and these discounts already',
  },
  already_disabled: { status: 409, zh: '已停用，无需更改', en: 'Already disabled' },
  selection_empty: { status: 422, zh: '无可处理的记录', en: 'No records to process' },

  // Errors about goods, delivery times, insurance, address books and freight schemes.
  contact_too_many: {
    status: 409,
    zh: '该网点的地址簿已满（最多 {limit} 条），请修改不再使用的一条',
    en: 'The address book of this station is full with {limit|contact|contacts}; change one that is no longer used',
  },
  cargo_banned: {
    status: 422,
    zh: '“{goods}”禁止寄递：{text}',
    en: '“{goods}” may not be shipped: {text}',
  },
  banned_reason_required: { status: 422, zh: '请填写禁寄原因', en: 'Enter a reason for the ban' },
  tier_plan_past: {
    status: 422,
    zh: '请选择明天或更晚的日期；立即更改请直接编辑档位',
    en: 'Choose tomorrow or a later day; edit a tier to change it now',
  },
  tier_plan_waits: {
    status: 409,
    zh: '已有待生效的档位，请先撤回',
    en: 'Planned tiers are already waiting; withdraw them first',
  },
  tier_plan_unchanged: {
    status: 422,
    zh: '与现有档位相同，请先修改',
    en: 'The tiers are the same as now; change them first',
  },
  tier_plan_over: {
    status: 409,
    zh: '计划已生效或已撤回，请刷新',
    en: 'The plan is in force or was withdrawn; refresh the page',
  },
  tier_cheaper_than_below: {
    status: 422,
    zh: '保价费不能低于较低一档（保价 ¥{neighbour_amount}，保价费 ¥{price_amount}）',
    en: 'The fee cannot be below that of the next lower tier (up to ¥{neighbour_amount} for ¥{price_amount})',
  },
  tier_dearer_than_above: {
    status: 422,
    zh: '保价费不能高于较高一档（保价 ¥{neighbour_amount}，保价费 ¥{price_amount}）',
    en: 'The fee cannot be above that of the next higher tier (up to ¥{neighbour_amount} for ¥{price_amount})',
  },
  voucher_not_usable: {
    status: 422,
    zh: '模板“{name}”已停用或尚未发布',
    en: 'Template “{name}” is disabled or has not been published',
  },
  promise_twice: {
    status: 422,
    zh: '时效 {promise_id} 重复出现',
    en: 'Delivery time {promise_id} appears twice',
  },
  project_in_use: {
    status: 422,
    zh: '还有 {count} 个网点使用，请先更换其方案',
    en: 'Stations still using it: {count}; assign them another scheme first',
  },
  disabled_by_office: {
    status: 403,
    zh: '“{name}”由管理员停用，只有管理员可以启用',
    en: '“{name}” was disabled by an administrator; only an administrator can enable it',
  },
  project_disabled: {
    status: 422,
    zh: '方案“{name}”已停用，不能分配',
    en: 'Scheme “{name}” is disabled and cannot be assigned',
  },

  successor_invalid: {
    status: 422,
    zh: '请选择另一个已启用的',
    en: 'Choose another one that is enabled',
  },
  default_simulated: {
    status: 422,
    zh: '模拟账号不能替换真实的默认账号',
    en: 'A simulated account cannot replace a real default account',
  },
  successor_simulated: {
    status: 422,
    zh: '模拟账号与真实账号不能相互替换',
    en: 'Simulated and real accounts cannot replace each other',
  },
  successor_too_many: {
    status: 422,
    zh: '需要更换 {count} 个网点，一次最多 {limit} 个',
    en: 'Stations to change: {count}, at most {limit} at once',
  },

  // Errors about carrier accounts and freight templates.
  carrier_field_required: {
    status: 422,
    zh: '{provider} 的账号必须填写',
    en: 'Required for accounts with {provider}',
  },
  merchant_is_default: {
    status: 422,
    zh: '这是默认商家账号，请先把另一个账号设为默认',
    en: 'This is the default carrier account; make another one the default first',
  },
  merchant_in_use: {
    status: 422,
    zh: '还有 {count} 个网点指定使用，请先更换其商家编码',
    en: 'Stations assigned to it: {count}; give them another customer code first',
  },
  merchant_not_enabled: {
    status: 422,
    zh: '已停用的账号不能设为默认',
    en: 'A disabled account cannot be the default',
  },
  customer_code_fixed: {
    status: 422,
    zh: '已有运单使用此商家编码，不能更改；请另建账号',
    en: 'Parcels have used this customer code, so it cannot change; create another account',
  },
  merchant_token_ends: {
    status: 422,
    zh: '商家账号“{name}”的访问令牌 {date} 到期，请更换',
    en: 'The access token of carrier account “{name}” expires on {date}; replace it',
  },
  merchant_secret_again: {
    status: 422,
    zh: '接口地址已更换主机，请重新填写密钥',
    en: 'The address has a new host: enter the secret again',
  },
  merchant_test_signature: {
    status: 422,
    zh: '签名未通过，请核对 AppKey 和 AppSecret（承运商：{text}）',
    en: 'The signature was not accepted; check AppKey and AppSecret (carrier: {text})',
  },
  merchant_test_token: {
    status: 422,
    zh: '应用或访问令牌无效，请核对 AppKey 和 AccessToken，或换新令牌（承运商：{text}）',
    en: 'The application or its access token is invalid; check AppKey and AccessToken, or replace the token (carrier: {text})',
  },
  merchant_test_throttled: {
    status: 422,
    zh: '承运商正在限流，请稍后再测（{text}）',
    en: 'The carrier is throttling calls; test again later ({text})',
  },
  merchant_test_gateway: {
    status: 422,
    zh: '承运商网关拒绝了调用（{code}：{text}）',
    en: 'Rejected by the carrier’s gateway ({code}: {text})',
  },
  merchant_test_refused: {
    status: 422,
    zh: '已连通，但承运商不接受：{text}（{code}），请核对商家编码',
    en: 'Connected, but refused by the carrier: {text} ({code}); check the customer code',
  },
  promise_unknown: {
    status: 422,
    zh: '该承运商没有产品代码为 {promise_id} 的时效',
    en: 'This carrier has no delivery time with product code {promise_id}',
  },
  voucher_promise_fixed: {
    status: 422,
    zh: '已发布或已用于运费方案的模板不能更换时效；请复制为新模板',
    en: 'The delivery time of a published or assigned template cannot change; copy it to a new template',
  },
  voucher_in_use: {
    status: 422,
    zh: '{count} 个运费方案正在使用，请先在方案中更换',
    en: 'Freight schemes using it: {count}; assign another template first',
  },
  voucher_not_ready: {
    status: 422,
    zh: '还有 {count} 处错误，改正后才能发布',
    en: 'Errors to correct before publishing: {count}',
  },
  voucher_empty: { status: 422, zh: '模板尚无价格', en: 'The template has no prices yet' },
  voucher_unchanged: {
    status: 422,
    zh: '草稿与最新版本（第 {no} 版）相同，无需发布',
    en: 'The draft is the same as version {no}; there is nothing to publish',
  },
  valid_from_past: {
    status: 422,
    zh: '生效日期不能早于今天',
    en: 'The effective date cannot be before today',
  },
  impact_running: {
    status: 409,
    zh: '上一次测算尚未完成',
    en: 'The last estimate is still running',
  },
  // Errors about stations.
  field_not_yours: { status: 422, zh: '当前角色无权修改此项', en: 'Your role may not change this' },
  parent_circular: {
    status: 422,
    zh: '上级不能是网点自身或其下级',
    en: 'A station cannot be placed below itself',
  },
  network_too_deep: {
    status: 422,
    zh: '网点最多 {levels} 级',
    en: 'Stations can be at most {levels|level|levels} deep',
  },
  merchant_unknown: {
    status: 422,
    zh: '没有商家编码为“{customer_code}”的可用商家账号',
    en: 'No enabled carrier account has the customer code “{customer_code}”',
  },

  // Errors about parcels.
  balance_too_low: {
    status: 422,
    zh: '余额不足，还差 ¥{missing_amount}。已暂挂，充值后自动下单。',
    en: 'Balance short by ¥{missing_amount}. Awaiting funds; ordered automatically after a top-up.',
  },
  balance_too_low_queue: {
    status: 422,
    zh: '余额不足，含之前的 {ahead} 单共差 ¥{missing_amount}。已暂挂，充值后按顺序自动下单。',
    en: 'Balance short by ¥{missing_amount}, with {ahead} {ahead|parcel|parcels} before it. Awaiting funds; ordered automatically, in turn, after a top-up.',
  },
  edit_pending: {
    status: 409,
    zh: '上一次修改正在等待承运商返回结果，请稍后再试',
    en: 'The last change is still awaiting the carrier; try again shortly',
  },
  edit_refused: {
    status: 422,
    zh: '承运商不接受此修改：{text}',
    en: 'The carrier refused this change: {text}',
  },
  edit_unclear: {
    status: 422,
    zh: '订单 {order_id} 的修改重发时被拒：{text}，冻结金额保留，请人工核对',
    en: 'A change of order {order_id} was refused when repeated: {text}; the held amount stays. Contact an administrator, who checks with the carrier',
  },
  edit_overtaken: {
    status: 422,
    zh: '订单 {order_id} 在修改结果确定前已到达，承运商可能已按修改执行，请向承运商核对',
    en: 'Order {order_id} arrived before the outcome of a change was known, and the carrier may have made it. Contact an administrator, who checks with the carrier',
  },
  cannot_cancel: {
    status: 422,
    zh: '“{state}”的运单不能取消',
    en: 'A parcel in state “{state}” cannot be cancelled',
  },
  already_intercepting: {
    status: 422,
    zh: '承运商正在拦截，请等待结果',
    en: 'The carrier is already intercepting it; wait for the result',
  },
  cancel_failed: { status: 422, zh: '承运商未能取消', en: 'The carrier could not cancel it' },
  intercept_failed: { status: 422, zh: '承运商未能拦截', en: 'The carrier could not intercept it' },
  intercept_unanswered: {
    status: 422,
    zh: '承运商 {days} 天内未返回拦截结果，请联系承运商',
    en: 'No interception result from the carrier within {days|day|days}; contact the carrier',
  },
  cannot_intercept: {
    status: 422,
    zh: '“{state}”的运单不能拦截',
    en: 'A parcel in state “{state}” cannot be intercepted',
  },
  no_exception: {
    status: 422,
    zh: '该运单没有待处理的异常',
    en: 'This parcel has no open exception',
  },
  carrier_refused: { status: 422, zh: '承运商拒绝：{text}', en: 'The carrier refused: {text}' },
  carrier_pending: {
    status: 422,
    zh: '已提交承运商，等待返回结果',
    en: 'Sent to the carrier, no response yet',
  },
  no_waybill_yet: {
    status: 422,
    zh: '尚无运单号，无法查询轨迹',
    en: 'There is no waybill yet, so it cannot be tracked',
  },
  state_forbids: {
    status: 422,
    zh: '“{state}”的运单不能执行此操作',
    en: 'This cannot be done to a parcel in state “{state}”',
  },
  price_changed: {
    status: 422,
    zh: '价格已由 ¥{expected_amount} 变为 ¥{post_amount}，请核对后再下单',
    en: 'The price changed from ¥{expected_amount} to ¥{post_amount}; review before you order',
  },
  no_scheme: {
    status: 422,
    zh: '该网点无可用的运费方案，请联系管理员',
    en: 'This station has no usable freight scheme; contact an administrator',
  },
  chosen_account_unavailable: {
    status: 422,
    zh: '所选的商家账号不可用，请联系管理员',
    en: 'The chosen carrier account is not available; contact an administrator',
  },
  no_merchant: {
    status: 422,
    zh: '无可用的商家账号（{provider}），请联系管理员',
    en: 'No carrier account is enabled ({provider}); contact an administrator',
  },
  goods_not_offered: {
    status: 422,
    zh: '没有名为“{goods}”的可用物品',
    en: 'No enabled goods are named “{goods}”',
  },
  reweigh_reason_required: {
    status: 422,
    zh: '由 {before_weight} kg 改为 {after_weight} kg，变化超过 30%，请填写原因',
    en: 'Changing {before_weight} kg to {after_weight} kg is more than 30%; enter a reason',
  },
  phone_masked: {
    status: 422,
    zh: '号码含有 *，请先查看完整号码',
    en: 'Number contains *; reveal it first',
  },
  not_printable: {
    status: 422,
    zh: '“{state}”的运单无可打印的面单',
    en: 'A parcel in state “{state}” has no label to print',
  },
  sorting_pending: {
    status: 422,
    zh: '承运商正在人工预分拣，完成后可打印面单',
    en: 'The carrier is pre-sorting this order manually; print the label afterwards',
  },
  print_cancelling: {
    status: 422,
    zh: '运单正在取消，未打印面单',
    en: 'The parcel is being cancelled; its label was not printed',
  },
  print_not_allowed: {
    status: 422,
    zh: '该网点未开通打印，请联系管理员',
    en: 'Printing is off for this station. Contact an administrator',
  },
  merchant_paused: {
    status: 422,
    zh: '商家账号已暂停：{text}',
    en: 'The carrier account is paused: {text}',
  },
  order_repeat_refused: {
    status: 422,
    zh: '订单 {order_id} 重发时被拒：{text}，冻结金额保留，请联系管理员向承运商核对',
    en: 'Order {order_id} was refused when repeated: {text}; the held amount stays. Contact an administrator, who checks with the carrier',
  },
  order_not_stored: {
    status: 422,
    zh: '承运商未接单（管理员已核实，冻结金额已退回）：{text}',
    en: 'The carrier has no such order (checked by an administrator, the held amount is released): {text}',
  },
  order_not_stored_in_writing: {
    status: 422,
    zh: '承运商未接单（管理员凭书面凭据确认，冻结金额已退回）：{text}',
    en: 'The carrier has no such order (by its written confirmation, the held amount is released): {text}',
  },
  product_differs: {
    status: 422,
    zh: '订单 {order_id}（{delivery_id}）按“{ordered}”计价，承运商确认“{confirmed}”，请修改、取消，或关闭告警保留原价',
    en: 'Order {order_id} ({delivery_id}) is priced as “{ordered}”, the carrier confirmed “{confirmed}”; edit it, cancel it, or close this to keep the price',
  },
  carrier_no_cancel: {
    status: 422,
    zh: '该承运商不支持取消',
    en: 'This carrier offers no cancellation',
  },
  carrier_no_intercept: {
    status: 422,
    zh: '该承运商揽收后不支持取消',
    en: 'This carrier offers no cancellation after pickup',
  },
  fee_version_differs: {
    status: 422,
    zh: '订单 {order_id}（{delivery_id}）第 {version} 版费用不一致，请向承运商核对',
    en: 'Order {order_id} ({delivery_id}) has two contents of fee version {version}; check with the carrier',
  },
  order_not_found: {
    status: 422,
    zh: '承运商查不到订单 {order_id}，冻结金额保留，请联系管理员向承运商核对',
    en: 'The carrier does not find order {order_id}; the held amount stays. Contact an administrator, who checks with the carrier',
  },
  order_not_asked: {
    status: 422,
    zh: '承运商未返回订单 {order_id} 的结果，冻结金额保留，请联系管理员向承运商核对',
    en: 'The carrier returned nothing for order {order_id}; the held amount stays. Contact an administrator, who checks with the carrier',
  },
  order_unanswered: {
    status: 422,
    zh: '订单 {order_id} 发出一天后仍无结果，冻结金额保留，请联系管理员向承运商核对。{text}',
    en: 'Order {order_id} has had no result for a day; the held amount stays. Contact an administrator, who checks with the carrier. {text}',
  },
  order_never_sent: {
    status: 422,
    zh: '订单未发送给承运商',
    en: 'The order was not sent to the carrier',
  },
  order_stored_without_number: {
    status: 422,
    zh: '承运商已有订单 {order_id} 但未返回运单号，冻结金额保留，请联系管理员向承运商核对',
    en: 'The carrier has order {order_id} but returned no waybill; the held amount stays. Contact an administrator, who checks with the carrier',
  },
  waybill_taken: {
    status: 422,
    zh: '承运商为订单 {order_id} 返回的运单号 {delivery_id} 已属于订单 {other_id}，请联系承运商',
    en: 'The carrier gave order {order_id} waybill {delivery_id}, which belongs to order {other_id}; contact the carrier',
  },
  carrier_knows_unordered: {
    status: 422,
    zh: '承运商推送了未下单成功的订单 {order_id}（{delivery_id}），请人工核对',
    en: 'The carrier reports order {order_id} ({delivery_id}), which was not placed; review it manually',
  },
  moved_after_cancel: {
    status: 422,
    zh: '运单 {delivery_id} 取消后又有轨迹：{state}，请人工核对',
    en: 'Parcel {delivery_id} moved after it was cancelled: {state}; review it manually',
  },
  cannot_price: {
    status: 422,
    zh: '订单 {order_id} 按新重量无法计价，请人工处理',
    en: 'Order {order_id} cannot be priced at its new weight; review it manually',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;
export type { Language };

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);

/** The text for an error code; an unknown code is returned unchanged. */
export const errorText = (code: string, params: Params | undefined, language: Language): string =>
  isErrorCode(code) ? fillError(errors[code][language], params, language) : code;
