-- How often goods were used is read from sums by day (server/sql/express-uses.sql): the list of goods read every parcel of thirty days from this index.
drop index expresses_recent;

-- Without what figures of delivery times read from it before they had sums of their own.
drop index expresses_signed;
create index expresses_signed on expresses (signed_at, id) where signed_at is not null;
comment on index expresses_signed is 'Arrived parcels whose weight and fee are asked for once more (domain/express/poll.ts).';

alter table express_uses drop constraint express_uses_what_check;
alter table express_uses add constraint express_uses_what_check
  check (what in ('voucher', 'merchant', 'area', 'guarantee', 'goods', 'promise', 'signed', 'signed_minutes', 'due', 'on_time', 'picked_up'));
