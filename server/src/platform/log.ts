import { pino } from 'pino';
import type { Logger } from 'pino';

export type Log = Logger;

/** Names whose values never reach a log line, at any depth that our own lines have. */
const secret = ['password', 'access_token', 'app_secret', 'app_key', 'authorization', 'token', 'sign', 'otp', 'secret'];

/** Structured lines on standard output; secrets are cut out by name, and no line holds a request's body. `sink` takes the lines instead. */
export const createLog = (level: string, sink?: { write(line: string): void }): Log => {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
  };
  // Without waiting for the reader of standard output, and many lines at once: a system call for each was a tenth of a request. What is not written yet is
  // written after a tenth of a second, and when the process exits.
  return pino(options, sink ?? pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 }));
};

/** For lines whose every field is known to hold no secret: they are not searched for one, which costs four fifths of a line. */
export const withoutSearch = (log: Log): Log => log.child({}, { redact: [] });

export const silentLog = (): Log => pino({ level: 'silent' });
