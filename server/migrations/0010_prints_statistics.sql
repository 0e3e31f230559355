-- A print is added with each label and updated by its printer's report. At the usual 20 % a table of ten million prints would be vacuumed after two million
-- reports, and its newest days would be missing from the statistics for as long.
alter table prints set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
