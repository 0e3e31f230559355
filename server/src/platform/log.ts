import { pino } from 'pino';
import type { Logger } from 'pino';

export type Log = Logger;

/** Names whose values never reach a log line, at any depth that our own lines have. */
const secret = ['password', 'access_token', 'app_secret', 'app_key', 'authorization', 'token', 'sign', 'otp', 'secret'];

/** Structured lines on standard output; secrets are cut out by name, and no line holds a request's body. */
export const createLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
  });

export const silentLog = (): Log => pino({ level: 'silent' });
