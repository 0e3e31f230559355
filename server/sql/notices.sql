-- Channels that inbox entries are sent to (requirements §10.2.26). Handlers read a user's own rows
-- in the system's scope, filtered by account.

alter table notice_channels enable row level security;
alter table notice_channels force row level security;
drop policy if exists notice_channels_scope on notice_channels;
create policy notice_channels_scope on notice_channels using ((select scope_all()));

alter table notice_outbox enable row level security;
alter table notice_outbox force row level security;
drop policy if exists notice_outbox_scope on notice_outbox;
create policy notice_outbox_scope on notice_outbox using ((select scope_all()));

alter table mail_state enable row level security;
alter table mail_state force row level security;
drop policy if exists mail_state_scope on mail_state;
create policy mail_state_scope on mail_state using ((select scope_all()));

revoke all on notice_channels, notice_outbox, mail_state from {{app_role}};
grant select, insert, update, delete on notice_channels, notice_outbox to {{app_role}};
grant select, insert, update on mail_state to {{app_role}};
