-- Precondition: 0095.
-- Further papers of labels, and label printers that take TSPL.

alter table prints drop constraint prints_format_check;
alter table prints add constraint prints_format_check check (format in ('76x130', '100x150', '100x180', 'a4'));
alter table prints drop constraint prints_driver_check;
alter table prints add constraint prints_driver_check check (driver in ('pdf', 'component', 'zpl', 'tspl'));
