-- Precondition: none.
-- Alerts that were closed long ago are removed.
create index alerts_closed on alerts (closed_at) where closed_at is not null;
comment on index alerts_closed is 'Removes alerts closed long ago (domain/alerts/alerts.ts).';
