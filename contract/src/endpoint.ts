import type * as z from 'zod/mini';
import type { Role } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PATCH';

/**
 * What browser and server agree on for one call (requirements §7).
 * `input` is one flat object: names in the path's braces go into the path, the rest into the query of a GET and into the JSON body otherwise.
 */
export interface Endpoint<I extends z.ZodMiniType = z.ZodMiniType, O extends z.ZodMiniType = z.ZodMiniType> {
  method: Method;
  path: string;
  /** Roles that may call; 'public' needs no token. */
  roles: readonly Role[] | 'public';
  input: I;
  output: O;
  /** 'required': the caller sends an `Idempotency-Key`, so that a repeat has no second effect. */
  idempotency?: 'required';
  /** 'file' answers bytes on success and the envelope on failure. */
  answers?: 'json' | 'file';
  /** 'form': multipart/form-data, the input's fields as text and one `file`; JSON unless told. */
  takes?: 'json' | 'form';
  /** The largest body taken, in bytes; 256 KiB unless told. */
  bodyLimit?: number;
  /** Open also to someone who must change the password first. */
  allowWithExpiredPassword?: true;
  /** One sentence for /docs. */
  summary: string;
}

/** Keeps the definition's own types: what a caller passes and gets, and whether there is an actor at all. */
export const endpoint = <I extends z.ZodMiniType, O extends z.ZodMiniType, R extends readonly Role[] | 'public'>(
  definition: Endpoint<I, O> & { roles: R },
): Endpoint<I, O> & { roles: R } => definition;

/** What a caller passes. */
export type InputOf<E> = E extends Endpoint<infer I, z.ZodMiniType> ? z.input<I> : never;
/** What a handler receives, after parsing. */
export type ParsedOf<E> = E extends Endpoint<infer I, z.ZodMiniType> ? z.output<I> : never;
/** What a handler answers. */
export type OutputOf<E> = E extends Endpoint<z.ZodMiniType, infer O> ? z.output<O> : never;

const placeholder = /\{(\w+)\}/g;

/** Names in the path's braces. */
export const pathNames = (path: string): string[] => Array.from(path.matchAll(placeholder), (match) => match[1]!);

/** The path with its braces filled from `input`, each value percent-encoded. */
export const fillPath = (path: string, input: Record<string, unknown>): string =>
  path.replace(placeholder, (_, name: string) => encodeURIComponent(String(input[name])));
