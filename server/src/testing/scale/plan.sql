-- Plans a network of 200 stations in three levels with their clerks, and one row per parcel with its pattern, time and people. load.ts replaces `{{parcels}}`, `{{now}}` and `{{states}}`. The same values give the same network: random() has a fixed seed, and everything else is calculated from hashes.
drop schema if exists scale cascade;
create schema scale;
select setseed(0.4711);

-- Returns a number that is evenly distributed in [0, 1).
create function scale.draw(seed bigint, salt bigint) returns double precision language sql immutable parallel safe as
  $$ select (hashint8extended(seed, salt) & 4503599627370495)::double precision / 4503599627370496.0 $$;

-- Returns the character with this rank. Few characters are frequent, and many are rare.
create function scale.given_name(u double precision) returns text language sql immutable parallel safe as $$
  select case when rank <= 120 then substr('伟芳娜英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂建华国文玉红春梅海云志金秀林波宁辉健俊峰鹏飞龙斌鑫帆宇浩凯嘉晨欣怡雪琳婷莹慧洁颖佳倩瑞晓燕萍玲凤珍荣贵福生祥德庆永兴旺财宝山川江河东南西北安康乐天地人和美思雨诗涵梓萱子轩博雅若曦', rank, 1)
    else chr(19968 + rank * 8) end from (select floor(power(2500, u))::integer as rank) r
$$;
create function scale.surname(u double precision) returns text language sql immutable parallel safe as $$
  select substr('王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤', floor(power(110, u))::integer, 1)
$$;
create function scale.person(seed bigint) returns text language sql immutable parallel safe as $$
  select case when kind < 0.002 then scale.surname(scale.draw(seed, 12))
    when kind < 0.03 then scale.given_name(scale.draw(seed, 13)) || scale.given_name(scale.draw(seed, 14)) || case when kind < 0.015 then '商贸有限公司' else '科技有限公司' end
    else scale.surname(scale.draw(seed, 12)) || scale.given_name(scale.draw(seed, 13)) || case when kind < 0.65 then scale.given_name(scale.draw(seed, 14)) else '' end end
  from (select scale.draw(seed, 11) as kind) k
$$;
create function scale.phone(seed bigint) returns text language sql immutable parallel safe as
  $$ select '1' || (3 + floor(scale.draw(seed, 21) * 7)::integer) || lpad(floor(scale.draw(seed, 22) * 1e9)::bigint::text, 9, '0') $$;
-- Returns a time of the pattern, moved to the time of the copy; null if it lies in the future.
create function scale.past(moment timestamptz, delta interval, until timestamptz) returns timestamptz language sql immutable parallel safe as
  $$ select case when moment + delta <= until then moment + delta end $$;

create table scale.state as select key::smallint as code, value as zh from jsonb_each_text('{{states}}'::jsonb);

-- The finished parcels of the example network, grouped by the level of their station.
create table scale.chain as
with recursive a as (select id, id as above, 0 as up, parent_id from stations union all select a.id, p.id, a.up + 1, p.parent_id from a join stations p on p.id = a.parent_id)
select id, up, above, count(*) over (partition by id) as level from a;

create table scale.pattern as
select e.id, c.level, row_number() over (partition by c.level order by e.id) - 1 as nth, count(*) over (partition by c.level) as total, e.created_at, e.state_code, md5(e.terms::text) as terms,
  (select max(m.at) from express_moves m where m.express_id = e.id) - e.created_at as lasts, e.charged_at - e.created_at as charged_after,
  (select min(m.at) from express_moves m where m.express_id = e.id and m.to_code = 400) - e.created_at + interval '1 minute' as stuck_after
from expresses e join scale.chain c on c.id = e.station_id and c.up = 0
where e.state_code in (90, 300, 420, 500) and e.terms is not null and exists (select 1 from ledger_holds h where h.express_id = e.id);

create table scale.step as
select m.express_id as pattern_id, row_number() over (partition by m.express_id order by m.id) as no, m.from_code, m.to_code, m.cause, m.account_id is not null as by_clerk, m.at - p.created_at as after
from express_moves m join scale.pattern p on p.id = m.express_id;

create index on scale.step (pattern_id, no);
analyze scale.pattern, scale.step;

