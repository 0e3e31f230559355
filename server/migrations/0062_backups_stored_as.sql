-- Precondition: none.
-- No column has the name of an uploaded file's field.
alter table backups rename column file to stored_as;
