-- What a station ordered lately, from its daily sums instead of its parcels.
create index express_days_station on express_days (station_id, what, day) include (user_id, n);
comment on index express_days_station is 'What each station of a list ordered in thirty days, from the index alone (features/stations/rows.ts).';
