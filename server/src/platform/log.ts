import { pino } from 'pino';
import type { Logger, LoggerOptions } from 'pino';
import { errorLine } from './error-line.ts';

export type Log = Logger;

/** Names of fields whose values are never logged, however deeply they are nested. */
const secret = [
  'password',
  'access_token',
  'app_secret',
  'app_key',
  'authorization',
  'token',
  'sign',
  'otp',
  'secret',
];

export const silentLog = (): Log => pino({ level: 'silent' });

/**
 * Creates a log that writes structured lines to standard output, or to `sink` if it is set. Secrets
 * are removed by the names of their fields. No line contains the body of a request, a database row
 * or a phone number.
 */
export const createLog = (level: string, sink?: { write(line: string): void }): Log => {
  // A silent log would need no timer to flush its lines.
  if (level === 'silent') return silentLog();
  // Lines are buffered and written together, because one system call for each line took a tenth of
  // the time of a request. The buffer is written every tenth of a second, after an error, and when
  // the process exits.
  const output = sink
    ? null
    : pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 });
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[cut]',
    },
    serializers: { err: errorLine, detail: errorLine },
    hooks: {
      logMethod(line, method, number) {
        method.apply(this, line);
        if (number >= pino.levels.values['warn']!) output?.flush();
      },
    },
  };
  return pino(options, output ?? sink!);
};

/**
 * Returns a logger for lines whose fields certainly contain no secret. The lines are not searched
 * for secrets, because the search takes four fifths of the time of logging a line.
 */
export const withoutSearch = (log: Log): Log => log.child({}, { redact: [] });
