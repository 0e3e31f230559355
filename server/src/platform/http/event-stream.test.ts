import { expect, it } from 'vitest';
import { openEventStream } from './event-stream.ts';

it('an event stream whose client does not read is closed after about 200 to 300 kB', () => {
  const stream = openEventStream();
  const message = 'x'.repeat(1_000);
  let sent = 0;
  while (stream.send(String(sent), message)) sent++;
  expect(sent).toBeGreaterThan(200);
  expect(sent).toBeLessThan(300);
  expect(stream.body.destroyed).toBe(true);
  expect(stream.send('next', message)).toBe(false);
});
