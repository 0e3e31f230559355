-- Precondition: none.
-- The address book entries of a phone, with and without an extension: a range in byte order, which row-level security leaves to the index.
create index contacts_phone on contacts (phone collate "C");
comment on index contacts_phone is 'Entries of all stations with a whole phone (features/people/personal-data.ts).';
