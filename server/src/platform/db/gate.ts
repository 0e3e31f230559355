/**
 * The first statement of every transaction of the product. New functions and policies take effect
 * while no transaction runs (apply-sql.ts): new transactions wait at this statement, where they
 * hold no lock. The gate is a table lock, because PostgreSQL takes no snapshot for it. The
 * isolation level may therefore still be set afterwards.
 */
export const enterGate = 'lock table schema_sql in access share mode';
export const closeGate = 'lock table schema_sql in access exclusive mode';
