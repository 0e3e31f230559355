-- Precondition: 0130.

-- When the carrier promised to deliver, from its answer to the order; null: it promised nothing.
alter table expresses add column promised_at timestamptz;

-- What delivery times come to, by `promises.id`: parcels by the day they were made on, and by the day of their signature those signed for, the minutes from order to
-- signature, those of them that had a promised time, and those that kept it.
alter table express_uses drop constraint express_uses_what_check, add constraint express_uses_what_check
  check (what in ('voucher', 'merchant', 'area', 'guarantee', 'promise', 'signed', 'signed_minutes', 'due', 'on_time'));
comment on index express_uses_of is 'How many parcels used a template, an account or a delivery time in thirty days, from the index alone (usesLately in domain/express/sums.ts), and the sums that steps are added to (server/sql/express-uses.sql).';
comment on index expresses_recent is 'How often goods were used lately, from the index alone (features/setup/cargos.ts); stations and accounts are in it for the policy.';
comment on index expresses_signed is 'Arrived parcels whose weight and fee are asked for once more (domain/express/poll.ts).';
