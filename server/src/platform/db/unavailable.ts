import { isLostStatement, isStalePlan } from './prepared.ts';
import { isOfWrongServer } from './standby.ts';

const unavailable = new Set([
  // PostgreSQL is shutting down or starting up, has crashed, or is recovering
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  // no more connections, memory or disk space; an input or output error
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '58000',
  '58030',
  // errors of the connection
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08007',
  // the error of a pooler whose connection to the server was lost
  '08P01',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // a statement that exceeded its time limit
  '57014',
  // a deadlock or a conflict: the transaction was rolled back and succeeds if it is repeated
  '40001',
  '40003',
  '40P01',
  '55P03',
  '25P03',
]);

/**
 * True if an error means that the database is unreachable or overloaded, for example while it
 * restarts. False if the query itself is wrong.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (isStalePlan(error) || isLostStatement(error) || isOfWrongServer(error)) return true;
  const code = (error as { code?: string }).code;
  if (code !== undefined && unavailable.has(code)) return true;
  return /Connection terminated|timeout expired|timeout exceeded when trying to connect|not queryable/.test(
    error.message,
  );
};
