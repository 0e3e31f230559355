import { createSocket } from 'node:dgram';
import { expect, it } from 'vitest';
import { limitMs } from '#testing/limits.ts';
import { resolveName } from './names.ts';

it('the look-up of a webhook’s host name fails within the time limit if the name servers never answer', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  const started = performance.now();
  await expect(
    resolveName('never.example.com', [`127.0.0.1:${silent.address().port}`]),
  ).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(performance.now() - started).toBeLessThan(limitMs(4_000));
  silent.close();
});
