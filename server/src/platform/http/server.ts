import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import { errorText, errors } from '@waystation/contract/base/errors.ts';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import { present } from '@waystation/contract/base/present.ts';
import { isKeyLike } from '#platform/auth/api-key.ts';
import { isUnavailable } from '#platform/db/db.ts';
import { Failure, fail } from '#platform/fail.ts';
import { withoutSearch } from '#platform/log.ts';
import type { Log } from '#platform/log.ts';
import { accountOf, authorise, callOf, isUse, noteRefusal } from './authorise.ts';
import type { Authorising } from './authorise.ts';
import { answerText } from './answer-text.ts';
import type { AnswerText } from './answer-text.ts';
import { checkAnswer } from './check-answer.ts';
import type { FileAnswer, FilePieces, RequestContext } from './context.ts';
import { isStream, streamHeaders } from './event-stream.ts';
import { readBrowserId, sendBrowserId } from './browser-cookie.ts';
import { isSound, refuseCredentials, acceptJsonOnly } from './body.ts';
import { readForm, acceptForms } from './form.ts';
import type { Form } from './form.ts';
import type { Urgency } from './overload.ts';
import type { Route } from './route.ts';
import { safeHeaders } from './safe-headers.ts';
import { noteRole, traceRequests, withinRequest } from './request-spans.ts';
import { parseInput } from './validate.ts';

export interface HttpOptions<App> extends Authorising {
  app: App;
  routes: readonly Route<App>[];
  log: Log;
  /**
   * Returns the application on a replica of the database, for endpoints that may read stale data;
   * null if no replica can be used.
   */
  readApp?(): App | null;
  /**
   * True if responses are validated against the contract (tests, development). Otherwise they are
   * only reduced to the contract's fields.
   */
  checkOutput: boolean;
  /** The addresses of proxies whose header X-Forwarded-For is trusted. */
  trustProxy: string[] | false;
  /** True to send the header Strict-Transport-Security on responses over TLS. */
  strictTransport?: boolean;
  /** Milliseconds without any data after which a connection is ended. */
  stalledAfterMs?: number;
  /** Throws `overloaded` if a call of this urgency would wait too long. */
  assertRoom?(urgency: Urgency): void;
  /** Called after each response, for the metrics. */
  observe?(method: string, path: string, status: number, seconds: number): void;
}

const bodyLimit = 256 * 1024;
/** The format of a client's own request id, which is logged beside the server's id. */
const clientIdPattern = /^[\w.-]{1,64}$/;

/**
 * Creates the HTTP server. It authenticates, checks roles, parses the input and calls the handler.
 * Then it reduces the output to the contract and writes the envelope.
 */
export const createHttp = async <App>(options: HttpOptions<App>): Promise<FastifyInstance> => {
  const http = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit,
    // A URL may take forty kilobytes if it contains a search for two thousand pasted numbers.
    http: { maxHeaderSize: 128 * 1024 },
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    requestTimeout: 60_000,
    // Without a timeout, unread responses would be kept for ever. Live streams send data sooner.
    connectionTimeout: options.stalledAfterMs ?? 120_000,
    forceCloseConnections: 'idle',
    // A caller whose connection is open still gets responses while this process ends. Its next
    // connection goes to another process.
    return503OnClosing: false,
    // The framework refuses a malformed URL before it chooses a route.
    frameworkErrors: (error, request, reply) =>
      void sendFailure(
        asFailure(error, request),
        request,
        // The framework does not show if TLS was used. Without TLS, browsers ignore this header.
        reply
          .headers(safeHeaders(request, { overTls: options.strictTransport === true }))
          .header('cache-control', 'no-store'),
      ),
  });
  traceRequests(http);
  endConnections(http);
  acceptJsonOnly(http);
  // Hooks that wait for nothing are synchronous, because a promise for each hook would take a tenth
  // of the time of a request.
  http.addHook('onRequest', (request, reply, done) => {
    const overTls = options.strictTransport === true && request.protocol === 'https';
    void reply.headers(safeHeaders(request, { overTls }));
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    done();
  });
  const requestLog = withoutSearch(options.log);
  http.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'unmatched';
    // The duration of an event stream depends only on its client, so it is not measured.
    if (reply.getHeader('content-type') !== streamHeaders['content-type'])
      options.observe?.(request.method, path, reply.statusCode, reply.elapsedTime / 1000);
    const client_request_id = clientId(request);
    // A field named `req` would be logged as `{}`: the framework expects the request in it.
    const line = {
      request_id: request.id,
      ...(client_request_id !== null && { client_request_id }),
      method: request.method,
      path,
      status: reply.statusCode,
      account_id: accountOf(request),
    };
    requestLog.info({ ...line, ms: Math.round(reply.elapsedTime) }, 'answered');
    done();
  });
  http.setErrorHandler((error, request, reply) =>
    sendFailure(asFailure(error, request), request, reply),
  );
  const isForm = ({ endpoint }: Route<App>): boolean => endpoint.takes === 'form';
  for (const entry of options.routes.filter((one) => !isForm(one))) addRoute(http, options, entry);
  await http.register(async (scope) => {
    await acceptForms(scope);
    for (const entry of options.routes.filter(isForm)) addRoute(scope, options, entry);
  });
  return http;
};

