-- Inserts the rows of each parcel: its changes of state, facts and prints, and the carrier messages from which its state follows.
insert into express_moves (express_id, station_id, from_code, to_code, cause, account_id, at)
select p.id, p.station_id, t.from_code, t.to_code, t.cause, case when t.by_clerk then p.user_id end, p.created_at + t.after
from scale.parcel p join scale.step t using (pattern_id) where p.kind = 'normal' and t.after <= p.age
union all select id, station_id, null, state_code, case kind when 'draft' then 'draft' else 'order' end, user_id, created_at from scale.parcel where kind <> 'normal'
order by 7, 1;
insert into express_facts (express_id, no, station_id, source, facts, packed_price, account_id, reason, at)
select p.id, f.no, p.station_id, f.source, f.facts, f.packed_price, case when f.no = 0 then p.user_id end, '', least(f.at + p.delta, p.until)
from scale.parcel p join express_facts f on f.express_id = p.pattern_id where p.kind <> 'draft' and (f.no = 0 or p.charged) order by 1, 2;
insert into express_messages (express_id, station_id, source, operation_time, rank, hash, category, state, our_state, effect, title, remark, operator_name, place, raw, received_at)
select p.id, p.station_id, m.source, m.operation_time + p.delta, m.rank, sha256(int8send(p.id) || m.hash), m.category, m.state, m.our_state, m.effect, m.title, m.remark, m.operator_name, m.place,
  jsonb_build_object('state', m.state, 'category', m.category), m.operation_time + p.delta
from scale.parcel p join express_messages m on m.express_id = p.pattern_id
where p.kind = 'normal' and m.our_state in (200, 300, 400, 420, 500) and m.operation_time + p.delta <= p.until order by 10, 1;
insert into prints (express_id, station_id, delivery_id, user_id, print_count, format, created_at)
select id, station_id, delivery_id, print_uid, print_count, '76x130', printed_at from expresses where print_count > 0 and delivery_id is not null and id >= (select min(id) from scale.parcel) order by id;
insert into audit_log (at, account_id, account_name, role, address, request_id, action, subject, subject_id, station_id, changes)
select x.at, x.user_id, a.username, 'user', '192.0.2.1', '', x.action, 'expresses', x.id, x.station_id, '{}'
from (select id, station_id, user_id, created_at as at, 'order' as action from expresses where id >= (select min(id) from scale.parcel)
  union all select id, station_id, print_uid, printed_at, 'print' from expresses where id >= (select min(id) from scale.parcel) and printed_at is not null and id % 5 = 0) x
  join accounts a on a.id = x.user_id order by 1;
