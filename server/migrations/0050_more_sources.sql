-- Precondition: 0007. Published prices, confirmed months, approvals and settings are sources of the ledger too (docs/decisions/0130).

-- The number by which the records of a setting name it.
alter table settings add column id bigint generated always as identity;
create unique index settings_id on settings (id);
comment on index settings_id is 'Unique: the setting of a record (server/sql/source-proof.sql).';

create index source_hashes_baseline on source_hashes (at) where baseline = 1;
comment on index source_hashes_baseline is 'When rows from before their hashes were taken over last (server/sql/ledger-heads.sql).';

-- Rows there are get a baseline. A new database has none, nor the functions.
do $$ begin
  if to_regprocedure('source_salt()') is null then return; end if;
  perform set_config('waystation.scope', 'all', true);
  insert into source_hashes (station_id, kind, k1, k2, baseline, digest)
    select 0, 'price_version', voucher_id, no, 1, source_record_digest('price_version', voucher_id, no, null, json_build_array(voucher_id, no, ledger_micros(valid_from),
      discount, northeast_discount, weight, published_by, ledger_micros(published_at))::text) from voucher_versions;
  insert into source_hashes (station_id, kind, k1, k2, baseline, digest)
    select 0, 'setting', id, 1, 1, source_record_digest('setting', id, 1, null, json_build_array(id, name, value, version, ledger_micros(updated_at), account_id)::text) from settings;
  insert into source_hashes (station_id, kind, k1, k2, baseline, digest)
    select s.station_id, 'approval', a.statement_id, a.account_id, 1, source_record_digest('approval', a.statement_id, a.account_id, null,
      json_build_array(a.statement_id, a.account_id, ledger_micros(a.at), a.amount, a.alone)::text) from request_approvals a join statements s on s.id = a.statement_id;
  insert into source_hashes (station_id, kind, k1, baseline, personal, salt, digest)
    select c.station_id, 'confirmation', c.id, 1, c.personal, c.salt, source_record_digest('confirmation', c.id, 0, c.personal, json_build_array(c.id, c.station_id, c.period,
      c.opening, c."in", c."out", c.closing, c.frozen, c.lines, c.confirmed_by, ledger_micros(c.at))::text)
    from (select c.*, source_personal(c.salt, json_build_array(c.confirmed_by_name, c.note)::text) as personal
      from (select c.*, source_salt() as salt from statement_confirmations c offset 0) c) c;
  perform set_config('waystation.scope', '', true);
end $$;
