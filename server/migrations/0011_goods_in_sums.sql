-- How often goods were used is kept in sums by day (server/sql/express-uses.sql).
alter table express_uses drop constraint express_uses_what_check;
alter table express_uses add constraint express_uses_what_check
  check (what in ('voucher', 'merchant', 'area', 'guarantee', 'goods', 'promise', 'signed', 'signed_minutes', 'due', 'on_time', 'picked_up'));
comment on index express_uses_of is 'How many parcels used a template, an account, goods or a delivery time in thirty days, from the index alone (usesLately in domain/express/sums.ts), and the sums that steps are added to (server/sql/express-uses.sql).';
