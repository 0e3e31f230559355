-- Precondition: none.
-- How products keep their time on a lane is kept in sums by day (server/sql/express-uses.sql).
select set_config('waystation.scope', 'all', true);
alter table express_uses drop constraint express_uses_what_check;
alter table express_uses add constraint express_uses_what_check
  check (what in ('voucher', 'merchant', 'area', 'guarantee', 'goods', 'promise', 'signed', 'signed_minutes', 'due', 'on_time', 'picked_up',
    'lane_signed', 'lane_minutes', 'lane_due', 'lane_on_time')) not valid;
comment on index express_uses_of is 'How many parcels used a template, an account, goods, a delivery time or its lane in thirty days, from the index alone (usesLately in domain/express/sums.ts, lanes.ts), and the sums that steps are added to (server/sql/express-uses.sql).';
select set_config('waystation.scope', '', true);
