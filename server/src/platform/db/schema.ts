// Generated from the migrated database by `npm run generate`; never edited. json-columns.ts has the types of jsonb columns.
import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { JsonColumns } from './json-columns.ts';

/** Read as `T`, written as text (`jsonText`). */
type Json<T> = ColumnType<T, string, string>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** The table has a default for it. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>;

export interface Schema {
  account_invitations: {
    account_id: number;
    token_hash: Buffer;
    made_by: number;
    role: string;
    station_id: number | null;
    issued_at: Timestamp;
    expires_at: Timestamp;
    mailed_from: Timestamp | null;
    mailed: Generated<number>;
  };
  account_key_calls: {
    account_id: number;
    minute: Timestamp;
    calls: number;
  };
  account_setups: {
    id: GeneratedAlways<number>;
    account_id: number;
    by_account_id: number;
    what: 'password' | 'two_factor' | 'role' | 'station' | 'status' | 'key';
    at: Timestamp;
  };
  accounts: {
    id: GeneratedAlways<number>;
    username: string;
    nickname: Generated<string>;
    phone: Generated<string>;
    identity: Generated<string>;
    program_id: number | null;
    station_id: number | null;
    registered_at: Generated<Timestamp>;
    avatar: Generated<string>;
    location: Generated<string>;
    role: 'super' | 'admin' | 'partner' | 'station' | 'user';
    status: Generated<0 | 1>;
    password_hash: string;
    password_changed_at: Generated<Timestamp>;
    must_change: Generated<0 | 1>;
    last_seen_at: Timestamp | null;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    may_export: Generated<0 | 1>;
    made_under: number | null;
    disabled_by_office: Generated<0 | 1>;
    pinyin: string | null;
  };
  alerts: {
    id: GeneratedAlways<number>;
    code: string;
    params: Generated<Json<JsonColumns['alerts.params']>>;
    express_id: number | null;
    station_id: number | null;
    merchant_id: number | null;
    at: Generated<Timestamp>;
    key: string;
    closed_at: Timestamp | null;
    account_id: number | null;
  };
  api_key_calls: {
    key_id: number;
    minute: Timestamp;
    calls: number;
  };
  api_key_orders: {
    key_id: number;
    day: string;
    amount: number;
  };
  api_keys: {
    id: GeneratedAlways<number>;
    account_id: number;
    made_by: number;
    made_under: number;
    name: string;
    token_hash: Buffer;
    hint: string;
    scopes: string[];
    addresses: Generated<string[]>;
    created_at: Timestamp;
    expires_at: Timestamp | null;
    last_used_at: Timestamp | null;
    revoked_at: Timestamp | null;
    revoked_by: number | null;
    role: string;
    station_id: number | null;
    daily_limit: number | null;
  };
  audit_log: {
    id: GeneratedAlways<number>;
    at: Generated<Timestamp>;
    account_id: number | null;
    account_name: string;
    role: string;
    address: Generated<string>;
    request_id: Generated<string>;
    action: string;
    subject: string;
    subject_id: number | null;
    station_id: number | null;
    changes: Generated<Json<JsonColumns['audit_log.changes']>>;
    reason: Generated<string>;
    key_name: Generated<string>;
    key_id: number | null;
  };
  backup_schedule: {
    id: number;
    seen_at: Timestamp;
  };
  backups: {
    id: GeneratedAlways<number>;
    begun_at: Timestamp;
    stored_as: string;
    finished_at: Timestamp | null;
    bytes: number | null;
    rows: number | null;
    verified_at: Timestamp | null;
    problem: string | null;
  };
  bill_mappings: {
    provider: string;
    fingerprint: string;
    mapping: Json<JsonColumns['bill_mappings.mapping']>;
    weight_unit: 'kg' | 'g';
    updated_by: number | null;
    updated_at: Generated<Timestamp>;
  };
  cargos: {
    id: GeneratedAlways<number>;
    name: string;
    type: number;
    provider: Provider;
    priority: Generated<number>;
    status: Generated<0 | 1>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    banned: Generated<0 | 1>;
    banned_reason: Generated<string>;
  };
  carrier_calls: {
    id: GeneratedAlways<number>;
    merchant_id: number;
    express_id: number | null;
    operation: string;
    outcome: string;
    code: Generated<string>;
    trace_id: Generated<string>;
    ms: number;
    request: Json<JsonColumns['carrier_calls.request']> | null;
    answer: Json<JsonColumns['carrier_calls.answer']> | null;
    at: Generated<Timestamp>;
    sent: number | null;
    called_by: Generated<string>;
  };
  carrier_hints: {
    express_id: number;
    effect: string;
    our_state: number;
    hash: Buffer;
    operation_time: Timestamp;
    received_at: Timestamp;
  };
  carrier_numbers: {
    merchant_id: number;
    number: string;
    fetched_at: Timestamp;
  };
  carrier_pace: {
    merchant_id: number;
    next_at: Timestamp;
  };
  carrier_pushes: {
    id: GeneratedAlways<number>;
    merchant_id: number;
    received_at: Generated<Timestamp>;
    body: string;
    hash: Buffer;
    outcome: Generated<string>;
  };
  carrier_slots: {
    merchant_id: number;
    until: Timestamp;
  };
  contact_keys: {
    station_id: number;
    kind: number;
    key: string;
    contact_id: number;
  };
  contacts: {
    id: GeneratedAlways<number>;
    station_id: number;
    kind: 'sender' | 'receive';
    name: string;
    phone: string;
    province: string;
    city: string;
    county: string;
    address: string;
    status: Generated<0 | 1>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    pinyin: string | null;
  };
  erasures: {
    id: GeneratedAlways<number>;
    status: Generated<'waiting' | 'running' | 'done' | 'cancelled'>;
    account_id: number;
    at: Timestamp;
    reason: string;
    phone: string | null;
    names: Generated<string[]>;
    senders: Generated<number[]>;
    receivers: Generated<number[]>;
    contacts: Generated<number[]>;
    salt: string;
    fingerprints: string[];
    counts: Generated<Json<JsonColumns['erasures.counts']>>;
    decided_by: number | null;
    decided_at: Timestamp | null;
    done_at: Timestamp | null;
  };
  express_count_sums: {
    station_id: number;
    state_code: number;
    waybill: number;
    n: number;
    post_amount: number;
    weight: number;
    package_count: number;
  };
  express_counts: {
    station_id: number;
    user_id: number;
    state_code: number;
    waybill: number;
    n: number;
    post_amount: number;
    weight: number;
    package_count: number;
    fresh: Generated<boolean>;
  };
  express_day_sums: {
    station_id: number;
    what: string;
    day: string;
    n: number;
  };
  express_days: {
    day: string;
    station_id: number;
    user_id: number;
    what:
      | 'ordered'
      | 'draft'
      | 'on_hold'
      | 'failed'
      | 'exception'
      | 'awaiting_pickup'
      | 'in_transit'
      | 'signed_for';
    n: number;
    fresh: Generated<boolean>;
  };
  express_edits: {
    id: GeneratedAlways<number>;
    express_id: number;
    station_id: number;
    account_id: number;
    status: Generated<'pending' | 'done' | 'refused' | 'moot' | 'unclear'>;
    request: string;
    changes: Json<JsonColumns['express_edits.changes']>;
    terms: Json<JsonColumns['express_edits.terms']>;
    voucher_id: number;
    voucher_no: number;
    tries: Generated<number>;
    words: Generated<string>;
    created_at: Generated<Timestamp>;
    settled_at: Timestamp | null;
    left_from: Timestamp | null;
    left_until: Timestamp | null;
  };
  express_facts: {
    express_id: number;
    no: number;
    station_id: number;
    source:
      | 'order'
      | 'station'
      | 'poll'
      | 'push'
      | 'bill'
      | 'estimate'
      | 'edit'
      | 'held'
      | 'accepted'
      | 'disputed';
    facts: Json<JsonColumns['express_facts.facts']>;
    price: Json<JsonColumns['express_facts.price']> | null;
    account_id: number | null;
    reason: Generated<string>;
    at: Generated<Timestamp>;
    packed_price: string | null;
  };
  express_keys: {
    station_id: number;
    user_id: number;
    kind: number;
    key: string;
    express_id: number;
  };
  express_lane_fill: {
    one: Generated<boolean>;
    upto_id: number;
  };
  express_lanes: {
    station_id: number;
    lane: number;
    day: string;
    signed: number;
    minutes: number;
    due: number;
    on_time: number;
    fresh: Generated<boolean>;
  };
  express_messages: {
    id: GeneratedAlways<number>;
    express_id: number;
    station_id: number;
    source: 'order' | 'push' | 'trace' | 'cancel';
    operation_time: Timestamp;
    rank: number;
    hash: Buffer;
    category: Generated<string>;
    state: Generated<string>;
    our_state: number | null;
    effect: Generated<string>;
    title: Generated<string>;
    remark: Generated<string>;
    operator_name: Generated<string>;
    place: Generated<string>;
    raw: Json<JsonColumns['express_messages.raw']>;
    received_at: Generated<Timestamp>;
    cancel_reason: Generated<string>;
    refused: Generated<'' | 'early' | 'future' | 'waybill'>;
  };
  express_moves: {
    id: GeneratedAlways<number>;
    express_id: number;
    station_id: number;
    from_code: number | null;
    to_code: number;
    cause: string;
    account_id: number | null;
    at: Timestamp;
  };
  express_uses: {
    what:
      | 'voucher'
      | 'merchant'
      | 'area'
      | 'guarantee'
      | 'goods'
      | 'promise'
      | 'signed'
      | 'signed_minutes'
      | 'due'
      | 'on_time'
      | 'picked_up'
      | 'lane_signed'
      | 'lane_minutes'
      | 'lane_due'
      | 'lane_on_time';
    of_id: number;
    day: string;
    n: number;
    fresh: Generated<boolean>;
  };
  express_versions: {
    express_id: number;
    no: number;
    station_id: number;
    at: Timestamp;
    baseline: Generated<number>;
    content: Json<JsonColumns['express_versions.content']> | null;
    terms_digest: Buffer;
    personal: Buffer;
    salt: Buffer | null;
    hash_before: Buffer;
    hash: Buffer;
    packed_content: string | null;
  };
  expresses: {
    id: GeneratedAlways<number>;
    station_id: number;
    user_id: number;
    sender_id: number | null;
    receive_id: number | null;
    customer_code: Generated<string>;
    delivery_id: string | null;
    order_id: string;
    thr_order_id: Generated<string>;
    sender_name: Generated<string>;
    sender_phone: Generated<string>;
    sender_province: Generated<string>;
    sender_city: Generated<string>;
    sender_county: Generated<string>;
    sender_address: Generated<string>;
    receive_name: Generated<string>;
    receive_phone: Generated<string>;
    receive_province: Generated<string>;
    receive_city: Generated<string>;
    receive_county: Generated<string>;
    receive_address: Generated<string>;
    package_count: Generated<number>;
    guarantee_value_amount: Generated<number>;
    trans_type: Generated<1 | 2>;
    goods_type: Generated<number>;
    promise_id: Generated<string>;
    promise_time_type: Generated<string>;
    goods: Generated<string>;
    remark: Generated<string>;
    description: Generated<string>;
    weight: Generated<number>;
    re_weight: number | null;
    jd_weight: number | null;
    jd_cal_weight: number | null;
    cal_weight: number | null;
    length: Generated<number>;
    width: Generated<number>;
    height: Generated<number>;
    jd_volume: number | null;
    guarantee_amount: Generated<number>;
    surcharge_amount: Generated<number>;
    pre_amount: Generated<number>;
    post_amount: Generated<number>;
    discount: number | null;
    discount_amount: Generated<number>;
    jd_amount: number | null;
    state_code: 0 | 10 | 20 | 90 | 100 | 200 | 210 | 220 | 300 | 400 | 410 | 420 | 500;
    state_txt: Generated<string>;
    state_remark: Generated<string>;
    state_reason: Json<JsonColumns['expresses.state_reason']> | null;
    cancel_uid: number | null;
    canceled_at: Timestamp | null;
    print_uid: number | null;
    print_count: Generated<number>;
    printed_at: Timestamp | null;
    pre_sort_result: Json<JsonColumns['expresses.pre_sort_result']> | null;
    print_data: Json<JsonColumns['expresses.print_data']> | null;
    project_id: number | null;
    voucher_id: number | null;
    voucher_no: number | null;
    weight_message: Generated<string>;
    weight_reason: Json<JsonColumns['expresses.weight_reason']> | null;
    provider: Generated<Provider>;
    merchant_id: number | null;
    simulated: Generated<0 | 1>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    return_delivery_id: string | null;
    intercepting: Generated<0 | 1>;
    need_retry: Generated<0 | 1>;
    version: Generated<number>;
    attempt: Generated<number>;
    order_request: string | null;
    order_tries: Generated<number>;
    order_sought_at: Timestamp | null;
    carrier_order_code: string | null;
    ordered_at: Timestamp | null;
    picked_up_at: Timestamp | null;
    signed_at: Timestamp | null;
    last_event_at: Timestamp | null;
    cancel_requested_at: Timestamp | null;
    cancel_reason: Generated<string>;
    charged_at: Timestamp | null;
    terms: Json<JsonColumns['expresses.terms']> | null;
    price_lines: Generated<Json<JsonColumns['expresses.price_lines']>>;
    surcharges: Generated<Json<JsonColumns['expresses.surcharges']>>;
    shares: Generated<Json<JsonColumns['expresses.shares']>>;
    fact_no: Generated<number>;
    polled_at: Timestamp | null;
    modifying: Generated<0 | 1>;
    first_sent_at: Timestamp | null;
    confirming: number | null;
    confirm_tries: Generated<number>;
    confirm_asked_at: Timestamp | null;
    waybill_claims: Generated<Json<JsonColumns['expresses.waybill_claims']>>;
    exception:
      | 'refused'
      | 'stopped'
      | 'unreachable'
      | 'returning'
      | 'unmoved'
      | 'charge'
      | 'missed'
      | 'left_behind'
      | null;
    exception_at: Timestamp | null;
    handled_at: Timestamp | null;
    handled_uid: number | null;
    handled_note: Generated<string>;
    promised_at: Timestamp | null;
    held_no: number | null;
    held_status: 'open' | 'disputed' | null;
    package_ids: Generated<string[]>;
    fee_version: number | null;
    fee_digest: string | null;
    erased: Generated<number>;
    pickup_from: Timestamp | null;
    pickup_until: Timestamp | null;
  };
  frozen_terms: {
    digest: Buffer;
    terms: Json<JsonColumns['frozen_terms.terms']>;
  };
  guarantee_plans: {
    id: GeneratedAlways<number>;
    valid_from: Timestamp;
    tiers: Json<JsonColumns['guarantee_plans.tiers']>;
    created_by: number | null;
    created_at: Timestamp;
    ended_at: Timestamp | null;
    outcome: 'applied' | 'withdrawn' | null;
  };
  guarantees: {
    id: GeneratedAlways<number>;
    money: number;
    price: number;
    status: Generated<0 | 1>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
  };
  handover_scans: {
    id: GeneratedAlways<number>;
    handover_id: number;
    station_id: number;
    user_id: number;
    scan_id: string;
    scanned_by: number;
    at: Timestamp;
    number: string;
    result: string;
    express_id: number | null;
    delivery_id: string | null;
    package_no: number | null;
    package_count: number | null;
    detail: Generated<Json<JsonColumns['handover_scans.detail']>>;
    taken_back_at: Timestamp | null;
    taken_back_by: number | null;
  };
  handovers: {
    id: GeneratedAlways<number>;
    station_id: number;
    provider: Provider;
    user_id: number;
    only_user_id: number | null;
    status: Generated<'open' | 'closed' | 'discarded'>;
    opened_at: Timestamp;
    ended_at: Timestamp | null;
    ended_by: number | null;
    parcels: Generated<number>;
    packages: Generated<number>;
    missing: Generated<number>;
    missing_parcels: Generated<Json<JsonColumns['handovers.missing_parcels']>>;
    courier_name: Generated<string>;
    note: Generated<string>;
  };
  idempotency_keys: {
    account_id: number;
    endpoint: string;
    key: string;
    body_hash: Buffer;
    subject_id: number | null;
    created_at: Generated<Timestamp>;
  };
  import_files: {
    import_id: number;
    content: Buffer;
    head: Json<JsonColumns['import_files.head']> | null;
  };
  import_mappings: {
    station_id: number;
    fingerprint: string;
    mapping: Json<JsonColumns['import_mappings.mapping']>;
    defaults: Generated<Json<JsonColumns['import_mappings.defaults']>>;
    updated_by: number | null;
    updated_at: Generated<Timestamp>;
  };
  import_paces: {
    merchant_id: number;
    until: Timestamp;
  };
  import_prices: {
    import_id: number;
    no: number;
    promise_id: string;
    post_amount: number;
    cal_weight: number;
    choice: Json<JsonColumns['import_prices.choice']> | null;
    pickup_from: Timestamp | null;
    pickup_until: Timestamp | null;
  };
  import_rows: {
    import_id: number;
    no: number;
    line: number;
    cells: Json<JsonColumns['import_rows.cells']>;
    edits: Generated<Json<JsonColumns['import_rows.edits']>>;
    values: Generated<Json<JsonColumns['import_rows.values']>>;
    fields: Json<JsonColumns['import_rows.fields']> | null;
    problems: Generated<Json<JsonColumns['import_rows.problems']>>;
    mark: Generated<
      'ok' | 'repaired' | 'warning' | 'error' | 'excluded' | 'waiting' | 'ordered' | 'refused'
    >;
    key: Buffer | null;
    express_id: number | null;
    reason: Json<JsonColumns['import_rows.reason']> | null;
    version: Generated<number>;
    merged: Generated<Json<JsonColumns['import_rows.merged']>>;
    order_no: GeneratedAlways<string | null>;
  };
  import_step_rows: {
    import_id: number;
    step: number;
    no: number;
    edits: Json<JsonColumns['import_step_rows.edits']>;
    mark: string | null;
    reason: Json<JsonColumns['import_step_rows.reason']> | null;
  };
  import_steps: {
    import_id: number;
    step: number;
    rows: number;
  };
  imports: {
    id: GeneratedAlways<number>;
    station_id: number;
    user_id: number;
    file_name: string;
    file_type: 'xlsx' | 'csv';
    file_bytes: number;
    file_hash: Buffer;
    again: Generated<0 | 1>;
    status:
      | 'reading'
      | 'mapping'
      | 'checking'
      | 'ready'
      | 'ordering'
      | 'paused'
      | 'done'
      | 'cancelled'
      | 'failed';
    reason: Json<JsonColumns['imports.reason']> | null;
    rows_read: Generated<number>;
    rows_total: number | null;
    rows_checked: Generated<number>;
    sheets: Generated<Json<JsonColumns['imports.sheets']>>;
    sheet: number | null;
    header_at: number | null;
    hidden_rows: Generated<number>;
    columns: Generated<Json<JsonColumns['imports.columns']>>;
    fingerprint: Generated<string>;
    mapping: Generated<Json<JsonColumns['imports.mapping']>>;
    defaults: Generated<Json<JsonColumns['imports.defaults']>>;
    counts: Generated<Json<JsonColumns['imports.counts']>>;
    quote: Json<JsonColumns['imports.quote']> | null;
    read_tries: Generated<number>;
    confirmed_by: number | null;
    confirmed_at: Timestamp | null;
    finished_at: Timestamp | null;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    version: Generated<number>;
    edit_step: Generated<number>;
    undo_steps: Generated<number>;
    redo_steps: Generated<number>;
  };
  inbox_entries: {
    id: GeneratedAlways<number>;
    account_id: number;
    kind:
      | 'on_hold'
      | 'missed'
      | 'left_behind'
      | 'refused'
      | 'exception'
      | 'returning'
      | 'unreachable'
      | 'unmoved'
      | 'cancel_failed'
      | 'low_balance'
      | 'month_closed'
      | 'month_reminder'
      | 'request'
      | 'decided'
      | 'job'
      | 'setup'
      | 'import'
      | 'webhook'
      | 'channel';
    thread: string;
    station_id: number | null;
    subject_id: number | null;
    count: Generated<number>;
    data: Generated<Json<JsonColumns['inbox_entries.data']>>;
    at: Timestamp;
    created_at: Generated<Timestamp>;
    read_at: Timestamp | null;
  };
  inbox_notices: {
    id: GeneratedAlways<number>;
    kind: string;
    station_id: number | null;
    account_id: number | null;
    subject_id: number | null;
    data: Generated<Json<JsonColumns['inbox_notices.data']>>;
    at: Timestamp;
  };
  json_shapes: {
    id: string;
    template: string;
  };
  known_browsers: {
    account_id: number;
    id_hash: Buffer;
    last_login_at: Timestamp;
  };
  ledger_blocks: {
    id: GeneratedAlways<number>;
    station_id: number | null;
    reason: string;
    blocked_at: Timestamp;
    cleared_at: Timestamp | null;
    cleared_by: number | null;
    note: Generated<string>;
  };
  ledger_chain: {
    station_id: number;
    seq: number;
    transfer_id: number;
    hash: Buffer;
  };
  ledger_checkpoints: {
    station_id: number;
    chain_seq: number;
    chain_hash: Buffer;
    seq: number;
    money: number;
    freeze: number;
    proved_at: Timestamp;
    source_seq: Generated<number>;
    source_hash: Generated<Buffer>;
    signature: Generated<Buffer>;
  };
  ledger_day_sums: {
    what: string;
    day: string;
    n: number;
    amount: number;
  };
  ledger_days: {
    day: string;
    station_id: number;
    earner_id: number;
    what:
      | 'revenue'
      | 'carrier_cost'
      | 'profit'
      | 'spent'
      | 'reweigh_up'
      | 'reweigh_down'
      | 'reweigh_even';
    n: number;
    amount: number;
    fresh: Generated<boolean>;
  };
  ledger_entries: {
    transfer_id: number;
    no: number;
    account: 'wallet' | 'holds' | 'cash' | 'revenue' | 'carrier_cost' | 'carrier_payable';
    station_id: number | null;
    amount: number;
    balance: number | null;
    seq: number | null;
    period: string;
  };
  ledger_gaps: {
    id: GeneratedAlways<number>;
    at: Timestamp;
    first_account_id: number;
    second_account_id: number;
    reason: string;
    chains: Json<JsonColumns['ledger_gaps.chains']>;
  };
  ledger_head_lines: {
    no: number;
    at: Timestamp;
    hash: Buffer;
  };
  ledger_head_marks: {
    chain: 'ledger' | 'sources';
    station_id: number;
    seq: number;
    hash: Buffer;
  };
  ledger_holds: {
    express_id: number;
    attempt: number;
    station_id: number;
    order_id: string;
    delivery_id: string | null;
    status: 'open' | 'charged' | 'released';
    amount: number;
    pre_amount: number;
    discount: number;
    discount_amount: number;
    guarantee_amount: number;
    has_amount: number;
    fixed_freeze: number;
  };
  ledger_month_sums: {
    period: string;
    account: 'wallet' | 'holds' | 'cash' | 'revenue' | 'carrier_cost' | 'carrier_payable';
    n: number;
    amount: number;
  };
  ledger_months_rolled: {
    id: Generated<number>;
    transfer_id: number;
  };
  ledger_no_op_causes: {
    cause: string;
    content: Buffer;
    statement_id: number | null;
    at: Timestamp;
  };
  ledger_proofs: {
    id: GeneratedAlways<number>;
    at: Timestamp;
    whole: 0 | 1;
    checked_entries: number;
    breaks: Json<JsonColumns['ledger_proofs.breaks']>;
    started_at: Timestamp | null;
    trusted_links: Generated<number>;
  };
  ledger_transfers: {
    id: Generated<number>;
    kind:
      | 'top_up'
      | 'withdrawal'
      | 'hold'
      | 'release'
      | 'charge'
      | 'reweigh'
      | 'surcharge'
      | 'refund'
      | 'payout'
      | 'adjustment'
      | 'reversal'
      | 'carrier_fee'
      | 'carrier_paid';
    cause: string;
    content: Buffer;
    station_id: number | null;
    express_id: number | null;
    attempt: number | null;
    account_id: number | null;
    at: Timestamp;
    period: string;
    hash: Buffer;
    version_hash: Buffer | null;
  };
  ledger_walks: {
    id: GeneratedAlways<number>;
    started_at: Timestamp;
    bounds: string;
    state: Generated<string>;
    signature: Generated<Buffer>;
    rows_done: Generated<number>;
    rows_total: number;
    updated_at: Timestamp;
    finished_at: Timestamp | null;
  };
  live_event_log: {
    one: Generated<boolean>;
    epoch: Generated<string>;
    floor: Generated<string>;
  };
  live_events: {
    tx: Generated<string>;
    id: GeneratedAlways<number>;
    at: Generated<Timestamp>;
    kind: 'parcel' | 'parcels' | 'job' | 'inbox' | 'import' | 'access';
    station_id: number | null;
    user_id: number | null;
    account_id: number | null;
    subject_id: number | null;
    data: Generated<Json<JsonColumns['live_events.data']>>;
  };
  login_failures: {
    id: GeneratedAlways<number>;
    username: string;
    address: string;
    at: Generated<Timestamp>;
    known_as: Buffer | null;
  };
  mail_state: {
    id: Generated<boolean>;
    failing_since: Timestamp | null;
    failures: Generated<number>;
    detail: Generated<string>;
    resume_at: Generated<Timestamp>;
  };
  merchants: {
    id: GeneratedAlways<number>;
    name: string;
    provider: Provider;
    customer_code: string;
    access_token: Buffer | null;
    app_key: Buffer | null;
    app_secret: Buffer | null;
    secret_tails: Generated<Json<JsonColumns['merchants.secret_tails']>>;
    base_url: string;
    is_default: Generated<0 | 1>;
    guarantee: Generated<number>;
    status: Generated<0 | 1>;
    province: Generated<string>;
    city: Generated<string>;
    county: Generated<string>;
    address: Generated<string>;
    sender_name: Generated<string>;
    sender_phone: Generated<string>;
    warehouse_code: Generated<string>;
    token_expires_at: Timestamp | null;
    paused_at: Timestamp | null;
    paused_reason: Generated<string>;
    simulated: Generated<0 | 1>;
    prefetch_numbers: Generated<0 | 1>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    proof: Json<JsonColumns['merchants.proof']> | null;
    push_secret: Buffer | null;
    push_secret_hash: Buffer | null;
    down_since: Timestamp | null;
    previous_push_hash: Buffer | null;
    previous_push_until: Timestamp | null;
  };
  notice_channels: {
    id: GeneratedAlways<number>;
    account_id: number;
    kind: 'mail' | 'wecom' | 'dingtalk' | 'feishu' | 'webhook';
    name: string;
    address: Buffer | null;
    address_hash: Buffer;
    hint: string;
    language: 'zh' | 'en';
    kinds: string[];
    pace: Generated<'now' | 'hourly' | 'daily'>;
    daily_hour: Generated<number>;
    quiet_from: number | null;
    quiet_to: number | null;
    status: Generated<'unconfirmed' | 'live' | 'disabled' | 'removed'>;
    stopped_by: 'failures' | 'refused' | 'access' | null;
    code_hash: Buffer | null;
    code_until: Timestamp | null;
    code_tries: Generated<number>;
    asked_from: Timestamp;
    asked: Generated<number>;
    failing_since: Timestamp | null;
    failures: Generated<number>;
    error: string | null;
    detail: Generated<string>;
    tried_at: Timestamp | null;
    sent_at: Timestamp | null;
    resume_at: Timestamp;
    leased_until: Timestamp | null;
    hour_from: Timestamp | null;
    hour_sent: Generated<number>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    resets_password: Generated<boolean>;
    reset_hash: Buffer | null;
    reset_until: Timestamp | null;
    reset_issued_at: Timestamp | null;
    reset_from: Timestamp | null;
    reset_mailed: Generated<number>;
  };
  notice_outbox: {
    id: GeneratedAlways<number>;
    channel_id: number;
    entry_id: number;
    events: Generated<number>;
    at: Timestamp;
  };
  number_generations: {
    no: number;
    at: Generated<Timestamp>;
    cause: 'first' | 'restore' | 'timeline' | 'system' | 'installation';
    system_identifier: string;
    timeline: string;
    parcels_below: number | null;
    parcels_above: number | null;
    installation: Generated<number>;
  };
  order_outcomes: {
    id: GeneratedAlways<number>;
    express_id: number;
    attempt: number;
    station_id: number;
    provider: string;
    since: Timestamp;
    cause:
      | 'no_answer'
      | 'not_sent'
      | 'gateway'
      | 'interrupted'
      | 'stored_without_number'
      | 'two_waybills'
      | 'waybill_taken';
    maybe_stored: 0 | 1;
    lost_at: Generated<Date[]>;
    settled_at: Timestamp | null;
    certainty:
      | 'repeat'
      | 'search'
      | 'trace'
      | 'details'
      | 'first_accepted'
      | 'first_refused'
      | 'never_sent'
      | 'refused'
      | 'decided_stored'
      | 'decided_not_stored'
      | 'earlier'
      | null;
    delivery_id: string | null;
    call_id: number | null;
    account_id: number | null;
    is_open: GeneratedAlways<number>;
  };
  period_balances: {
    period: string;
    station_id: number;
    opening: number;
    in_amount: number;
    out_amount: number;
    closing: number;
    frozen: number;
  };
  period_bill_reasons: {
    period: string;
    merchant_id: number;
    reason: string;
    parcels: number;
    account_id: number;
    at: Timestamp;
  };
  period_closings: {
    id: GeneratedAlways<number>;
    period: string;
    action: 'close' | 'reopen' | 'baseline';
    at: Timestamp;
    account_id: number | null;
    entries: number;
    trial_balance: Json<JsonColumns['period_closings.trial_balance']>;
    last_transfer_id: number;
    balances: Json<JsonColumns['period_closings.balances']>;
    reasons: Generated<Json<JsonColumns['period_closings.reasons']>>;
    reason: Generated<string>;
  };
  period_reminders: {
    period: string;
    day: string;
    account_id: number;
    stations: number;
    at: Timestamp;
  };
  periods: {
    period: string;
    status: 'open' | 'closed';
    entries: Generated<number>;
    trial_balance: Generated<Json<JsonColumns['periods.trial_balance']>>;
    last_transfer_id: Generated<number>;
    closed_at: Timestamp | null;
    closed_by: number | null;
    reopened_at: Timestamp | null;
    reopened_by: number | null;
    reopen_reason: Generated<string>;
  };
  phone_searches: {
    account_id: number;
    hour: Timestamp;
    digest: string;
  };
  preferences: {
    account_id: number;
    name: string;
    value: Json<JsonColumns['preferences.value']>;
    updated_at: Generated<Timestamp>;
  };
  prints: {
    id: GeneratedAlways<number>;
    express_id: number;
    station_id: number;
    delivery_id: string;
    user_id: number;
    print_count: number;
    format: '76x130' | '100x150' | '100x180' | 'a4';
    reason: Generated<string>;
    result: Generated<'queued' | 'sent' | 'ok' | 'failed'>;
    created_at: Generated<Timestamp>;
    batch_id: number | null;
    driver: Generated<'pdf' | 'component' | 'zpl' | 'tspl'>;
    printer: Generated<string>;
    at_station_id: number | null;
    note: Generated<string>;
    finished_at: Timestamp | null;
    failed: GeneratedAlways<boolean>;
    to_verify: Generated<boolean>;
    verified_packages: Generated<number[]>;
    verified_at: Timestamp | null;
    key_id: number | null;
  };
  project_vouchers: {
    project_id: number;
    provider: string;
    promise_id: string;
    voucher_id: number;
  };
  projects: {
    id: GeneratedAlways<number>;
    name: string;
    status: Generated<0 | 1>;
    percent_type: Generated<1 | 2 | 3>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
  };
  promises: {
    id: GeneratedAlways<number>;
    promise_id: string;
    promise_name: string;
    provider: Provider;
    status: Generated<0 | 1>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    promise_name_en: Generated<string>;
    cutoff_time: Generated<string>;
    sort: Generated<number>;
  };
  reconciliation_files: {
    reconciliation_id: number;
    content: Buffer;
  };
  reconciliation_payments: {
    id: GeneratedAlways<number>;
    reconciliation_id: number;
    amount: number;
    description: Generated<string>;
    transfer_id: number;
    account_id: number | null;
    at: Timestamp;
  };
  reconciliation_rows: {
    id: GeneratedAlways<number>;
    reconciliation_id: number;
    no: number | null;
    cells: Json<JsonColumns['reconciliation_rows.cells']> | null;
    bucket:
      | 'equal'
      | 'weight_differs'
      | 'price_differs'
      | 'only_ours'
      | 'only_theirs'
      | 'duplicate'
      | 'other_code'
      | 'unreadable'
      | 'otherwise'
      | null;
    decision: Generated<'settled' | 'open' | 'accepted' | 'disputed'>;
    problem: Json<JsonColumns['reconciliation_rows.problem']> | null;
    delivery_id: string | null;
    customer_code: Generated<string>;
    fee: Generated<string>;
    their_weight: number | null;
    their_amount: number | null;
    head_id: number | null;
    total_weight: number | null;
    total_amount: number | null;
    express_id: number | null;
    station_id: number | null;
    our_customer_code: string | null;
    our_weight: number | null;
    our_amount: number | null;
    within_tolerance: Generated<0 | 1>;
    effect_amount: number | null;
    note: Generated<string>;
    decided_at: Timestamp | null;
    decided_by: number | null;
  };
  reconciliations: {
    id: GeneratedAlways<number>;
    period: string;
    provider: string;
    file_name: string;
    file_type: 'xlsx' | 'csv';
    file_bytes: number;
    file_hash: Buffer;
    status: 'reading' | 'mapping' | 'matching' | 'ready' | 'settled' | 'failed' | 'discarded';
    reason: Json<JsonColumns['reconciliations.reason']> | null;
    rows_read: Generated<number>;
    rows_total: number | null;
    header_at: number | null;
    columns: Generated<Json<JsonColumns['reconciliations.columns']>>;
    fingerprint: Generated<string>;
    mapping: Generated<Json<JsonColumns['reconciliations.mapping']>>;
    weight_unit: Generated<'kg' | 'g'>;
    weight_tolerance: number;
    amount_tolerance: number;
    understood: Generated<number>;
    calculated_id: Generated<number>;
    created_by: number | null;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    version: Generated<number>;
    read_tries: Generated<number>;
    stated_amount: number | null;
  };
  recovery_codes: {
    id: GeneratedAlways<number>;
    account_id: number;
    code_hash: Buffer;
    used_at: Timestamp | null;
  };
  refused_calls: {
    minute: Timestamp;
    address: string;
    account_id: number;
    action: 'login_failed' | 'call_forbidden' | 'row_not_found';
    tries: Generated<number>;
    last_at: Timestamp;
    call: string;
    key_id: Generated<number>;
  };
  request_announcements: {
    statement_id: number;
    account_id: number;
    at: Timestamp;
  };
  request_approvals: {
    statement_id: number;
    account_id: number;
    at: Timestamp;
    amount: number;
    alone: 0 | 1;
  };
  saved_views: {
    id: GeneratedAlways<number>;
    account_id: number;
    list: string;
    title: string;
    search: Json<JsonColumns['saved_views.search']>;
    columns: Json<JsonColumns['saved_views.columns']> | null;
    shared_with: 'super' | 'admin' | 'partner' | 'station' | 'user' | null;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
  };
  schema_migrations: {
    name: string;
    hash: string;
    applied_at: Generated<Timestamp>;
  };
  schema_sql: {
    name: string;
    hash: string;
    edition: number;
    applied_at: Generated<Timestamp>;
  };
  secret_keys: {
    id: GeneratedAlways<number>;
    fingerprint: string;
    began_at: Timestamp;
    recovery_key: Buffer | null;
  };
  sessions: {
    token_hash: Buffer;
    account_id: number;
    created_at: Generated<Timestamp>;
    last_seen_at: Generated<Timestamp>;
    expires_at: Timestamp;
    address: string;
    user_agent: string;
    id: GeneratedAlways<number>;
  };
  setting_raises: {
    id: GeneratedAlways<number>;
    name: string;
    amount_before: number;
    amount_after: number;
    account_id: number;
    at: Timestamp;
    effective_at: Timestamp;
    status: Generated<'waiting' | 'applied' | 'confirmed' | 'cancelled'>;
    decided_by: number | null;
    decided_at: Timestamp | null;
  };
  settings: {
    name: string;
    value: Json<JsonColumns['settings.value']>;
    updated_at: Generated<Timestamp>;
    version: Generated<number>;
    account_id: number | null;
    id: GeneratedAlways<number>;
  };
  source_blocks: {
    station_id: number;
    seq: number;
    records: number;
    at: Timestamp;
    content: Buffer;
    hash: Buffer;
  };
  source_hashes: {
    id: GeneratedAlways<number>;
    station_id: number;
    kind: string;
    k1: number;
    k2: Generated<number>;
    baseline: Generated<number>;
    personal: Buffer | null;
    salt: Buffer | null;
    digest: Buffer;
    at: Generated<Timestamp>;
    block: number | null;
  };
  statement_confirmations: {
    id: GeneratedAlways<number>;
    station_id: number;
    period: string;
    opening: number;
    in: number;
    out: number;
    closing: number;
    frozen: number;
    lines: number;
    confirmed_by: number;
    confirmed_by_name: string;
    at: Timestamp;
    note: Generated<string>;
  };
  statement_days: {
    station_id: number;
    day: string;
    type: string;
    n: number;
    in: number;
    out: number;
    freeze_amount: number;
  };
  statement_months: {
    station_id: number;
    period: string;
    type: string;
    n: number;
    in: number;
    out: number;
    freeze_amount: number;
    first_seq: number;
    first_transfer: number;
    last_transfer: number;
  };
  statement_rolled: {
    station_id: number;
    seq: number;
  };
  statements: {
    id: Generated<number>;
    station_id: number;
    transfer_id: number | null;
    seq: number | null;
    type:
      | 'top_up'
      | 'withdrawal'
      | 'hold'
      | 'release'
      | 'charge'
      | 'reweigh'
      | 'surcharge'
      | 'refund'
      | 'payout'
      | 'profit'
      | 'adjustment'
      | 'reversal';
    status: 'pending' | 'posted' | 'declined' | 'reversed';
    express_id: number | null;
    delivery_id: string | null;
    amount: number;
    freeze_amount: number;
    pre_amount: number | null;
    discount: number | null;
    discount_amount: number | null;
    guarantee_amount: number | null;
    post_amount: number | null;
    available: number | null;
    balance: number | null;
    profit: number;
    description: string;
    period: string | null;
    has_amount: number | null;
    fixed_freeze: number | null;
    account_id: number | null;
    decided_by: number | null;
    decision_reason: Generated<string>;
    created_at: Timestamp;
    updated_at: Timestamp;
    posted_at: Timestamp | null;
    hash: Buffer;
    reverses_id: number | null;
  };
  station_claims: {
    statement_id: number;
    station_id: number;
    amount: number;
    at: Timestamp;
  };
  station_setups: {
    station_id: number;
    account_id: number;
    started_at: Timestamp;
    checked_at: Timestamp;
    reminded_at: Timestamp;
    ended_at: Timestamp | null;
  };
  stations: {
    id: GeneratedAlways<number>;
    name: string;
    province: Generated<string>;
    city: Generated<string>;
    county: Generated<string>;
    address: Generated<string>;
    discount: number | null;
    northeast_discount: number | null;
    money: Generated<number>;
    freeze: Generated<number>;
    fixed_freeze: Generated<number>;
    available: GeneratedAlways<number>;
    customer_code: Generated<string>;
    status: Generated<0 | 1>;
    allow_print: Generated<0 | 1>;
    has_amount: Generated<0 | 1>;
    allow_select: Generated<0 | 1>;
    profit: Generated<number>;
    fixed_profit: Generated<number>;
    enable_profit: Generated<0 | 1>;
    parent_id: number | null;
    project_id: number | null;
    sender_name: Generated<string>;
    sender_phone: Generated<string>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    profit_limit: Generated<number>;
    fixed_profit_limit: Generated<number>;
    low_balance: number | null;
    credit_limit: number | null;
    made_under: number | null;
    disabled_by_office: Generated<0 | 1>;
    pinyin: string | null;
    offer_rule: Generated<'cheapest' | 'fastest' | 'preferred'>;
    offer_carriers: Generated<Json<JsonColumns['stations.offer_carriers']>>;
    offer_fallback: Generated<0 | 1>;
  };
  two_factor_secrets: {
    account_id: number;
    secret: Buffer;
    confirmed_at: Timestamp | null;
    last_step: Generated<number>;
    created_at: Timestamp;
  };
  user_job_files: {
    job_id: number;
    no: number;
    content: Buffer;
  };
  user_job_items: {
    id: GeneratedAlways<number>;
    job_id: number;
    subject_id: number;
    name: string;
    result: 'ok' | 'skip' | 'fail' | null;
    reason: Json<JsonColumns['user_job_items.reason']> | null;
    handed_at: Timestamp | null;
  };
  user_jobs: {
    id: GeneratedAlways<number>;
    account_id: number;
    station_id: number | null;
    kind: string;
    list: string;
    action: string;
    params: Generated<Json<JsonColumns['user_jobs.params']>>;
    status: Generated<'queued' | 'running' | 'done' | 'failed'>;
    reason: Json<JsonColumns['user_jobs.reason']> | null;
    total: number;
    done: Generated<number>;
    ok: Generated<number>;
    skipped: Generated<number>;
    failed: Generated<number>;
    address: Generated<string>;
    request_id: Generated<string>;
    file_name: string | null;
    file_type: string | null;
    file_bytes: number | null;
    created_at: Generated<Timestamp>;
    finished_at: Timestamp | null;
    answer: Json<JsonColumns['user_jobs.answer']> | null;
  };
  voucher_impacts: {
    id: GeneratedAlways<number>;
    voucher_id: number;
    station_id: number | null;
    account_id: number;
    discount: number | null;
    northeast_discount: number | null;
    weight: Json<JsonColumns['voucher_impacts.weight']>;
    since: Timestamp;
    until: Timestamp;
    total: number;
    done: Generated<number>;
    after_at: Timestamp | null;
    after_id: number | null;
    state: Generated<Json<JsonColumns['voucher_impacts.state']>>;
    status: Generated<'running' | 'done'>;
    created_at: Generated<Timestamp>;
    finished_at: Timestamp | null;
  };
  voucher_versions: {
    voucher_id: number;
    no: number;
    valid_from: Timestamp;
    discount: number | null;
    northeast_discount: number | null;
    weight: Json<JsonColumns['voucher_versions.weight']>;
    published_by: number | null;
    published_at: Generated<Timestamp>;
  };
  vouchers: {
    id: GeneratedAlways<number>;
    name: string;
    provider: Provider;
    promise_id: string;
    discount: number | null;
    northeast_discount: number | null;
    weight: Generated<Json<JsonColumns['vouchers.weight']>>;
    status: Generated<0 | 1>;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    pinyin: string | null;
  };
  webhook_deliveries: {
    id: GeneratedAlways<number>;
    webhook_id: number;
    message_id: string;
    event_no: number;
    kind: string;
    station_id: number | null;
    subject: string;
    subject_id: number;
    data: Generated<Json<JsonColumns['webhook_deliveries.data']>>;
    at: Timestamp;
    status: Generated<'pending' | 'delivered' | 'failed' | 'skipped'>;
    attempts: Generated<number>;
    begun_at: Timestamp;
    next_at: Timestamp;
    leased_until: Timestamp | null;
    sent_at: Timestamp | null;
    ms: number | null;
    request: string | null;
    http_status: number | null;
    answer: string | null;
    error: string | null;
    detail: Generated<string>;
    earlier: Generated<Json<JsonColumns['webhook_deliveries.earlier']>>;
  };
  webhook_events: {
    id: GeneratedAlways<number>;
    kind: string;
    station_id: number | null;
    subject_id: number;
    data: Generated<Json<JsonColumns['webhook_events.data']>>;
    at: Timestamp;
  };
  webhook_kinds: {
    kind: string;
  };
  webhooks: {
    id: GeneratedAlways<number>;
    account_id: number;
    role: string;
    station_id: number | null;
    name: string;
    url: string;
    kinds: string[];
    watched_id: number | null;
    with_below: Generated<0 | 1>;
    secret: Buffer;
    previous_secret: Buffer | null;
    previous_until: Timestamp | null;
    status: Generated<'live' | 'disabled' | 'removed'>;
    stopped_by: 'person' | 'manager' | 'failures' | 'gone' | 'access' | null;
    failing_since: Timestamp | null;
    failures: Generated<number>;
    failed_at: Timestamp | null;
    usual_ms: Generated<number>;
    resume_at: Timestamp;
    served_at: Timestamp;
    dropped: Generated<number>;
    full_since: Timestamp | null;
    version: Generated<number>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    stopped_account_id: number | null;
    paused_since: Timestamp | null;
  };
  worker_heartbeats: {
    worker_id: string;
    seen_at: Generated<Timestamp>;
    job_ids: Generated<number[]>;
  };
}

