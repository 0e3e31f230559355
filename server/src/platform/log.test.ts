import { expect, it } from 'vitest';
import { createLog, withoutSearch } from './log.ts';

const linesOf = (write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] => {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

it('a log line shows no secret, not even within its parts', () => {
  const [line] = linesOf((log) => log.info({ token: 'a', carrier: { app_secret: 'b' } }, 'shown'));
  expect(line).toMatchObject({ token: '[cut]', carrier: { app_secret: '[cut]' } });
});

it('the line of an error of the database quotes no row, no value and no phone, and keeps its code and place', () => {
  const refused = Object.assign(new Error('new row violates check constraint "n"'), {
    severity: 'ERROR',
    code: '23514',
    constraint: 'n',
    table: 'contacts',
    detail: 'Failing row contains (1, 张三, 13900000001, 世纪大道100号).',
    where: 'SQL statement "insert into contacts values (张三)"',
  });
  const unread = Object.assign(new Error('invalid input syntax for type bigint: "张三"'), {
    severity: 'ERROR',
    code: '22P02',
  });
  const lines = linesOf((log) => {
    for (const error of [refused, unread, new Error('outer', { cause: unread })])
      log.error({ err: error }, 'failed');
    log.error({ detail: 'Failed task 1 with error: call 13900000001 or 021-58887777' }, 'library');
    log.error({ err: new AggregateError([refused, unread]) }, 'both');
  });
  expect(JSON.stringify(lines)).not.toMatch(/张三|13900000001|58887777|世纪大道/);
  expect(lines[0]).toMatchObject({
    err: { type: 'Error', code: '23514', constraint: 'n', table: 'contacts' },
  });
  expect(lines[0]!['err']).toHaveProperty('stack', expect.stringContaining('log.test.ts'));
  expect(lines[1]).toMatchObject({
    err: { message: 'invalid input syntax for type bigint: "…"' },
  });
});

it('the lines of requests are not searched for secrets, all others are', () => {
  const [request, other] = linesOf((log) => {
    withoutSearch(log).info({ status: 200 }, 'answered');
    log.info({ token: 'a' }, 'shown');
  });
  expect(request).toMatchObject({ status: 200, msg: 'answered' });
  expect(other).toMatchObject({ token: '[cut]' });
});
