-- Precondition: 0060.
-- Whether a person may take lists out as files: a right of the account. Clerks do not have it until somebody gives it to them.

alter table accounts add column may_export smallint not null default 1 check (may_export in (0, 1));
update accounts set may_export = 0 where role = 'user';
