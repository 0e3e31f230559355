-- Texts and hashes of transfers and statements, and the links of the chains.

-- Microseconds since 1970: the form of a time in all hashed texts.
create or replace function ledger_micros(moment timestamptz) returns bigint language sql stable parallel safe as
  $$ select (extract(epoch from moment) * 1000000)::bigint $$;

-- Text of the fields of a statement that never change once it is posted. A row that reverses
-- nothing has the same text, and so the same hash, as before the column reverses_id existed.
create or replace function ledger_statement_text(s statements) returns text language sql stable parallel safe as $$
  select json_build_array(s.id, s.station_id, s.transfer_id, s.seq, s.type, s.express_id, s.delivery_id, s.amount, s.freeze_amount, s.pre_amount, s.discount,
    s.discount_amount, s.guarantee_amount, s.post_amount, s.available, s.balance, s.profit, s.description, s.period, s.has_amount, s.fixed_freeze,
    s.account_id, s.decided_by, s.decision_reason, ledger_micros(s.created_at), ledger_micros(s.posted_at))::text
    || case when s.reverses_id is null then '' else json_build_array(s.reverses_id)::text end
$$;

create or replace function ledger_statement_hash(facts text, status text, updated_at timestamptz) returns bytea language sql stable parallel safe as
  $$ select sha256(convert_to(json_build_array(status, ledger_micros(updated_at))::text || facts, 'UTF8')) $$;

create or replace function ledger_transfer_text(t ledger_transfers) returns text language sql stable parallel safe as $$
  select json_build_array(t.id, t.kind, t.cause, encode(t.content, 'hex'), t.station_id, t.express_id, t.attempt, t.account_id, ledger_micros(t.at), t.period)::text
    || coalesce(encode(t.version_hash, 'hex'), '')
$$;

create or replace function ledger_entry_text(e ledger_entries) returns text language sql stable parallel safe as
  $$ select json_build_array(e.no, e.account, e.station_id, e.amount, e.balance, e.seq, e.period)::text $$;

-- `facts` joins the texts of the transfer's statements, in their order.
create or replace function ledger_transfer_facts_hash(t ledger_transfers, entries ledger_entries[], facts text) returns bytea language plpgsql stable parallel safe as $$
declare
  entry ledger_entries;
  whole text := ledger_transfer_text(t);
begin
  foreach entry in array entries loop
    whole := whole || ledger_entry_text(entry);
  end loop;
  return sha256(convert_to(whole || facts, 'UTF8'));
end $$;

create or replace function ledger_transfer_hash(t ledger_transfers, entries ledger_entries[], lines statements[]) returns bytea language plpgsql stable parallel safe as $$
declare
  line statements;
  facts text := '';
begin
  foreach line in array lines loop
    facts := facts || ledger_statement_text(line);
  end loop;
  return ledger_transfer_facts_hash(t, entries, facts);
end $$;

create or replace function ledger_chain_hash(hash_before bytea, station bigint, seq bigint, transfer_hash bytea) returns bytea language sql immutable parallel safe as
  $$ select sha256(hash_before || int8send(station) || int8send(seq) || transfer_hash) $$;
