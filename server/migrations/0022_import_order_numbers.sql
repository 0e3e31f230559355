-- Rows of imports are compared by their shop's order number, as parcels are.
create index import_rows_orders on import_rows (import_id, upper(fields ->> 'thr_order_id')) where fields ->> 'thr_order_id' <> '';
comment on index import_rows_orders is 'Rows of an import with an order number, and of the station''s other open imports (domain/imports/repeats.ts).';
