-- How long each table keeps its rows; `\dt+` of psql shows it. retention.test.ts requires a comment
-- on every table: a task prunes it after a setting or a time, its rows are bounded, or they are
-- kept for the stated reason. The ledger and its sources under hashes are never pruned.

comment on table alerts is 'Pruned by prune after closed_alert_days from closing; open ones stay.';
comment on table api_keys is 'Pruned by tidy 90 days after it expired or was revoked; 20 live ones an account.';
comment on table api_key_calls is 'Bounded: one row a key, removed with it.';
comment on table api_key_orders is 'Bounded: one row a key, removed with it.';
comment on table account_key_calls is 'Bounded: one row an account.';
comment on table audit_log is 'Pruned by prune after audit_days, by prune_audit_log alone, never within a year.';
comment on table carrier_calls is 'Pruned by tidy_calls after carrier_call_days.';
comment on table carrier_pushes is 'Pruned by prune after carrier_push_days, once read; unread ones stay.';
comment on table express_counts is 'Pruned by roll_up_counts, which adds steps up each minute.';
comment on table express_days is 'Pruned by roll_up_counts, which adds steps up each minute.';
comment on table express_lane_fill is 'Bounded: a single row, while lanes are added up for the first time.';
comment on table express_lanes is 'Pruned by roll_up_counts, which adds steps up each minute, and removes days after 60.';
comment on table express_uses is 'Pruned by roll_up_counts, which adds steps up each minute.';
comment on table idempotency_keys is 'Pruned by tidy after 30 days, for which a repeated call has one effect.';
comment on table import_files is 'Pruned by tidy with their import, after import_days.';
comment on table import_prices is 'Pruned by tidy with their import, after import_days.';
comment on table import_rows is 'Pruned by tidy with their import, after import_days.';
comment on table import_step_rows is 'Pruned by tidy with their import, after import_days.';
comment on table import_steps is 'Pruned by tidy with their import, after import_days.';
comment on table imports is 'Pruned by tidy after import_days from the last change; failed and cancelled ones without parcels after 7 days.';
comment on table inbox_entries is 'Pruned by tidy after inbox_days; read ones after 30 days.';
comment on table inbox_notices is 'Pruned by deliver_inbox, which turns them into entries each minute.';
comment on table known_browsers is 'Pruned by tidy after 30 days without a login.';
comment on table ledger_days is 'Pruned by roll_up_counts, which adds steps up each minute.';
comment on table live_events is 'Pruned by prune_live_events after 15 minutes.';
comment on table login_failures is 'Pruned by tidy after 24 hours: attempts count for 15 minutes.';
comment on table phone_searches is 'Pruned by tidy after 24 hours: searches count for an hour.';
comment on table refused_calls is 'Pruned by audit_refused_calls, which moves them into the audit log each minute.';
comment on table sessions is 'Pruned by tidy once expired.';
comment on table user_job_files is 'Pruned by tidy after export_file_days.';
comment on table user_job_items is 'Pruned by tidy with their job, after job_days.';
comment on table user_jobs is 'Pruned by tidy after job_days, once ended.';
comment on table notice_channels is 'Bounded: 5 an account; removed and unconfirmed ones are pruned by tidy after a day.';
comment on table notice_outbox is 'Pruned by send_notices, which deletes what was sent and what has waited for 3 days.';
comment on table mail_state is 'Bounded: a single row.';
comment on table webhook_events is 'Bounded: workers make deliveries of them within seconds.';
comment on table webhook_deliveries is 'Pruned by tidy 14 days after their event; at most 10,000 wait a webhook.';
comment on table webhooks is 'Bounded: 5 an account, 20 a station; removed ones go with their deliveries.';
comment on table webhook_kinds is 'Bounded: one row a kind of event.';
comment on table account_invitations is 'Bounded: one row an account, deleted once the link is used.';
comment on table accounts is 'Bounded: one row a person; 1,000 under a manager.';
comment on table backup_schedule is 'Bounded: a single row.';
comment on table cargos is 'Bounded: goods, set up by the office.';
comment on table carrier_hints is 'Bounded: one row a parcel and effect until the carrier confirms it.';
comment on table carrier_numbers is 'Bounded: numbers fetched ahead; an order takes one away.';
comment on table carrier_pace is 'Bounded: one row a carrier account.';
comment on table carrier_slots is 'Bounded: one row a carrier account.';
comment on table contacts is 'Bounded: 50,000 a station.';
comment on table contact_keys is 'Bounded: about ten a contact.';
comment on table express_count_sums is 'Bounded: one row a station and state.';
comment on table guarantees is 'Bounded: insurance tiers.';
comment on table import_paces is 'Bounded: one row a carrier account.';
comment on table ledger_checkpoints is 'Bounded: one row a station.';
comment on table ledger_head_marks is 'Bounded: one row a chain.';
comment on table ledger_months_rolled is 'Bounded: a single row.';
comment on table ledger_walks is 'Bounded: a full check deletes the walks before its own.';
comment on table live_event_log is 'Bounded: a single row.';
comment on table merchants is 'Bounded: one row a carrier account.';
comment on table preferences is 'Bounded: 500 an account.';
comment on table project_vouchers is 'Bounded: one row a scheme and product.';
comment on table projects is 'Bounded: freight schemes, set up by the office.';
comment on table promises is 'Bounded: products of carriers.';
comment on table recovery_codes is 'Bounded: a set of codes an account; used ones stay until it is renewed.';
comment on table saved_views is 'Bounded: 200 an account.';
comment on table schema_migrations is 'Bounded: one row a migration.';
comment on table schema_sql is 'Bounded: one row a file of server/sql.';
comment on table settings is 'Bounded: one row a setting.';
comment on table statement_rolled is 'Bounded: one row a station.';
comment on table station_claims is 'Bounded: one row a top-up reversed in part.';
comment on table station_setups is 'Bounded: one row a station.';
comment on table stations is 'Bounded: one row a station; 500 under a manager.';
comment on table two_factor_secrets is 'Bounded: one row an account.';
comment on table vouchers is 'Bounded: freight templates, set up by the office.';
comment on table worker_heartbeats is 'Bounded: one row a living worker.';
comment on table account_setups is 'Kept: who set up whose account decides who may approve; rare.';
comment on table backups is 'Kept: one row a backup; the files are removed after backup_keep_days.';
comment on table bill_mappings is 'Kept: one row a layout of a bill.';
comment on table erasures is 'Kept: when somebody was erased, without the person; rare.';
comment on table express_day_sums is 'Kept: one row a station, day and figure.';
comment on table express_edits is 'Kept: changes of a parcel that a carrier was asked for; its price followed them.';
comment on table express_facts is 'Kept: under hashes; prices follow from them.';
comment on table express_keys is 'Kept: with the parcels, which are found by them.';
comment on table express_messages is 'Kept: under hashes; states follow from them.';
comment on table express_moves is 'Kept: the proof reads every move of a parcel (I10).';
comment on table express_versions is 'Kept: under hashes; transfers name them.';
comment on table expresses is 'Kept: what the ledger charged for, and its proof reads it; a person is erased on request, erase_after_days after the last event.';
comment on table frozen_terms is 'Kept: under hashes; one row for equal terms.';
comment on table guarantee_plans is 'Kept: which tiers were in force when; rare.';
comment on table handover_scans is 'Kept: under hashes once closed; evidence of which packages a courier took.';
comment on table handovers is 'Kept: under hashes once closed; evidence of which packages a courier took.';
comment on table import_mappings is 'Kept: one row a station and layout of a sheet.';
comment on table json_shapes is 'Kept: prices and versions are read by them; one row a set of keys.';
comment on table ledger_blocks is 'Kept: evidence of suspended payments; rare.';
comment on table ledger_chain is 'Kept: the chain of the ledger.';
comment on table ledger_day_sums is 'Kept: one row a day and figure.';
comment on table ledger_entries is 'Kept: the ledger.';
comment on table ledger_gaps is 'Kept: evidence of an accepted gap; rare.';
comment on table ledger_head_lines is 'Kept: compared with the heads file; a line each 15 minutes with changes.';
comment on table ledger_holds is 'Kept: the proof reads every hold (I3).';
comment on table ledger_month_sums is 'Kept: one row a month and account.';
comment on table ledger_no_op_causes is 'Kept: a repeated movement is known by its cause.';
comment on table ledger_proofs is 'Kept: evidence of each check, some 40 a day.';
comment on table ledger_transfers is 'Kept: the ledger.';
comment on table number_generations is 'Kept: numbers never come again; a row a restore.';
comment on table order_outcomes is 'Kept: why each order of unknown outcome became certain; rare.';
comment on table period_balances is 'Kept: one row a station and closed month.';
comment on table period_bill_reasons is 'Kept: why a month closed without a bill.';
comment on table period_closings is 'Kept: under hashes; one row a closing.';
comment on table period_reminders is 'Kept: one row a month and day of a reminder.';
comment on table periods is 'Kept: one row a month.';
comment on table prints is 'Kept: evidence of who printed which label, and the limit of prints reads them.';
comment on table reconciliation_files is 'Kept: the bill as the carrier sent it, evidence of what is owed.';
comment on table reconciliation_payments is 'Kept: under hashes; payments to carriers.';
comment on table reconciliation_rows is 'Kept: under hashes once decided.';
comment on table reconciliations is 'Kept: carrier bills, which payments and closed months rest on.';
comment on table request_announcements is 'Kept: why one person could execute a request.';
comment on table request_approvals is 'Kept: under hashes; who approved a movement.';
comment on table secret_keys is 'Kept: which key encrypted a backup; rare.';
comment on table setting_raises is 'Kept: evidence of raised money limits and shortened retention; rare.';
comment on table source_blocks is 'Kept: the chain of the sources.';
comment on table source_hashes is 'Kept: the hashes of the sources.';
comment on table statement_confirmations is 'Kept: under hashes; one row a station and month.';
comment on table statement_days is 'Kept: one row a station, day and type.';
comment on table statement_months is 'Kept: one row a station, month and type.';
comment on table statements is 'Kept: the ledger, as a station reads it.';
comment on table voucher_impacts is 'Kept: what was known of a price before it was published; rare.';
comment on table voucher_versions is 'Kept: under hashes; prices of parcels name them.';

-- Removes the oldest entries of the audit log that are older than the setting audit_days, at most
-- `most` and at most 5,000, and adds an entry about it. Entries of the last year by the database's
-- clock always stay. The application role may not delete entries itself, so it calls this function.
create or replace function prune_audit_log(most integer) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept integer := greatest(365, coalesce((select (value #>> '{}')::integer from settings where name = 'audit_days'), 3650));
  removed integer;
begin
  perform set_config('waystation.pruning', 'on', true);
  delete from audit_log where id = any(array(select id from audit_log where at < now() - make_interval(days => kept) order by at limit least(most, 5000)));
  get diagnostics removed = row_count;
  perform set_config('waystation.pruning', '', true);
  if removed > 0 then
    insert into audit_log (account_name, role, action, subject, changes)
      values ('system', 'system', 'prune', 'audit', jsonb_build_object('days', array[null, kept], 'rows', array[null, removed]));
  end if;
  return removed;
end $$;

-- Replaced by prune_audit_log, which reads the setting itself.
drop function if exists prune_audit(timestamptz, integer);

revoke execute on function prune_audit_log(integer) from public;
grant execute on function prune_audit_log(integer) to {{app_role}};
