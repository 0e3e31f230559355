import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import { pathNames } from '@waystation/contract/base/endpoint.ts';
import { errors } from '@waystation/contract/base/errors.ts';
import { present } from '@waystation/contract/base/present.ts';

/** The OpenAPI tag of the operations that API keys may call. */
export const publicTag = 'public';

/**
 * Recursive schemas, such as that of a tree. Each is defined once, under `components` of the
 * document.
 */
type Shared = Record<string, unknown>;

const jsonSchema = (
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  shared: Shared,
  name: string,
): Record<string, unknown> => {
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  if ($defs === undefined) return rest;
  const moved = (part: unknown): Record<string, unknown> =>
    JSON.parse(
      JSON.stringify(part).replaceAll('"#/$defs/', `"#/components/schemas/${name}`),
    ) as Record<string, unknown>;
  for (const [key, shape] of Object.entries($defs as object)) shared[name + key] = moved(shape);
  return moved(rest);
};

const envelope = (data: object): object => ({
  type: 'object',
  required: ['status', 'data', 'message'],
  properties: { status: { const: 200 }, data, message: { type: 'string' } },
});

/**
 * Returns the schema of a request body. A form contains each input field as a text field, and one
 * file.
 */
const bodyOf = (
  { takes }: CheckedEndpoint,
  input: { properties?: Record<string, object>; required?: string[] },
): object =>
  takes === 'form'
    ? {
        'multipart/form-data': {
          schema: {
            ...input,
            properties: { ...input.properties, file: { type: 'string', format: 'binary' } },
            required: [...(input.required ?? []), 'file'],
          },
        },
      }
    : { 'application/json': { schema: input } };

const operation = (endpoint: CheckedEndpoint, shared: Shared): object => {
  const name = `${endpoint.method.toLowerCase()}${endpoint.path.replaceAll(/\W+/g, '_')}`;
  const input = jsonSchema(endpoint.input, 'input', shared, name) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  const inPath = new Set(pathNames(endpoint.path));
  const names = Object.keys(input.properties ?? {});
  const parameters = names
    .filter((name) => inPath.has(name) || endpoint.method === 'GET')
    .map((name) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name) || (input.required ?? []).includes(name),
      schema: present(input.properties)[name],
    }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: endpoint.idempotency === 'required',
    schema: { type: 'string', minLength: 8, maxLength: 100 },
  };
  return {
    summary: endpoint.summary,
    description:
      endpoint.roles === 'public' ? 'No token needed.' : `Roles: ${endpoint.roles.join(', ')}.`,
    parameters: [...parameters, ...(endpoint.idempotency ? [key] : [])],
    ...(endpoint.method !== 'GET' && { requestBody: { content: bodyOf(endpoint, input) } }),
    responses: {
      200:
        endpoint.answers === 'file'
          ? { description: 'The file.', content: { 'application/pdf': {} } }
          : {
              description: 'Done.',
              content: {
                'application/json': {
                  schema: envelope(jsonSchema(endpoint.output, 'output', shared, name)),
                },
              },
            },
      default: { $ref: '#/components/responses/failure' },
    },
    // Marks a part of the public API, which stays compatible.
    ...(endpoint.key && { tags: [publicTag], 'x-waystation-key-scope': endpoint.key }),
    security: endpoint.roles === 'public' ? [] : [{ bearer: [] }],
  };
};

/** Generates the OpenAPI 3.1 document of all endpoints from the contract. */
export const openApi = (endpoints: readonly CheckedEndpoint[], version: string): object => {
  const paths: Record<string, Record<string, object>> = {};
  const schemas: Shared = {};
  for (const endpoint of endpoints)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
  const failure = {
    type: 'object',
    properties: {
      status: { type: 'integer' },
      data: {
        type: 'object',
        properties: {
          code: { enum: Object.keys(errors) },
          params: { type: 'object' },
          fields: { type: 'object' },
          request_id: { type: 'string' },
        },
      },
      message: { type: 'string' },
    },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waystation',
      version,
      description:
        'Money is whole fen, weight whole grams, rates basis points, times ISO 8601 with offset.',
    },
    paths,
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: {
        failure: {
          description: 'Failed; the HTTP status stands in both places.',
          content: { 'application/json': { schema: failure } },
        },
      },
    },
  };
};

const page = (
  nonce: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Waystation API</title><link rel="icon" href="data:,"></head>
<body><script id="api-reference" nonce="${nonce}" data-url="/openapi.json" data-configuration='{"hideClientButton":true,"telemetry":false,"withDefaultFonts":false,"showDeveloperTools":"never","agent":{"disabled":true},"mcp":{"disabled":true}}'></script>
<script nonce="${nonce}" src="/docs/reference.js"></script></body></html>`;

/** The generated client, which integrators copy into their programs (requirements §10.2.27). */
const clientFile = join(import.meta.dirname, '../../../../client/waystation.ts');

/**
 * Serves /openapi.json, a page that shows it, and the client; nothing is loaded from another host.
 * Each of them is made at its first request, because making them would take half of the time of a
 * server's start.
 */
export const addDocuments = (
  http: FastifyInstance,
  makeDocument: () => object,
  nonce: () => string,
): void => {
  let text: string | undefined;
  http.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(makeDocument());
    return reply.type('application/json; charset=utf-8').send(text);
  });
  let client: string | undefined;
  http.get('/docs/waystation.ts', async (_request, reply) => {
    client ??= readFileSync(clientFile, 'utf8');
    // The file is served as plain text, so that browsers show it. Deno recognizes TypeScript by the
    // file name.
    return reply.type('text/plain; charset=utf-8').send(client);
  });
  let packed: Buffer | undefined;
  http.get('/docs/reference.js', async (request, reply) => {
    packed ??= readFileSync(join(import.meta.dirname, 'reference', 'api-reference.js.br'));
    const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .header('vary', 'accept-encoding');
    return takesBrotli
      ? reply.header('content-encoding', 'br').send(packed)
      : reply.send(brotliDecompressSync(packed));
  });
  http.get('/docs', async (_request, reply) => {
    const once = nonce();
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; script-src 'nonce-${once}'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(page(once));
  });
};
