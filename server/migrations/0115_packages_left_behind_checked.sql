-- Precondition: 0114. In a transaction of its own, so that parcels are written meanwhile.
select set_config('waystation.scope', 'all', true);
alter table expresses validate constraint expresses_exception_check;
select set_config('waystation.scope', '', true);
