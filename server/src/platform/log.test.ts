import { expect, it, vi } from 'vitest';
import { errorLine } from './error-line.ts';
import { createLog, withoutSearch } from './log.ts';

const linesOf = (write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] => {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

it('a log line shows no secret, not even a secret in a nested object', () => {
  const [line] = linesOf((log) => log.info({ token: 'a', carrier: { app_secret: 'b' } }, 'shown'));
  expect(line).toMatchObject({ token: '[cut]', carrier: { app_secret: '[cut]' } });
});

it('a silent log starts no timer', () => {
  const started = vi.spyOn(globalThis, 'setInterval');
  createLog('silent').error('not written');
  const times = started.mock.calls.length;
  started.mockRestore();
  expect(times).toBe(0);
});

it('the log line of a database error shows no row, value or phone number, but keeps the error code and the stack', () => {
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

it('phone numbers in all usual formats are removed from a logged text, but order and waybill numbers are kept', () => {
  const text = [
    '+8613900000001 008613900000001 138-0000-0001 138 0000 0001 +86 138 0000 0001',
    '13900000001-123 021-58887777-8 0755 12345678 +86 21 58887777',
  ].join(' ');
  expect(errorLine(text)).toBe(Array.from({ length: 9 }, () => '***').join(' '));
  const kept = 'job 1764345144000, order 20261128000000001, JDVE13900000001000';
  expect(errorLine(kept)).toBe(kept);
});

it('a quoted value is left out of the log line of a database error, even if it contains quotes or another error wraps the error', () => {
  const refused = Object.assign(new Error('malformed array literal: "{"张三","13900000001"}"'), {
    severity: 'ERROR',
    code: '22P02',
  });
  expect(errorLine(refused)).toMatchObject({ message: 'malformed array literal: "…"' });
  const outer = new Error(`server/sql/a.sql failed: ${refused.message}`, { cause: refused });
  const line = errorLine(outer);
  expect(line).toMatchObject({
    message: 'server/sql/a.sql failed: malformed array literal: "…": malformed array literal: "…"',
    cause: { code: '22P02' },
  });
  expect(line).toHaveProperty('stack', expect.stringMatching(/log\.test\.ts[^]*caused by: Error/));
  expect(JSON.stringify([line, errorLine({ ...refused, detail: 'row (张三)' })])).not.toContain(
    '张三',
  );
});

it('the message of a JSON parsing error is not logged, and quoted text in other errors is logged', () => {
  for (const text of ['张三,13900000001', `张三${'长'.repeat(40)}`, '"张三"x"张三"', '张'])
    try {
      JSON.parse(text);
    } catch (error) {
      expect(JSON.stringify(errorLine(error))).not.toMatch(/[张三长]/);
    }
  const issues = new Error(JSON.stringify([{ code: 'invalid_type', path: ['weight'] }]));
  expect(errorLine(issues)).toMatchObject({ message: issues.message });
  const quoted = new Error('the file is missing: "heads.jsonl"');
  expect(errorLine(quoted)).toMatchObject({ message: quoted.message });
});

it('phone numbers are removed from all texts of a logged object, also from nested texts', () => {
  const [line] = linesOf((log) =>
    log.warn(
      { err: { message: 'lost 13900000001', code: '57P01', parts: ['138 0000 0001'] } },
      'x',
    ),
  );
  expect(line).toMatchObject({ err: { message: 'lost ***', code: '57P01', parts: ['***'] } });
});

it('the log lines of requests are not searched for secrets, but all other log lines are searched', () => {
  const [request, other] = linesOf((log) => {
    withoutSearch(log).info({ status: 200 }, 'answered');
    log.info({ token: 'a' }, 'shown');
  });
  expect(request).toMatchObject({ status: 200, msg: 'answered' });
  expect(other).toMatchObject({ token: '[cut]' });
});
