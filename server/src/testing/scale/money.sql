-- Inserts the movements of money: the pattern's movements at the copy's stations, and the top-ups that pay for them. Numbers and balances follow from the order of time, and the product's own functions calculate the hashes.
create table scale.pattern_transfer as
select t.express_id as pattern_id, row_number() over (partition by t.express_id order by t.id) as no, t.id, t.kind::text as kind, t.attempt, t.account_id is not null as by_clerk, t.at - p.created_at as after
from ledger_transfers t join scale.pattern p on p.id = t.express_id;
create table scale.pattern_line as
select t.pattern_id, t.no, row_number() over (partition by s.transfer_id order by s.id) as line_no, c.up, s.type::text as type, s.amount, s.freeze_amount, s.pre_amount, s.discount,
  s.discount_amount, s.guarantee_amount, s.post_amount, s.profit, s.delivery_id is not null as with_waybill
from scale.pattern_transfer t join statements s on s.transfer_id = t.id join expresses e on e.id = t.pattern_id join scale.chain c on c.id = e.station_id and c.above = s.station_id;
create table scale.pattern_entry as
select t.pattern_id, t.no, n.no as entry_no, n.account, c.up, n.amount
from scale.pattern_transfer t join ledger_entries n on n.transfer_id = t.id join expresses e on e.id = t.pattern_id left join scale.chain c on c.id = e.station_id and c.above = n.station_id;
analyze scale.pattern_transfer, scale.pattern_line, scale.pattern_entry;

-- Each week's top-up comes before its first parcel and is a little more than its parcels cost.
create table scale.top_up as
with cost as (
  select pattern_id, greatest(sum(freeze_amount) filter (where type = 'hold'), -sum(amount)) as fen from scale.pattern_line where up = 0 group by 1
), week as (
  select p.station_id, floor(extract(epoch from p.created_at) / 604800) as week, min(p.created_at) as first_at, sum(c.fen) as fen from scale.parcel p join cost c using (pattern_id) group by 1, 2
)
select station_id, date_trunc('milliseconds', first_at) - interval '10 minutes' as at, (ceil(fen * 1.15 / 100000) * 100000)::bigint as amount from week
union all select id, '{{now}}'::timestamptz - interval '367 days', 200000 from scale.station;

create unlogged table scale.transfer as
select (select max(id) from ledger_transfers) + row_number() over (order by x.at, x.express_id, x.no) as id, x.* from (
  select p.id as express_id, p.pattern_id, t.no, t.kind, t.attempt, p.station_id, case when t.by_clerk then p.user_id end as account_id,
    case when t.kind = 'hold' then p.created_at + t.after else least(p.created_at + t.after, p.until) end as at, null::bigint as amount
  from scale.parcel p join scale.pattern_transfer t using (pattern_id)
  where p.kind = 'normal' and case t.kind when 'hold' then true when 'release' then t.after <= p.age else p.charged end
  union all select null, null, 0, 'top_up', null, u.station_id, (select min(id) from accounts where role = 'super'), u.at, u.amount
    from scale.top_up u join scale.station s on s.id = u.station_id) x;
create unique index on scale.transfer (id);
analyze scale.transfer;

create unlogged table scale.line as
select (select max(id) from statements) + row_number() over (order by x.transfer_id, x.line_no) as id, x.*, row_number() over w as seq, sum(x.amount) over w as balance, sum(x.freeze_amount) over w as frozen
from (
  select t.id as transfer_id, l.line_no, t.pattern_id, t.no, t.express_id, l.up, a.above as station_id, l.amount, l.freeze_amount
  from scale.transfer t join scale.pattern_line l on l.pattern_id = t.pattern_id and l.no = t.no join scale.above a on a.id = t.station_id and a.up = l.up
  union all select id, 1, null, 0, null, 0, station_id, amount, 0 from scale.transfer where kind = 'top_up') x
window w as (partition by x.station_id order by x.transfer_id);
create index on scale.line (transfer_id);
analyze scale.line;

create unlogged table scale.statement (like statements including defaults);
insert into scale.statement (id, station_id, transfer_id, seq, type, status, express_id, delivery_id, amount, freeze_amount, pre_amount, discount, discount_amount, guarantee_amount, post_amount,
  available, balance, profit, description, period, has_amount, fixed_freeze, account_id, created_at, updated_at, posted_at, hash)
select l.id, l.station_id, l.transfer_id, l.seq, coalesce(x.type, 'top_up'), 'posted', l.express_id, case when x.with_waybill then e.delivery_id end, l.amount, l.freeze_amount, x.pre_amount, x.discount,
  x.discount_amount, x.guarantee_amount, x.post_amount, l.balance - l.frozen, l.balance, coalesce(x.profit, 0), coalesce(e.order_id, '示例充值'),
  to_char(t.at at time zone 'Asia/Shanghai', 'YYYY-MM'), 1, 0, t.account_id, t.at, t.at, t.at, ''
from scale.line l join scale.transfer t on t.id = l.transfer_id left join expresses e on e.id = l.express_id
  left join scale.pattern_line x on x.pattern_id = l.pattern_id and x.no = l.no and x.line_no = l.line_no;

create unlogged table scale.transfer_row (like ledger_transfers including defaults);
insert into scale.transfer_row (id, kind, cause, content, station_id, express_id, attempt, account_id, at, period, hash)
select t.id, t.kind, coalesce(t.kind || ':' || t.express_id || ':' || t.no, 'scale top-up ' || t.id), sha256(int8send(t.id)), t.station_id, t.express_id, t.attempt, t.account_id, t.at,
  to_char(t.at at time zone 'Asia/Shanghai', 'YYYY-MM'), '' from scale.transfer t;
create index on scale.transfer_row (id);

insert into ledger_entries (transfer_id, no, account, station_id, amount, balance, seq, period)
select t.id, e.entry_no, e.account, l.station_id, e.amount, case e.account when 'wallet' then l.balance - l.frozen when 'holds' then l.frozen end, l.seq, to_char(t.at at time zone 'Asia/Shanghai', 'YYYY-MM')
from scale.transfer t join scale.pattern_entry e on e.pattern_id = t.pattern_id and e.no = t.no left join scale.line l on l.transfer_id = t.id and l.up = e.up
union all select t.id, 1, 'wallet', t.station_id, t.amount, l.balance - l.frozen, l.seq, to_char(t.at at time zone 'Asia/Shanghai', 'YYYY-MM') from scale.transfer t join scale.line l on l.transfer_id = t.id where t.kind = 'top_up'
union all select t.id, 2, 'cash', null, -t.amount, null, null, to_char(t.at at time zone 'Asia/Shanghai', 'YYYY-MM') from scale.transfer t where t.kind = 'top_up'
order by 1, 2;

insert into ledger_holds (express_id, attempt, station_id, order_id, delivery_id, status, amount, pre_amount, discount, discount_amount, guarantee_amount, has_amount, fixed_freeze)
select p.id, 1, p.station_id, e.order_id, null, case when p.charged then 'charged' when p.state_code in (90, 500) then 'released' else 'open' end, h.amount, h.pre_amount, h.discount, h.discount_amount,
  h.guarantee_amount, 1, 0
from scale.parcel p join ledger_holds h on h.express_id = p.pattern_id and h.attempt = 1 join expresses e on e.id = p.id where p.kind = 'normal' order by p.id;

update stations s set money = l.balance, "freeze" = l.frozen
from (select distinct on (station_id) station_id, balance, frozen from scale.line order by station_id, seq desc) l where l.station_id = s.id;
analyze ledger_entries;
