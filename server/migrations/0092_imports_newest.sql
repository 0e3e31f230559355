-- Precondition: 0091.

create index imports_created on imports (created_at desc, id desc);
comment on index imports_created is 'All imports, newest first (features/imports/imports.ts).';
