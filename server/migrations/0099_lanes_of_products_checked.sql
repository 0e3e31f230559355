-- Precondition: 0098. In a transaction of its own, so that parcels are written meanwhile.
select set_config('waystation.scope', 'all', true);
alter table express_uses validate constraint express_uses_what_check;
select set_config('waystation.scope', '', true);
