import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import type { Context, Link, Span, SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '#config.ts';
import type { OpenSpan, SpanOptions, Tracer } from './tracing.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/** The milliseconds that a stop waits for a collector that does not respond. */
const stopWithinMs = 3_000;

const parsedParent = (text: string | null | undefined): SpanContext | null => {
  const found = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '');
  if (!found) return null;
  const [, traceId = '', spanId = '', flags = ''] = found;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
};

const linksOf = ({ link }: SpanOptions): Link[] => {
  const context = parsedParent(link);
  return context === null ? [] : [{ context }];
};

class OtlpSpan implements OpenSpan {
  readonly span: Span;
  constructor(span: Span) {
    this.span = span;
  }
  set(attributes: Parameters<OpenSpan['set']>[0]): void {
    this.span.setAttributes(attributes);
  }
  end(failure?: string): void {
    if (failure !== undefined) {
      this.span.setAttribute('error.type', failure);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

/**
 * Sends spans with OTLP over HTTP. The exporter reads its endpoint, headers and limits from the
 * environment.
 */
export const openTracer = (
  { service, share }: NonNullable<Config['traces']>,
  version: string,
): Tracer => {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const spans = provider.getTracer('waystation', version);
  const active = new AsyncLocalStorage<Context>();
  const parent = (): Context => active.getStore() ?? ROOT_CONTEXT;
  const start = (name: string, options: SpanOptions, startTime?: number): OtlpSpan =>
    new OtlpSpan(
      spans.startSpan(
        name,
        {
          kind: kinds[options.kind ?? 'internal'],
          attributes: options.attributes ?? {},
          links: linksOf(options),
          ...(startTime !== undefined && { startTime }),
        },
        parent(),
      ),
    );
  return {
    start,
    within: (span, run) => active.run(trace.setSpan(ROOT_CONTEXT, (span as OtlpSpan).span), run),
    past: (name, ms, { failure, ...options }) => start(name, options, Date.now() - ms).end(failure),
    traceparent: () => {
      const found = trace.getSpanContext(parent());
      if (!found || (found.traceFlags & TraceFlags.SAMPLED) === 0) return null;
      return `00-${found.traceId}-${found.spanId}-01`;
    },
    stop: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
};
