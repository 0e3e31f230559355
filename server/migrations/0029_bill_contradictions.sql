-- Precondition: 0013.
-- What a carrier reports of a parcel after its bill was accepted moves nothing; it stands as a line of that bill.

alter table reconciliation_rows drop constraint reconciliation_rows_bucket_check;
alter table reconciliation_rows add constraint reconciliation_rows_bucket_check
  check (bucket in ('equal', 'weight_differs', 'price_differs', 'only_ours', 'only_theirs', 'duplicate', 'other_code', 'unreadable', 'otherwise'));
alter table reconciliation_rows drop constraint reconciliation_rows_check;
alter table reconciliation_rows add constraint reconciliation_rows_check check (no is not null or bucket in ('only_ours', 'otherwise'));
create unique index reconciliation_rows_otherwise on reconciliation_rows (reconciliation_id, express_id) where bucket = 'otherwise';
