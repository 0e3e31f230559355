-- Precondition: 0095.
-- Lists of billing lines of a rare type walked back through all lines. The types of most lines (hold, charge, profit) stay out, so that an order writes no entry here.
create index statements_rare on statements (station_id, type, transfer_id, id)
  where type in ('top_up', 'withdrawal', 'release', 'reweigh', 'surcharge', 'refund', 'payout', 'adjustment', 'reversal');
comment on index statements_rare is 'The newest lines of a rare type of each station (rareLines in domain/ledger/rare-lines.ts, listStatements in domain/ledger/statements.ts).';
create index statements_rare_all on statements (type, transfer_id, id) include (station_id)
  where type in ('top_up', 'withdrawal', 'release', 'reweigh', 'surcharge', 'refund', 'payout', 'adjustment', 'reversal');
comment on index statements_rare_all is 'The newest lines of a rare type of all stations, with the station that row-level security reads (domain/ledger/rare-lines.ts, domain/ledger/statements.ts).';
create index statements_reversed on statements (station_id, transfer_id, id) where status = 'reversed';
comment on index statements_reversed is 'Lines that a reversal took back (listStatements in domain/ledger/statements.ts).';
