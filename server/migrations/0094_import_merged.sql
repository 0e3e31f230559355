-- Precondition: 0093.

-- Columns (from 0) whose text is that of a merged cell above.
alter table import_rows add column merged jsonb not null default '[]';
