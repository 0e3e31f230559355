import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tracer } from '#platform/tracing/tracing.ts';
import type { OpenSpan } from '#platform/tracing/tracing.ts';

const spans = new WeakMap<FastifyRequest, OpenSpan>();

/**
 * A span for each request: method, route, status and role. Nothing is added while tracing is off.
 */
export const traceRequests = (http: FastifyInstance): void => {
  const on = tracer();
  if (on === null) return;
  http.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    spans.set(request, on.start(`${request.method} ${route}`, { kind: 'server', attributes }));
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    done();
  });
};

/**
 * Calls `run` within the span of the request, because events of the request's body run outside of
 * that span.
 */
export const withinRequest = <T>(request: FastifyRequest, run: () => T): T => {
  const span = spans.get(request);
  return span === undefined ? run() : tracer()!.within(span, run);
};

export const noteRole = (request: FastifyRequest, role: string): void =>
  spans.get(request)?.set({ 'waystation.role': role });
