import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { errors } from '@waystation/contract/base/errors.ts';
import { calls as sessionCalls } from '@waystation/contract/people/session.schema.ts';
import { buildNetwork } from '#features/demo/network.ts';
import { systemScope } from '#platform/db/scope.ts';
import { rememberAccess } from '#testing/restore-access.ts';
import { rounds, seedOr } from '#testing/slices.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { createApi } from './api.ts';
import { routes } from './routes.ts';

let app: TestApp;
let http: FastifyInstance;
const tokens: string[] = [];
const ids: number[] = [];
/**
 * Gives the callers their access again. Some calls end it, and the rest of the run would then be
 * refused at once.
 */
let restoreAccess: () => Promise<void>;
const shutsOut = /\/(users|personal|stations)/;

beforeAll(async () => {
  app = await createTestApp({ webDir: '/nonexistent' });
  await app.db.tx(systemScope('test'), (work) =>
    buildNetwork(app, work, new Date(app.clock.now().getTime() - 86_400_000)),
  );
  http = await createApi(app, { checkOutput: true });
  for (const username of ['super', 'partner', 'station', 'clerk']) {
    const answer = await http.inject({
      method: 'POST',
      url: '/api/arco/login/password',
      payload: { username, password: app.config.demoPassword },
    });
    tokens.push(answer.json<{ data: { access_token: string } }>().data.access_token);
  }
  for (const draft of [
    exampleOrder({ draft: 1 }),
    { draft: 1 },
    { draft: 1, receive_name: '张三' },
  ]) {
    const answer = await http.inject({
      method: 'POST',
      url: '/api/arco/expresses',
      payload: draft,
      headers: {
        authorization: `Bearer ${tokens[3]}`,
        'idempotency-key': `fuzz-draft-${ids.length}`,
      },
    });
    ids.push(answer.json<{ data: Express }>().data.id);
  }
  restoreAccess = await rememberAccess(app);
});
afterAll(async () => {
  await http.close();
  await app.close();
});

const cursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '张三',
  '𠮷野家',
  '👩‍👩‍👧',
  `' or 1=1 --`,
  '%',
  '_',
  '\\',
  '{}',
  '[1]',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '1.5',
  '9007199254740993',
  '9223372036854775808',
  '-1',
  '2026-02-31',
  '0000-01-01',
  '9999-99-99',
  '2026-03-02',
  '2026-03-02T00:00:00.000Z',
  '-created_at',
  'post_amount',
  '-terms',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=1+1',
  '13900000001',
  '139****0001',
  '上海市',
  'ed-m-0001',
  '76x130',
  'x'.repeat(600),
  '１２３４５',
  cursor(['abc', 1]),
  cursor(['2026', 1]),
  cursor([1.5, 1]),
  cursor(['2026-03-02T00:00:00.000Z', 1]),
  cursor([null, null]),
  cursor({}),
  cursor([1, 9007199254740992]),
  'not-base64!',
];
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      0,
      1,
      2,
      424_242,
      '424242',
      -1,
      1.5,
      1e21,
      2 ** 31,
      2 ** 53,
      50_000_001,
      -0,
      null,
      true,
      false,
      [],
      {},
      [1],
      [[]],
      {
        a: { b: [] },
      },
    ),
  },
  { weight: 3, arbitrary: fc.constant('an id') },
  { weight: 1, arbitrary: fc.constant(424_242) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

/** Returns all field names that an endpoint declares, and some names that no endpoint declares. */
const namesOf = (schema: z.ZodMiniType): string[] => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object;
    anyOf?: { properties?: object }[];
  };
  const forms = json.anyOf ?? [json];
  return [
    ...new Set([
      ...forms.flatMap(({ properties }) => Object.keys(properties ?? {})),
      'role',
      'state_code',
      '__proto__',
      'constructor',
    ]),
  ];
};

