import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { addCors } from './cors.ts';

it('a web page of an allowed origin may read the headers Retry-After, RateLimit and RateLimit-Policy', async () => {
  const http = Fastify();
  addCors(http, ['https://console.example.com']);
  http.get('/x', async () => 'x');
  const { headers } = await http.inject({
    method: 'GET',
    url: '/x',
    headers: { origin: 'https://console.example.com' },
  });
  expect(String(headers['access-control-expose-headers']).split(', ')).toEqual(
    expect.arrayContaining(['retry-after', 'ratelimit', 'ratelimit-policy']),
  );
  await http.close();
});
