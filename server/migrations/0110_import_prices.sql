-- Precondition: 0095.
-- What the rows of an import cost: a table of its own, since a row is wide and is written once, while its price is asked for again and again.

create table import_prices (
  import_id bigint not null,
  no integer not null,
  promise_id text not null,
  -- Fen; grams.
  post_amount bigint not null,
  cal_weight integer not null,
  primary key (import_id, no),
  foreign key (import_id) references imports (id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000);

insert into import_prices (import_id, no, promise_id, post_amount, cal_weight)
  select import_id, no, promise_id, post_amount, cal_weight from import_rows where post_amount is not null and cal_weight is not null;

alter table import_rows drop column promise_id, drop column post_amount, drop column cal_weight;
