-- Precondition: none.
-- Smaller indexes of moves and parcels. No row is rewritten; with two million parcels the three indexes take about half a minute, in which parcels wait to be
-- written.
-- Moves are read by parcel alone: one index is their key, instead of one by id beside it.
create unique index express_moves_key on express_moves (express_id, id);
alter table express_moves drop constraint express_moves_pkey;
alter table express_moves add constraint express_moves_pkey primary key using index express_moves_key;
drop index express_moves_express;
-- Half of the moves are no arrivals: to being ordered, and from one state in transit to another.
drop index express_moves_arrivals;
create index express_moves_arrivals on express_moves (to_code, at)
  where to_code <> 20 and (to_code = any ('{200,210,220,400,410}') and from_code = any ('{200,210,220,400,410}')) is not true;
comment on index express_moves_arrivals is 'Parcels that came into a state on some days (features/parcels/filters.ts, which repeats the condition).';
-- Its other columns served a statistic that is gone.
drop index expresses_signed;
create index expresses_signed on expresses (signed_at) where signed_at is not null;
comment on index expresses_signed is 'Arrived parcels whose weight and fee are asked for once more (domain/express/poll.ts).';
