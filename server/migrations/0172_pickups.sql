-- Precondition: 0131.
-- Parcels by the day they were picked up on, of each carrier account: what the books say of accounts without a bill.
alter table express_uses drop constraint express_uses_what_check, add constraint express_uses_what_check
  check (what in ('voucher', 'merchant', 'area', 'guarantee', 'promise', 'signed', 'signed_minutes', 'due', 'on_time', 'picked_up'));
