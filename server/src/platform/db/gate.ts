/**
 * Every transaction of the product begins with it. New functions and policies take effect while no
 * transaction runs (apply-sql.ts): each waits at its start, where it holds no lock. A table lock is
 * used, since PostgreSQL takes no snapshot for it, and the isolation level may still be set
 * afterwards.
 */
export const enterGate = 'lock table schema_sql in access share mode';
export const closeGate = 'lock table schema_sql in access exclusive mode';
