/**
 * The columns in which a copied parcel differs from its pattern. `q` is the row of the pattern, `p`
 * is the plan of the copy, and `f` is the first price of the pattern.
 */
const changed: Record<string, string> = {
  id: 'p.id',
  station_id: 'p.station_id',
  user_id: 'p.user_id',
  sender_id: 'null',
  receive_id: 'null',
  delivery_id: `case when p.kind = 'normal' and q.delivery_id is not null then 'JDV' || lpad((100000000 + p.nth * 37 + floor(scale.draw(p.nth, 31) * 37)::bigint)::text, 12, '0') end`,
  return_delivery_id: 'null',
  order_id: `'WS' || to_char(p.created_at at time zone 'Asia/Shanghai', 'YYMMDD') || lpad((p.nth + 100000)::text, 8, '0')`,
  thr_order_id: `case when q.thr_order_id <> '' then 'EX-' || lpad(p.nth::text, 9, '0') else '' end`,
  carrier_order_code: `case when p.kind = 'normal' and q.carrier_order_code is not null then 'EO' || lpad((100000000 + p.nth)::text, 13, '0') end`,
  sender_name: `coalesce(scale.person(p.sender), s.sender_name)`,
  sender_phone: `coalesce(scale.phone(p.sender), s.sender_phone)`,
  sender_province: 's.province',
  sender_city: 's.city',
  sender_county: 's.county',
  sender_address: 's.address',
  receive_name: 'scale.person(p.person)',
  receive_phone: 'scale.phone(p.person)',
  state_code: 'p.state_code',
  state_txt: 't.zh',
  state_remark: `case when p.state_code = q.state_code then q.state_remark else '' end`,
  cancel_reason: `case when p.state_code = 500 then q.cancel_reason else '' end`,
  cancel_uid: 'case when p.state_code = 500 then p.user_id end',
  canceled_at: 'scale.past(q.canceled_at, p.delta, p.until)',
  print_uid: `case when p.kind = 'normal' and q.print_count > 0 then p.user_id end`,
  print_count: `case when p.kind = 'normal' then q.print_count else 0 end`,
  printed_at: `case when p.kind = 'normal' then q.printed_at + p.delta end`,
  print_data: `case when p.kind = 'normal' then q.print_data end`,
  pre_sort_result: `case when p.kind = 'normal' then q.pre_sort_result end`,
  created_at: 'p.created_at',
  updated_at: 'least(q.updated_at + p.delta, p.until)',
  ordered_at: `case when p.kind = 'normal' then q.ordered_at + p.delta end`,
  promised_at: `case when p.kind = 'normal' then q.promised_at + p.delta end`,
  picked_up_at: `case when p.kind = 'normal' then scale.past(q.picked_up_at, p.delta, p.until) end`,
  signed_at: `case when p.kind = 'normal' then scale.past(q.signed_at, p.delta, p.until) end`,
  last_event_at: `case when p.kind = 'normal' then least(q.last_event_at + p.delta, p.until) end`,
  polled_at: `case when p.kind = 'normal' then least(q.polled_at + p.delta, p.until) end`,
  charged_at: `case when p.charged then q.charged_at + p.delta end`,
  attempt: `case when p.kind = 'draft' then 0 else 1 end`,
  terms: `case when p.kind <> 'draft' then n.terms end`,
  shares: `coalesce((select jsonb_agg(x || jsonb_build_object('station_id', a.above)) from jsonb_array_elements(q.shares) x
    join scale.chain c on c.id = q.station_id and c.above = (x ->> 'station_id')::bigint join scale.above a on a.id = p.station_id and a.up = c.up), '[]')`,
  jd_weight: 'case when p.charged then q.jd_weight end',
  jd_amount: 'case when p.charged then q.jd_amount end',
  fact_no: 'case when p.charged then q.fact_no else 0 end',
  cal_weight: `case when p.charged then q.cal_weight else (f.was ->> 'cal_weight')::integer end`,
  pre_amount: `case when p.charged then q.pre_amount else (f.was ->> 'pre_amount')::bigint end`,
  post_amount: `case when p.charged then q.post_amount else (f.was ->> 'post_amount')::bigint end`,
  discount: `case when p.charged then q.discount else (f.was ->> 'discount')::integer end`,
  discount_amount: `case when p.charged then q.discount_amount else (f.was ->> 'discount_amount')::bigint end`,
  guarantee_amount: `case when p.charged then q.guarantee_amount else (f.was ->> 'guarantee_amount')::bigint end`,
  surcharge_amount: `case when p.charged then q.surcharge_amount else (f.was ->> 'surcharge_amount')::bigint end`,
  price_lines: `case when p.charged then q.price_lines else f.was -> 'lines' end`,
};

/**
 * Returns SQL that fills `expresses` by the plan. Columns that the plan does not change are copied,
 * including columns that a later migration adds.
 */
export const insertParcels = (columns: readonly string[]): string => `
  insert into expresses (${columns.map((name) => `"${name}"`).join(', ')}) overriding system value
  select ${columns.map((name) => changed[name] ?? `q."${name}"`).join(', ')}
  from scale.parcel p join expresses q on q.id = p.pattern_id join stations s on s.id = p.station_id join scale.state t on t.code = p.state_code
    join (select f.express_id, fact_price(f) as was from express_facts f where f.no = 0) f on f.express_id = q.id left join scale.terms n on n.station_id = p.station_id and n.pattern = p.terms
  where p.id between $1 and $2 order by p.id`;
