-- Precondition: 0094.

-- Parcels by the price line (region of a template) and the insurance tier that priced them, beside those by template and carrier account.
alter table express_uses drop constraint express_uses_what_check, add constraint express_uses_what_check check (what in ('voucher', 'merchant', 'area', 'guarantee'));
