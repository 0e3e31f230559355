import { pino, stdSerializers } from 'pino';
import type { Logger, LoggerOptions } from 'pino';

export type Log = Logger;

/** Names whose values never reach a log line, at any depth of our own lines. */
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

/** Fields that a line has of an error: a database's `detail` and `where` quote rows and are none. */
const errorFields = [
  'code',
  'constraint',
  'table',
  'column',
  'routine',
  'errno',
  'syscall',
  'address',
  'port',
] as const;

/** Phones in any text: mobile ones, and landlines with their area. */
const phones = /(?<!\d)(?:1[3-9]\d{9}|0\d{2,3}-?\d{7,8})(?!\d)/g;

/** A text of an error without phones, and without the value that a database quotes in it. */
const withoutPeople = (text: string): string =>
  text.replaceAll(/: "[^"]*"/g, ': "…"').replaceAll(phones, '***');

const errorLine = (error: unknown): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutPeople(error) : error;
  const { type, message, stack } = stdSerializers.err(error);
  const fields = error as Partial<Record<(typeof errorFields)[number], unknown>>;
  return {
    type,
    message: withoutPeople(message),
    stack: withoutPeople(stack),
    ...Object.fromEntries(
      errorFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    ...(error instanceof AggregateError && { aggregateErrors: error.errors.map(errorLine) }),
  };
};

/**
 * Structured lines on standard output; secrets are cut out by name, and no line holds a
 * request's body, a row of the database or a phone. `sink` takes the lines instead.
 */
export const createLog = (level: string, sink?: { write(line: string): void }): Log => {
  // Lines are buffered and written together, since a system call for each took a tenth of a
  // request. They are flushed after a tenth of a second, when the process exits, and at once after
  // an error.
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
 * For lines whose every field is known to hold no secret: they are not searched for one,
 * which costs four fifths of a line.
 */
export const withoutSearch = (log: Log): Log => log.child({}, { redact: [] });

export const silentLog = (): Log => pino({ level: 'silent' });