const surface = routes.map(({ endpoint }) => ({ endpoint, names: namesOf(endpoint.input) }));
const request = fc.constantFrom(...surface).chain(({ endpoint, names }) =>
  fc.record({
    endpoint: fc.constant(endpoint),
    who: fc.nat(3),
    /**
     * True for half of the requests: they are valid requests with some changes, so that they pass
     * the first check.
     */
    rightly: fc.boolean(),
    fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), value), {
      selector: ([name]) => name,
      maxLength: 6,
    }),
    path: fc.oneof(value, fc.constantFrom<unknown>('an id', 424_242)),
    key: fc.constantFrom('a-good-key-1', 'a-good-key-2', 'bad', ''),
    raw: fc.option(fc.constantFrom('', '{', '[]', 'null', '"x"', '{"a":'.repeat(30)), { freq: 20 }),
  }),
);

const concrete = (value: unknown, nth: number): unknown =>
  value === 'an id' ? ids[nth % ids.length] : value;

const send = async ({
  endpoint,
  who,
  rightly,
  fields,
  path,
  key,
  raw,
}: typeof request extends fc.Arbitrary<infer T> ? T : never) => {
  const segments = endpoint.path.replaceAll(/\{\w+\}/g, () => {
    const value = concrete(rightly ? 'an id' : path, who);
    return (
      encodeURIComponent(
        (typeof value === 'string' ? value : JSON.stringify(value ?? null)).toWellFormed(),
      ) || '%20'
    );
  });
  const base =
    rightly && endpoint.path === '/api/arco/expresses' && endpoint.method === 'POST'
      ? exampleOrder()
      : {};
  const body = Object.fromEntries([
    ...Object.entries(base),
    ...fields.map(([name, value], nth) => [name, concrete(value, nth)] as const),
  ]);
  const query = fields.map(([name, value], nth) => {
    const one = concrete(value, nth);
    return `${encodeURIComponent(name)}=${encodeURIComponent((typeof one === 'string' ? one : JSON.stringify(one ?? null)).toWellFormed())}`;
  });
  const get = endpoint.method === 'GET';
  return http.inject({
    method: endpoint.method,
    url: get && query.length > 0 ? `${segments}?${query.join('&')}` : segments,
    // A logout is sent without a token. With a token it would end the session, and every later call
    // would be refused.
    headers: {
      ...(endpoint !== sessionCalls.logout && { authorization: `Bearer ${tokens[who]}` }),
      'idempotency-key': key,
      ...(!get && { 'content-type': 'application/json' }),
    },
    ...(!get && { payload: raw ?? JSON.stringify(body) }),
  });
};

/** WAYSTATION_FUZZ_RUNS sets the number of runs of a longer search (CONTRIBUTING.md). */
const runs = Number(process.env['WAYSTATION_FUZZ_RUNS'] ?? rounds(1_500, 50_000));
const seed = Number(process.env['WAYSTATION_FUZZ_SEED'] ?? seedOr(20_261_121));

describe('random requests to every endpoint', () => {
  it('random requests to every endpoint are answered with the JSON envelope and never with a server error', async () => {
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const answer = await send(one);
        if (
          answer.statusCode === 200 &&
          one.endpoint.method !== 'GET' &&
          shutsOut.test(one.endpoint.path)
        )
          await restoreAccess();
        seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
        expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(500);
        if (/application\/pdf|spreadsheetml/.test(String(answer.headers['content-type']))) return;
        const envelope = answer.json<{
          status: number;
          data: { code?: string };
          message: string;
        }>();
        expect(envelope.status).toBe(answer.statusCode);
        if (answer.statusCode !== 200) expect(Object.keys(errors)).toContain(envelope.data.code);
      }),
      { numRuns: runs, seed },
    );
    // Every kind of response must have occurred, because refusals alone would prove little.
    for (const status of [200, 400, 403, 404, 422])
      expect(seen.get(status) ?? 0, `answers ${status}`).toBeGreaterThan(20);
    expect(seen.get(401) ?? 0).toBe(0);
  });
});