const clientId = (request: FastifyRequest): string | null => {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && clientIdPattern.test(header) ? header : null;
};

/**
 * Closes the connection after every response during shutdown. A connection that stays open would
 * delay the end of the process by a minute.
 */
const endConnections = (http: FastifyInstance): void => {
  let closing = false;
  http.addHook('preClose', async () => {
    closing = true;
  });
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done(null, payload);
  });
};

const addRoute = <App>(
  http: FastifyInstance,
  options: HttpOptions<App>,
  entry: Route<App>,
): void => {
  const { endpoint, handle } = entry;
  const write = writerOf(endpoint, options.checkOutput);
  const answerTo = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    refuseCredentials(request.query as object);
    const token = bearer(request);
    if (!endpoint.always) options.assertRoom?.(urgencyOf(endpoint, request, token));
    const actor =
      endpoint.roles === 'public'
        ? null
        : await authorise(options, endpoint, token, { request, reply });
    noteRole(request, actor?.role ?? 'public');
    await using form =
      endpoint.takes === 'form' ? await readForm(request, endpoint.bodyLimit ?? bodyLimit) : null;
    const { input, context } = inputOf(endpoint, request, reply, { token, form });
    const answer = await onReplica(options, endpoint, (app) =>
      handle(app, actor as never, input as never, context),
    ).catch(async (error: unknown) => {
      if (actor) await noteRefusal(options, actor, request, error);
      throw cutCurrent(error, endpoint);
    });
    if (isFile(answer)) return sendFile(reply, answer);
    if (isStream(answer)) return reply.headers(streamHeaders).send(answer.stream.body);
    // The response is sent as bytes. For a text, the framework would calculate its length and the
    // socket would copy it.
    return reply.type(json).send(Buffer.from(envelope(write(answer))));
  };
  http.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
    handler: (request, reply) => withinRequest(request, () => answerTo(request, reply)),
  });
};

const inputOf = (
  endpoint: CheckedEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, form }: { token: string | null; form: Form | null },
) => {
  const body = form ? form.fields : request.body;
  if (endpoint.method !== 'GET' && body !== undefined && !isPlainObject(body)) fail('bad_request');
  if (![request.query, body, request.params].every((part) => isSound(part))) fail('bad_request');
  // The input of a change is never read from the URL, because proxies and browser histories store
  // URLs.
  const query = endpoint.method === 'GET' ? (request.query as object) : {};
  const values: unknown = {
    ...query,
    ...(body as object | undefined),
    ...(request.params as object),
  };
  const context = contextOf(request, reply, { token, form }, endpoint);
  if (
    endpoint.idempotency === 'required' ||
    (endpoint.idempotency === 'optional' && request.headers['idempotency-key'] !== undefined)
  )
    context.idempotency_key = idempotencyKey(request);
  return { input: parseInput(endpoint.input, values), context };
};

/**
 * Calls the handler on the replica if the endpoint allows it. Calls it again on the primary if the
 * replica is unreachable, cancels the query, or cannot execute a write.
 */
const onReplica = async <App, T>(
  options: HttpOptions<App>,
  { reads }: CheckedEndpoint,
  call: (app: App) => Promise<T>,
): Promise<T> => {
  const replica = reads === 'stale' ? (options.readApp?.() ?? null) : null;
  if (replica === null) return call(options.app);
  return call(replica).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return call(options.app);
  });
};

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const json = 'application/json; charset=utf-8';

const envelope = (data: string): string => `{"status":200,"data":${data},"message":"ok"}`;

/** The compiled response writers, kept because tests open many servers in one process. */
const compiled = new WeakMap<CheckedEndpoint, AnswerText>();

const compiledWriter = (endpoint: CheckedEndpoint): AnswerText => {
  const write = compiled.get(endpoint) ?? answerText(endpoint.output);
  compiled.set(endpoint, write);
  return write;
};

/**
 * Returns a function that writes the endpoint's responses. It leaves out properties that the
 * contract does not declare. A response that does not match the contract throws, which is a 500.
 * The function is compiled at the first response, so that the process starts a second faster.
 */
