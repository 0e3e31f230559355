-- Precondition: 0115.

-- The first rows of the sheet with their lines, from which a person chooses the row of titles; null: read before there was such a choice.
alter table import_files add column head jsonb;