-- The network has ten partners, seventy stations below them and a hundred and twenty outlets. The first partner has twelve of the stations, and these have twenty-eight of the outlets.
create table scale.station as
with placed as (
  select nth, case when nth <= 10 then 1 when nth <= 80 then 2 else 3 end as level,
    case when nth <= 10 then null when nth <= 22 then 1 when nth <= 80 then 2 + (nth - 23) % 9 when nth <= 108 then 11 + (nth - 81) % 12 else 23 + (nth - 109) % 58 end as parent_nth,
    row_number() over (order by nth <> 11, md5(nth::text)) as rank
  from generate_series(1, 200) nth
), weighed as (
  select *, power(rank + 8, -1.5) as weight, (select max(id) from stations) + nth as id from placed
)
select w.*, weight / sum(weight) over () as share, coalesce(sum(weight) over (order by rank rows between unbounded preceding and 1 preceding), 0) / sum(weight) over () as share_from,
  case when rank <= 10 then 6 when rank <= 50 then 4 else 2 end as clerks, d.province, d.city, d.county,
  (select count(*) from scale.pattern p where p.level = w.level) as patterns
from weighed w join (select row_number() over (order by 1, 2, 3) as n, count(*) over () as total, * from (select distinct receive_province as province, receive_city as city, receive_county as county
  from expresses where receive_county <> '') places) d on d.n = w.nth % d.total + 1;

-- The stations above each station, including the station itself.
create table scale.above as
with recursive a as (select id, nth, parent_nth, 0 as up, id as above from scale.station
  union all select a.id, a.nth, p.parent_nth, a.up + 1, p.id from a join scale.station p on p.nth = a.parent_nth)
select id, up, above from a;

create index on scale.above (id, up);
create table scale.clerk as
select s.id as station_id, s.nth, k, (select max(id) from accounts) + row_number() over (order by s.nth, k) as id from scale.station s, generate_series(1, s.clerks) k;

analyze scale.station, scale.clerk;

-- One row per parcel, in the order of time.
create table scale.parcel as
with drawn as (
  select random() as age, random() as clock, random() as station, random() as clerk, random() as pattern, random() as person, random() as sender, random() as kind from generate_series(1, {{parcels}})
), bounds as (
  select array_agg(share_from order by rank) as shares from scale.station
), timed as (
  select d.*, (date_trunc('day', '{{now}}'::timestamptz at time zone 'Asia/Shanghai') - floor(365 * (1 - sqrt(age))) * interval '1 day' + interval '8 hours' + clock * interval '12 hours') at time zone 'Asia/Shanghai' as wanted
  from drawn d
), dated as (
  select t.*, date_trunc('milliseconds', case when wanted > '{{now}}'::timestamptz - interval '2 minutes' then '{{now}}'::timestamptz - interval '2 minutes' - clock * interval '3 hours' else wanted end) as created_at from timed t
)
select (select max(id) from expresses) + row_number() over (order by d.created_at, d.clock) as id, row_number() over (order by d.created_at, d.clock) as nth,
  d.station_id, d.station_nth, c.id as user_id, p.level, p.id as pattern_id, p.terms, d.created_at, d.created_at - p.created_at as delta, d.kind, a.age, d.created_at + a.age as until,
  floor({{parcels}} * 0.5 * power(d.person, 1.5))::bigint as person,
  case when d.sender < 0.3 then null else d.station_nth * 100000 + floor(power(1 + {{parcels}} * d.share * 0.2, d.sender))::bigint end as sender,
  case d.kind when 'draft' then 0 when 'waiting' then 10 else case when a.age >= p.lasts then p.state_code
    else (select t.to_code from scale.step t where t.pattern_id = p.id and t.after <= a.age order by t.no desc limit 1) end end::smallint as state_code,
  d.kind = 'normal' and coalesce(p.charged_after <= a.age, false) as charged
from (select d.clock, d.kind between 0.01 and 0.16 as stuck, d.clerk, d.pattern, d.person, d.sender, d.created_at, '{{now}}'::timestamptz - d.created_at as age, s.id as station_id, s.nth as station_nth, s.level, s.share, s.clerks, s.patterns,
    case when d.kind < 0.003 then 'draft' when d.kind < 0.008 and d.created_at > '{{now}}'::timestamptz - interval '30 days' then 'waiting' else 'normal' end as kind
    from dated d cross join bounds b join scale.station s on s.rank = width_bucket(d.station, b.shares)) d
  join scale.clerk c on c.station_id = d.station_id and c.k = 1 + floor(d.clerks * power(d.clerk, 1.5))::integer
  join scale.pattern p on p.level = d.level and p.nth = floor(d.pattern * d.patterns)::bigint
  cross join lateral (select case when d.stuck then least(d.age, p.stuck_after) else d.age end as age) a;
create index on scale.parcel (id);
analyze scale.parcel;
