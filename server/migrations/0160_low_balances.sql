-- Precondition: 0152.
alter table stations add column low_balance bigint check (low_balance between 0 and 100000000000);
comment on column stations.low_balance is 'Fen; below this available sum people are warned. Null: the setting of the network.';