/** Columns by name. */
export const columnNames = {
  expresses: {
    all: [
      'id',
      'station_id',
      'user_id',
      'sender_id',
      'receive_id',
      'customer_code',
      'delivery_id',
      'order_id',
      'thr_order_id',
      'sender_name',
      'sender_phone',
      'sender_province',
      'sender_city',
      'sender_county',
      'sender_address',
      'receive_name',
      'receive_phone',
      'receive_province',
      'receive_city',
      'receive_county',
      'receive_address',
      'package_count',
      'guarantee_value_amount',
      'trans_type',
      'goods_type',
      'promise_id',
      'promise_time_type',
      'goods',
      'remark',
      'description',
      'weight',
      're_weight',
      'jd_weight',
      'jd_cal_weight',
      'cal_weight',
      'length',
      'width',
      'height',
      'jd_volume',
      'guarantee_amount',
      'surcharge_amount',
      'pre_amount',
      'post_amount',
      'discount',
      'discount_amount',
      'jd_amount',
      'state_code',
      'state_txt',
      'state_remark',
      'state_reason',
      'cancel_uid',
      'canceled_at',
      'print_uid',
      'print_count',
      'printed_at',
      'pre_sort_result',
      'print_data',
      'project_id',
      'voucher_id',
      'voucher_no',
      'weight_message',
      'weight_reason',
      'provider',
      'merchant_id',
      'simulated',
      'created_at',
      'updated_at',
      'return_delivery_id',
      'intercepting',
      'need_retry',
      'version',
      'attempt',
      'order_request',
      'order_tries',
      'order_sought_at',
      'carrier_order_code',
      'ordered_at',
      'picked_up_at',
      'signed_at',
      'last_event_at',
      'cancel_requested_at',
      'cancel_reason',
      'charged_at',
      'terms',
      'price_lines',
      'surcharges',
      'shares',
      'fact_no',
      'polled_at',
      'modifying',
      'first_sent_at',
      'confirming',
      'confirm_tries',
      'confirm_asked_at',
      'waybill_claims',
      'exception',
      'exception_at',
      'handled_at',
      'handled_uid',
      'handled_note',
      'promised_at',
      'held_no',
      'held_status',
      'package_ids',
      'fee_version',
      'fee_digest',
      'erased',
      'pickup_from',
      'pickup_until',
    ],
    json: [
      'state_reason',
      'pre_sort_result',
      'print_data',
      'weight_reason',
      'terms',
      'price_lines',
      'surcharges',
      'shares',
      'waybill_claims',
    ],
  },
} as const;
