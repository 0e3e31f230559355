-- Precondition: 0003.
-- What a station had, took in and paid out between two days, read from the index; without it the whole history was walked for every page of the list.
create index statements_days on statements (station_id, posted_at, seq) include (amount, freeze_amount);
