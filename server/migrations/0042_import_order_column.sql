-- An expression is not looked up under row-level security, a column is. The rows are those of recent imports alone.
alter table import_rows add column order_no text generated always as (upper(nullif(fields ->> 'thr_order_id', ''))) stored;
drop index import_rows_orders;
create index import_rows_orders on import_rows (import_id, order_no) where order_no is not null;
comment on index import_rows_orders is 'Rows of an import with an order number, and of the station''s other open imports (domain/imports/repeats.ts).';
