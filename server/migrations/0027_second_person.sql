-- Precondition: 0026_money_requests.
-- Who set up whose account: nobody approves what an account asks for that they, or somebody who set up both, set up within 30 days (docs/ledger.md, Limits).

create table account_setups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- Who did it, somebody else.
  by_account_id bigint not null references accounts (id),
  what text not null check (what in ('password', 'second_factor', 'role', 'station', 'status')),
  at timestamptz not null,
  check (account_id <> by_account_id)
);
create index account_setups_account on account_setups (account_id, at);
create trigger account_setups_append_only before update or delete or truncate on account_setups execute function refuse_change();

alter table account_setups enable row level security;
alter table account_setups force row level security;
create policy account_setups_read on account_setups for select using ((select scope_all()));
create policy account_setups_write on account_setups for insert with check (true);
grant select, insert on account_setups to {{app_role}};

-- What was done before this table.
do $$
begin
  perform set_config('waystation.scope', 'all', true);
  insert into account_setups (account_id, by_account_id, what, at)
    select l.subject_id, l.account_id, w.what, l.at from audit_log l
      cross join lateral (values ('password', l.action = 'create' or l.action = 'reset_password'), ('second_factor', l.action = 'reset_second_factor'),
        ('role', l.changes ? 'role'), ('station', l.changes ? 'station_id'), ('status', l.changes ? 'status')) w (what, done)
    where l.subject = 'accounts' and l.action in ('create', 'edit', 'enable', 'disable', 'reset_password', 'reset_second_factor') and w.done
      and l.account_id <> l.subject_id and exists (select 1 from accounts a where a.id = l.subject_id) order by l.id;
  perform set_config('waystation.scope', '', true);
end $$;

-- Requests nobody else may decide, since when everybody in the office could know: 24 hours later they can be executed.
create table request_announcements (
  statement_id bigint primary key references statements (id),
  account_id bigint not null references accounts (id),
  at timestamptz not null
);
create trigger request_announcements_append_only before update or delete or truncate on request_announcements execute function refuse_change();
alter table request_announcements enable row level security;
alter table request_announcements force row level security;
create policy request_announcements_scope on request_announcements using ((select scope_all()));
grant select, insert on request_announcements to {{app_role}};

-- Whose doing an alert tells of: they do not close it themselves.
alter table alerts add column account_id bigint references accounts (id);
