import type { Config } from '#config.ts';

/**
 * The attributes of a span. They contain only names from our source code, error codes and counts.
 * They never contain a phone number, a person's name, an amount or a token.
 */
export type Attributes = Record<string, string | number>;

export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  /**
   * The `traceparent` of the span that caused this span. The causing span may have ended earlier or
   * may belong to another process.
   */
  link?: string | null;
}

export interface OpenSpan {
  set(attributes: Attributes): void;
  /** `failure`: the code of an error. */
  end(failure?: string): void;
}

/** A new span is a child of the active span of its asynchronous context. */
export interface Tracer {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Calls `run` while the span is the active span. */
  within<T>(span: OpenSpan, run: () => T): T;
  /** Records a span that ends now and took `ms` milliseconds. */
  past(name: string, ms: number, options: SpanOptions & { failure?: string | undefined }): void;
  /**
   * Returns the W3C traceparent of the active span, so that work elsewhere can continue its trace.
   * Returns null if no span is active.
   */
  traceparent(): string | null;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

let current: Tracer | null = null;

/** Returns the tracer of the process; null if tracing is off. */
export const tracer = (): Tracer | null => current;

/**
 * Returns the code or the name of an error, which show only its kind. The message might quote a
 * person's data.
 */
const failureOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error';
};

/** Calls `run` within a new span; without tracing it only calls `run`. */
export const inSpan = <T>(
  name: string,
  options: SpanOptions,
  run: () => Promise<T>,
): Promise<T> => {
  const on = current;
  if (on === null) return run();
  const span = on.start(name, options);
  return on.within(span, run).then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.end(failureOf(error));
      throw error;
    },
  );
};

/**
 * Sends traces to an OpenTelemetry collector, whose address the OpenTelemetry library reads from
 * the environment. Loads that library only if traces are configured. Returns a function that stops
 * sending.
 */
export const startTracing = async (
  traces: Config['traces'],
  version: string,
): Promise<() => Promise<void>> => {
  if (traces === null) return async () => {};
  const { openTracer } = await import('./otlp.ts');
  const opened = openTracer(traces, version);
  current = opened;
  return async () => {
    current = null;
    await opened.stop();
  };
};
