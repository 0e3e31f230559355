-- Precondition: `status` of accounts and stations is 1 or 0, and the audit log names the role of whoever changed it.
-- 1: super or admin disabled the row, and only they enable it again (requirements §10.12.8).
alter table accounts add column disabled_by_office smallint not null default 0 check (disabled_by_office in (0, 1));
alter table stations add column disabled_by_office smallint not null default 0 check (disabled_by_office in (0, 1));

update accounts a set disabled_by_office = 1 where status = 0 and coalesce((select l.role in ('super', 'admin') from audit_log l
  where l.subject = 'accounts' and l.subject_id = a.id and l.changes ? 'status' order by l.id desc limit 1), true);
update stations s set disabled_by_office = 1 where status = 0 and coalesce((select l.role in ('super', 'admin') from audit_log l
  where l.subject = 'stations' and l.subject_id = s.id and l.changes ? 'status' order by l.id desc limit 1), true);
