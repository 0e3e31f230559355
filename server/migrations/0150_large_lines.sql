-- Precondition: 0131.
-- Lists of large amounts walked back through all lines of their days. A parcel's usual price is below, so that an order writes no entry here.
create index statements_large on statements (station_id, transfer_id, id) where abs(amount) >= 10000;
comment on index statements_large is 'The newest lines of large amounts of each station (firstLines in domain/ledger/rare-lines.ts).';
create index statements_large_all on statements (transfer_id, id) include (station_id) where abs(amount) >= 10000;
comment on index statements_large_all is 'The newest lines of large amounts of all stations, with the station that row-level security reads (domain/ledger/rare-lines.ts).';
-- Without it PostgreSQL expects next to no line of any amount, and reads and sorts all lines of the days instead of walking to the first that fit.
create statistics statements_size on abs(amount) from statements;
