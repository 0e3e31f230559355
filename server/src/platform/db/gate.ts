/**
 * Every transaction of the product begins with it. New functions and policies come into force while no transaction runs (apply-sql.ts): each waits at its start,
 * where it holds nothing that another could wait for. A table's lock, since PostgreSQL takes no snapshot for it: the isolation level may still be chosen after it.
 */
export const enterGate = 'lock table schema_sql in access share mode';
export const closeGate = 'lock table schema_sql in access exclusive mode';
