/**
 * Every transaction of the product begins with `enterGate`. New functions and policies take effect
 * while no transaction runs (apply-sql.ts): new ones wait at their start, where they hold no lock.
 * The gate is a table lock, because PostgreSQL takes no snapshot for it, so that the isolation
 * level may still be set afterwards.
 */
export const enterGate = 'lock table schema_sql in access share mode';
export const closeGate = 'lock table schema_sql in access exclusive mode';
