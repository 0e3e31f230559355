import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { App } from './app.ts';
import { routes } from './routes.ts';
import { version } from '#platform/version.ts';
import { loginElsewhere } from '#features/people/login-elsewhere.ts';
import { carrierPush } from '#features/parcels/carrier-push.ts';
import { isKeyLike } from '#platform/auth/api-key.ts';
import { createCallers } from '#platform/auth/callers.ts';
import { actorOfKey } from '#platform/auth/key-callers.ts';
import type { KeyCallers } from '#platform/auth/key-callers.ts';
import { createKeySlots } from '#platform/auth/key-slots.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure } from '#platform/fail.ts';
import { countRefusal } from '#platform/refused-calls.ts';
import type { Refusal } from '#platform/refused-calls.ts';
import { addCors } from '#platform/http/cors.ts';
import { addDocuments, openApi } from '#platform/http/documents.ts';
import { createOverload } from '#platform/http/overload.ts';
import { addRawPost } from '#platform/http/raw.ts';
import { createHttp, sendFailure } from '#platform/http/server.ts';
import { addWeb, createNonce } from '#platform/http/web.ts';

/** Creates the HTTP server of an application; it does not listen yet. */
export const createApi = async (
  app: App,
  options: { checkOutput?: boolean; registry?: Registry } = {},
): Promise<FastifyInstance> => {
  const { config, db, clock, log } = app;
  const seconds =
    options.registry &&
    new Histogram({
      name: 'waystation_http_seconds',
      help: 'Time to answer',
      labelNames: ['method', 'path', 'status'],
      registers: [options.registry],
    });
  const callers = createCallers(app, config.session);
  const refused = (refusal: Omit<Refusal, 'at'>): Promise<void> =>
    countRefusal(db, log, { ...refusal, at: clock.now() });
  const keyCallers: KeyCallers = {
    db,
    clock,
    refused: (refusal) => refused({ ...refusal, action: 'call_forbidden' }),
  };
  const assertRoom = createOverload(db.waiting, {
    connections: config.poolSize,
    jobs: config.worker.concurrency,
  });
  const http = await createHttp({
    app,
    assertRoom,
    readApp: () => {
      const read = app.replica?.current();
      return read ? { ...app, db: read } : null;
    },
    routes,
    log,
    authenticate: (token, { used, ...from }) =>
      isKeyLike(token) ? actorOfKey(keyCallers, token, from) : callers.actorOf(token, used),
    // Calls with API keys get at most half of the pool, as lists do, so that connections remain for
    // others.
    keySlots: createKeySlots(Math.max(1, Math.floor(config.poolSize / 2))),
    checkOutput: options.checkOutput ?? config.checkAnswers,
    trustProxy: config.trustProxy,
    strictTransport: config.production,
    refused,
    ...(seconds && {
      observe: (method: string, path: string, status: number, time: number) =>
        seconds.observe({ method, path, status }, time),
    }),
  });
  // Ends the event streams, so that browsers reconnect to another process or to this one after its
  // restart.
  http.addHook('preClose', async () => app.liveEvents.close());
  http.addHook('onClose', async () => callers.settled());
  addCors(http, config.origins);
  addRawPost(http, { ...carrierPush(app), assertRoom: () => assertRoom('push') });
  addRawPost(http, { ...loginElsewhere(app), assertRoom: () => assertRoom('person') });
  addHealth(http, app);
  if (config.apiPages)
    addDocuments(
      http,
      () =>
        openApi(
          routes.map(({ endpoint }) => endpoint),
          version,
        ),
      createNonce,
    );
  if (existsSync(join(config.webDir, 'index.html')))
    await addWeb(http, config.webDir, config.origins);
  http.setNotFoundHandler((request, reply) =>
    sendFailure(new Failure('not_found', {}, {}), request, reply),
  );
  return http;
};

/** /healthz: this process runs; /readyz: it can also reach the database. */
const addHealth = (http: FastifyInstance, { db }: App): void => {
  http.get('/healthz', async () => ({ ok: true }));
  http.get('/readyz', async (_request, reply) => {
    try {
      await db.tx(systemScope('ready'), (work) => sql`select 1`.execute(work.tx));
      return { ok: true };
    } catch {
      return reply.code(503).header('retry-after', '2').send({ ok: false });
    }
  });
};
