import type * as z from 'zod/mini';
import type { KeyScope } from './key-scopes.ts';
import type { LoginDuty } from './login-duties.ts';
import type { Role } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PATCH';

/** The schemas of a call's input and output. */
export interface Schemas {
  input: z.ZodMiniType;
  output: z.ZodMiniType;
}

/** The type of schemas with a given input and output, for an invented endpoint in a test. */
export interface Shapes<I, O> {
  input: z.ZodMiniType<I, I>;
  output: z.ZodMiniType<O, O>;
}

/** Carries the schemas of an endpoint for the type checker only; it does not exist at run time. */
declare const schemasOf: unique symbol;

type Allowed = readonly Role[] | 'public';

/**
 * The agreement between browser and server about one call (requirements §7), without its schemas.
 * The schemas are in the file `.schema.ts` beside it, which the browser never loads. The input is
 * one flat object. The input fields whose names are in braces in the path are sent in the path. The
 * other fields are sent in the query of a GET call, or in the JSON body of any other call.
 */
export interface Endpoint<S extends Schemas = Schemas, R extends Allowed = Allowed> {
  method: Method;
  path: string;
  /** The roles that may call the endpoint; 'public' needs no token. */
  roles: R;
  /**
   * 'required': the caller must send an `Idempotency-Key`, so that a repeated call has no second
   * effect. 'optional': the caller may send one.
   */
  idempotency?: 'required' | 'optional';
  /** 'file': the response is bytes on success, and the envelope on failure. */
  answers?: 'json' | 'file';
  /**
   * 'form': the call sends multipart/form-data, with the fields of the input as texts and one
   * `file`; JSON by default.
   */
  takes?: 'json' | 'form';
  /** The largest accepted body, in bytes; 256 KiB by default. */
  bodyLimit?: number;
  /**
   * `stale`: the response may be some seconds old, because a replica of the database may be read.
   */
  reads?: 'stale';
  /**
   * The login duties with which the endpoint may still be called; an open duty that is not listed
   * prevents the call.
   */
  allowWithDuty?: readonly LoginDuty[];
  /** True: a process answers this endpoint even if it is overloaded. */
  always?: true;
  /**
   * True: a call of this endpoint never counts as activity of the user and does not extend the
   * session.
   */
  background?: true;
  /** A caller that accepts `text/event-stream` gets the response as a stream. */
  streams?: true;
  /**
   * The scope that an API key needs for this endpoint, in addition to the role of its account. An
   * endpoint with a scope is a part of the public API. Absent: no API key can call the endpoint.
   */
  key?: KeyScope;
  /** One sentence about the endpoint, shown on /docs. */
  summary: string;
  readonly [schemasOf]?: S;
}

/**
 * Declares an endpoint: `endpoint<typeof schemas.name>({ … })`, where S is the type of its input
 * and output schemas. An endpoint without login is `endpoint<…, 'public'>`.
 */
/* @__NO_SIDE_EFFECTS__ */ export const endpoint = <
  S extends Schemas,
  R extends Allowed = readonly Role[],
>(
  definition: Endpoint<S, R>,
): Endpoint<S, R> => definition;

/** The type of an endpoint together with its schemas, for the server. */
export type CheckedEndpoint<S extends Schemas = Schemas, R extends Allowed = Allowed> = Endpoint<
  S,
  R
> &
  S;

type EndpointName<M> = {
  [K in keyof M]: M[K] extends { method: Method; path: string } ? K : never;
}[keyof M];
type SchemasFor<M> = {
  [K in EndpointName<M>]: M[K] extends Endpoint<infer S, Allowed> ? S : never;
};
type Checked<M> = {
  [K in EndpointName<M>]: M[K] extends Endpoint<infer S, infer R> ? CheckedEndpoint<S, R> : never;
};

/**
 * Pairs the endpoints of file `x.ts` with the schemas of `x.schema.ts` by name. The code does not
 * compile if an endpoint has no schemas, or schemas have no endpoint.
 */
export const withSchemas = <M extends object, S extends SchemasFor<M>>(
  endpoints: M,
  schemas: S & Record<Exclude<keyof S, EndpointName<M>>, never>,
): Checked<M> =>
  Object.fromEntries(
    Object.entries(schemas as Record<string, Schemas>).map(([name, pair]) => [
      name,
      { ...(endpoints as Record<string, Endpoint>)[name], ...pair },
    ]),
  ) as unknown as Checked<M>;

/** The type of the input that a caller passes. */
export type InputOf<E> = E extends Endpoint<infer S, Allowed> ? z.input<S['input']> : never;
/** The type of the input that a handler receives, after parsing. */
export type ParsedOf<E> = E extends Endpoint<infer S, Allowed> ? z.output<S['input']> : never;
/** The type of the output that a handler returns. */
export type OutputOf<E> = E extends Endpoint<infer S, Allowed> ? z.output<S['output']> : never;

const placeholder = /\{(\w+)\}/g;

/** The names in braces in the path. */
export const pathNames = (path: string): string[] =>
  Array.from(path.matchAll(placeholder), (match) => match[1]!);

/** The path with each `{name}` replaced by the percent-encoded value from `input`. */
export const fillPath = (path: string, input: Record<string, unknown>): string =>
  path.replace(placeholder, (_, name: string) => encodeURIComponent(String(input[name])));
