-- Precondition: 0054.
-- Parcels by the day they were made on, of each template and of each carrier account, as signed steps (docs/decisions/0039).
create table express_uses (
  what text not null check (what in ('voucher', 'merchant')),
  of_id bigint not null,
  day date not null,
  n bigint not null,
  fresh boolean not null default true
);
create index express_uses_of on express_uses (what, of_id, day) include (n);
comment on index express_uses_of is 'How many parcels used a template or an account in thirty days, from the index alone (usesLately in domain/express/sums.ts), and the sums that steps are added to (server/sql/express-uses.sql).';
create index express_uses_fresh on express_uses (what) where fresh;
comment on index express_uses_fresh is 'Steps to be added up (server/sql/express-uses.sql).';
alter table express_uses set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000);