const writerOf = (endpoint: CheckedEndpoint, checked: boolean): AnswerText => {
  let write: AnswerText | undefined;
  return (answer) => {
    write ??= compiledWriter(endpoint);
    return checked ? checkAnswer(endpoint, answer, write) : write(answer);
  };
};

/**
 * Removes from the row in a version conflict all columns that are not in the endpoint's response.
 * Counts may be missing, because this row comes directly from its table.
 */
const cutCurrent = (error: unknown, { output }: CheckedEndpoint): unknown => {
  if (!(error instanceof Failure) || error.details.current === undefined) return error;
  const stored = output instanceof z.ZodMiniObject ? z.partial(output) : output;
  const shown = stored.safeParse(error.details.current);
  const { current: _, ...details } = error.details;
  return new Failure(error.code, error.params, {
    ...details,
    ...(shown.success && { current: shown.data }),
  });
};

const urgencyOf = (
  endpoint: CheckedEndpoint,
  request: FastifyRequest,
  token: string | null,
): Urgency =>
  isUse(endpoint, request) && !(token !== null && isKeyLike(token)) ? 'person' : 'program';

const bearer = (request: FastifyRequest): string | null => {
  const match = /^Bearer ([\w-]{20,128})$/i.exec(request.headers.authorization ?? '');
  return match ? present(match[1]) : null;
};

const idempotencyKey = (request: FastifyRequest): string => {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && /^[\w.:-]{8,100}$/.test(key)
    ? key
    : fail('idempotency_key_required');
};

const streamOf = (
  request: FastifyRequest,
  { streams }: CheckedEndpoint,
): RequestContext['stream'] => {
  if (!streams || !/\btext\/event-stream\b/.test(request.headers.accept ?? '')) return null;
  const after = request.headers['last-event-id'];
  return { after: typeof after === 'string' && after !== '' ? after : null };
};

const contextOf = (
  request: FastifyRequest,
  reply: FastifyReply,
  { token, form }: { token: string | null; form: Form | null },
  endpoint: CheckedEndpoint,
): RequestContext => {
  const gone = new AbortController();
  // If the caller has disconnected already, no close event will come.
  if (reply.raw.destroyed) gone.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    request_id: request.id,
    address: request.ip,
    user_agent: request.headers['user-agent'] ?? '',
    browser: readBrowserId(request),
    nameBrowser: (id) => sendBrowserId(request, reply, id),
    call: callOf(request),
    idempotency_key: '',
    bodyHash: () =>
      createHash('sha256')
        .update(`${request.method} ${request.url}\n`)
        .update(JSON.stringify((form ? form.fields : request.body) ?? null))
        .update(form?.file?.sha256 ?? '')
        .digest(),
    token,
    file: form?.file ?? null,
    signal: gone.signal,
    stream: streamOf(request, endpoint),
    log: request.log as unknown as Log,
  };
};

const isPieces = (body: unknown): body is FilePieces =>
  typeof body === 'object' && body !== null && 'pieces' in body;

const isFile = (answer: unknown): answer is FileAnswer => {
  const { body } = (answer ?? {}) as Partial<FileAnswer>;
  return body instanceof Uint8Array || isPieces(body);
};

const sendFile = (reply: FastifyReply, { body, name, type, headers }: FileAnswer): FastifyReply => {
  reply
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .headers({ 'cache-control': 'no-store', ...headers })
    .type(type);
  if (isPieces(body))
    return reply
      .header('content-length', body.bytes)
      .send(Readable.from(body.pieces, { objectMode: false }));
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
};

const asFailure = (error: unknown, request: FastifyRequest): Failure => {
  if (error instanceof Failure) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) return new Failure('too_large', {}, {});
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('bad_request', {}, {});
  if (isUnavailable(error)) {
    request.log.warn({ err: error, request_id: request.id, code }, 'the database is away');
    return new Failure('unavailable', {}, { retryAfter: 2 });
  }
  request.log.error({ err: error, request_id: request.id }, 'a request failed');
  return new Failure('internal', {}, {});
};

/** Sends the envelope of a failure, in Chinese, or in English if the caller asks for it. */
export const sendFailure = (
  failure: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { fields, current, failures, retryAfter } = failure.details;
  const status = errors[failure.code].status;
  const language = /^en/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'zh';
  const data: FailureData = {
    code: failure.code,
    params: failure.params,
    ...(fields && { fields }),
    ...(current !== undefined && { current }),
    ...(failures && { failures }),
    request_id: request.id,
  };
  if (retryAfter !== undefined) void reply.header('retry-after', String(Math.ceil(retryAfter)));
  return reply
    .code(status)
    .type(json)
    .send({ status, data, message: errorText(failure.code, failure.params, language) });
};
