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

it('the lines of requests are not searched for secrets, all others are', () => {
  const [request, other] = linesOf((log) => {
    withoutSearch(log).info({ status: 200 }, 'answered');
    log.info({ token: 'a' }, 'shown');
  });
  expect(request).toMatchObject({ status: 200, msg: 'answered' });
  expect(other).toMatchObject({ token: '[cut]' });
});
