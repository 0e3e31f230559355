/**
 * The fields of an error that a log line shows. `detail` and `where` of a database error are left
 * out, because they quote rows.
 */
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

/**
 * Phone numbers in any text: mobile numbers with spaces, hyphens and extensions, and landline
 * numbers with their area code.
 */
const phones =
  /(?<!\d)(?:(?:(?:\+|00)?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}|(?:\+86[- ]?|0)\d{2,3}[- ]?\d{7,8})(?:-\d+)?(?!\d)/g;

/** The part of an error's message that quotes a text which JSON.parse could not read. */
const unreadJson = /(?:Unexpected token .*|"[^"]*)"(?:\.\.\.)? is not valid JSON/gs;

/** The value that a database error message quotes. The value may contain quotation marks itself. */
const quotedValue = /(?<=: |\bvalue )".*"/gs;

/**
 * Returns the text of an error without phone numbers. For a database error it also leaves out
 * quoted values.
 */
const withoutPeople = (text: string, ofDatabase: boolean): string =>
  (ofDatabase ? text.replaceAll(quotedValue, '"…"') : text)
    .replaceAll(unreadJson, '"…" is not valid JSON')
    .replaceAll(phones, '***');

/**
 * The largest number of errors in a chain of causes, and of levels of nested objects, that one log
 * line shows.
 */
const mostLevels = 5;

/** Returns the error and its causes. */
const chainOf = (error: Error): Error[] => {
  const chain = [error];
  for (
    let { cause } = error;
    cause instanceof Error && chain.length < mostLevels;
    { cause } = cause
  )
    chain.push(cause);
  return chain;
};

/**
 * True if an error comes from the database, which gives its errors a severity. The database error
 * may also be the cause of another error with the same message.
 */
const isOfDatabase = (chain: readonly object[]): boolean =>
  chain.some((error) => 'severity' in error);

const codeOf = (error: Error): unknown => (error as { code?: unknown }).code;

const partsOf = (value: object, level: number): unknown => {
  if (level >= mostLevels) return '…';
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((part) => lineOf(part, level + 1));
  const shown = Object.entries(value).filter(
    ([name]) => !(isOfDatabase([value]) && ['detail', 'where'].includes(name)),
  );
  return Object.fromEntries(shown.map(([name, part]) => [name, lineOf(part, level + 1)]));
};

const lineOf = (error: unknown, level: number): unknown => {
  if (typeof error === 'string') return withoutPeople(error, true);
  if (typeof error !== 'object' || error === null) return error;
  if (!(error instanceof Error)) return partsOf(error, level);
  const chain = chainOf(error);
  const messages = chain.map(({ message }, at) =>
    withoutPeople(message, isOfDatabase(chain.slice(at))),
  );
  const stacks = chain.map(({ name, stack = '' }, at) => {
    const frames = /(?:\n {4}at .*)+$/.exec(stack)?.[0] ?? '';
    return `${name}: ${messages[at]}${frames}`;
  });
  const cause = chain
    .slice(1)
    .map(codeOf)
    .find((code) => code !== undefined);
  const fields = error as Partial<Record<(typeof errorFields)[number], unknown>>;
  return {
    type: error.constructor.name,
    message: messages.join(': '),
    stack: stacks.join('\ncaused by: '),
    ...Object.fromEntries(
      errorFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    ...(cause !== undefined && { cause: { code: cause } }),
    ...(error instanceof AggregateError &&
      level < mostLevels && {
        aggregateErrors: error.errors.map((part) => lineOf(part, level + 1)),
      }),
  };
};

/**
 * Returns an error as a log line shows it: without database rows, quoted values and phone numbers.
 * Any other logged value is treated in the same way.
 */
export const errorLine = (error: unknown): unknown => lineOf(error, 0);

/** Returns the text of an error for standard error: its stack, its code and other fields. */
export const errorText = (error: unknown): string => {
  const line = errorLine(error);
  if (!(error instanceof Error)) return typeof line === 'string' ? line : JSON.stringify(line);
  const { type: _type, message: _message, stack, ...place } = line as Record<string, unknown>;
  return Object.keys(place).length === 0 ? String(stack) : `${stack}\n${JSON.stringify(place)}`;
};
