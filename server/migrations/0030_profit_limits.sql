-- Precondition: 0016.
-- How much of a parcel a partner may give itself: profit terms of the stations below it are the office's, up to these limits the partner's too
-- (requirements §10.12.4).

alter table stations
  add column profit_limit integer not null default 0 check (profit_limit between 0 and 10000),
  add column fixed_profit_limit bigint not null default 0 check (fixed_profit_limit >= 0);
grant insert (profit_limit, fixed_profit_limit), update (profit_limit, fixed_profit_limit) on stations to {{app_role}};

-- A network that exists keeps its terms: the most that stands below a partner's station is that partner's limit.
select set_config('waystation.scope', 'all', true);
with recursive below as (
  select distinct a.station_id as partner_id, s.id, s.profit, s.fixed_profit
    from accounts a join stations s on s.parent_id = a.station_id where a.role = 'partner'
  union
  select b.partner_id, c.id, c.profit, c.fixed_profit from below b join stations c on c.parent_id = b.id
), most as (select partner_id, max(profit) as profit, max(fixed_profit) as fixed_profit from below group by partner_id)
update stations s set profit_limit = m.profit, fixed_profit_limit = m.fixed_profit from most m where m.partner_id = s.id;
