-- Precondition: none.
-- The installation whose range all numbers are in (docs/decisions/0137): each has ids and order numbers that no other gives out.
alter table number_generations add column installation smallint not null default 0 check (installation between 0 and 255);
alter table number_generations drop constraint number_generations_cause_check;
alter table number_generations add constraint number_generations_cause_check
  check (cause in ('first', 'restore', 'timeline', 'system', 'installation'));
