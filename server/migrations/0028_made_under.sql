-- The manager of a network under whom an account or a station was made: the first account outside the office in the chain of makers, which itself was made by
-- the office. Null where the office made it. Bounds are counted by it, so that they do not multiply with accounts that a manager makes (domain/made-under).
alter table accounts add column made_under bigint references accounts (id);
alter table stations add column made_under bigint references accounts (id);

-- Accounts that exist: whoever gave one its first password made it. Stations that exist count for nobody.
with recursive maker as (
    select distinct on (s.account_id) s.account_id, s.by_account_id from account_setups s where s.what = 'password' order by s.account_id, s.id),
  up as (
    select m.account_id, m.by_account_id, 1 as level from maker m join accounts b on b.id = m.by_account_id and b.role not in ('super', 'admin')
    union all
    select u.account_id, m.by_account_id, u.level + 1 from up u join maker m on m.account_id = u.by_account_id
      join accounts b on b.id = m.by_account_id and b.role not in ('super', 'admin') where u.level < 200),
  top as (select distinct on (account_id) account_id, by_account_id from up order by account_id, level desc)
update accounts a set made_under = top.by_account_id from top where a.id = top.account_id;

create index accounts_made_under on accounts (made_under, registered_at) where made_under is not null;
comment on index accounts_made_under is 'Accounts made under a manager, in all and since a moment (domain/made-under).';
create index stations_made_under on stations (made_under, created_at) where made_under is not null;
comment on index stations_made_under is 'Stations made under a manager, in all and since a moment (domain/made-under).';
