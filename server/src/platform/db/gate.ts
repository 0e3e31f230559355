/** Any 63-bit number that nothing else locks, beside the migration's. */
const gate = '7401239856120043';

/**
 * Every transaction of the product begins with it. New functions and policies come into force while no transaction runs (apply-sql.ts): each waits at its start,
 * where it holds nothing that another could wait for.
 */
export const enterGate = `select pg_advisory_xact_lock_shared(${gate})`;
export const closeGate = `select pg_advisory_xact_lock(${gate})`;
